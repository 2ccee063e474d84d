import type { EvaluationSet, SetQuestion } from "../../src/evaluation/sets.ts";
import { analyze } from "../../src/text/analysis/analyze.ts";

/** A question with a document that answers it. */
export interface Answered {
  question: SetQuestion;
  documentId: string;
}

/** Questions that are answered, and a question after them. */
export interface Dialogue {
  /** Oldest first. */
  before: readonly Answered[];
  next: SetQuestion;
  /** What is asked: `next`, or what is left of it for a follow-up. */
  asked: string;
}

/**
 * `document`: about the same document. `article`: about another one of the same title. `third`: the same, after another
 * topic had been asked for. `change`: a whole question about something else. `back`: the same, after a follow-up.
 */
export const kinds = ["document", "article", "third", "change", "back"] as const;
export type Kind = (typeof kinds)[number];

/** Words that are left of a follow-up, at least. */
const minWords = 2;
const word = /[\p{L}\p{N}\p{M}_'’-]+/gu;

const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** The words of a question; those of scripts without spaces as a dictionary parts them. */
const wordsOf = (question: string): string[] =>
  [...question.matchAll(word)].flatMap(([text]) =>
    spaceless.test(text) ? [...segmenter.segment(text)].map(({ segment }) => segment) : [text],
  );

/** The first document that answers a question. */
const documentOf = ({ documents }: EvaluationSet, { score }: SetQuestion): string | undefined =>
  documents.find(({ id, text }) => {
    const pieces = [{ document: id, start: 0, end: text.length }];
    return score({ pieces, refusedAbove: 1 }).recall5 > 0;
  })?.id;

/** A question without names (capitals and digits, but for its first word) and without the words of the one before. */
const whatIsNew = (question: string, before: string): string => {
  const known = new Set(analyze(before));
  const kept = wordsOf(question)
    .filter((text, at) => at === 0 || !/[\p{Lu}\p{N}]/u.test(text))
    .filter((text) => !analyze(text).some((term) => known.has(term)));
  return kept.join(" ");
};

const groupedBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
};

/** Dialogues from a set, of each kind. */
export const dialoguesOf = (set: EvaluationSet): Record<Kind, Dialogue[]> => {
  const titles = new Map(set.documents.map(({ id, title }) => [id, title || id]));
  const answered = set.questions.flatMap((question): Answered[] => {
    const documentId = documentOf(set, question);
    return documentId === undefined ? [] : [{ question, documentId }];
  });
  const result: Record<Kind, Dialogue[]> = { document: [], article: [], third: [], change: [], back: [] };
  const followUp = (first: Answered, { question: next }: Answered): Dialogue | null => {
    const asked = whatIsNew(next.text, first.question.text);
    return analyze(asked).length >= minWords ? { before: [first], next, asked } : null;
  };
  const documents = groupedBy(answered, ({ documentId }) => documentId);
  for (const [first, second] of documents) {
    const dialogue = first && second && followUp(first, second);
    if (dialogue) result.document.push(dialogue);
  }
  const firsts = documents.flatMap(([first]) => first ?? []);
  const changeAt = (list: readonly Answered[], at: number): { next: SetQuestion; asked: string } | null => {
    const other = list[(at + Math.ceil(list.length / 2)) % list.length];
    return other === undefined || other === list[at] ? null : { next: other.question, asked: other.question.text };
  };
  for (const [at, first] of firsts.entries()) {
    const change = changeAt(firsts, at);
    if (change !== null) result.change.push({ before: [first], ...change });
  }
  const articles = groupedBy(firsts, ({ documentId }) => titles.get(documentId) ?? "");
  const begins = articles.flatMap(([first]) => first ?? []);
  for (const [at, [first, second]] of articles.entries()) {
    const dialogue = first && second && followUp(first, second);
    const change = changeAt(begins, at);
    const other = begins[(at + 1) % begins.length];
    if (!dialogue || change === null || other === undefined) continue;
    result.article.push(dialogue);
    result.third.push({ ...dialogue, before: [other, first] });
    result.back.push({ before: [first, second], ...change });
  }
  return result;
};
