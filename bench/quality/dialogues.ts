import type { EvaluationSet, SetQuestion } from "../../src/evaluation/sets.ts";
import { analyze } from "../../src/text/analysis/analyze.ts";
import { endOfSentence } from "../../src/text/sentences.ts";

/** A question, its answer, and a question after it. */
export interface Dialogue {
  first: string;
  answer: string;
  next: SetQuestion;
  /** What is asked: `next`, or what is left of it after the words that the first question has. */
  asked: string;
}

/** Longest answer, in characters: some hundred words, as models write. */
const maxAnswerLength = 700;
/** Words that are left of a follow-up, at least. */
const minWords = 2;
const word = /[\p{L}\p{N}\p{M}_'’-]+/gu;

/** Ids of the documents that answer a question. */
const documentsOf = ({ documents }: EvaluationSet, { score }: SetQuestion): string[] =>
  documents
    .filter(({ id, text }) => {
      const pieces = [{ document: id, start: 0, end: text.length }];
      return score({ pieces, refusedAbove: 1 }).recall5 > 0;
    })
    .map(({ id }) => id);

const sentencesOf = (text: string): string[] => {
  const sentences: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = Math.max(from + 1, endOfSentence(text, from, text.length));
    sentences.push(text.slice(from, end));
    from = end;
  }
  return sentences;
};

/** The sentence that has most of the question's words and, for a long answer, those after it. */
const answerTo = (question: string, text: string, isLong: boolean): string => {
  const wanted = new Set(analyze(question));
  const sentences = sentencesOf(text);
  const overlaps = sentences.map((sentence) => new Set(analyze(sentence).filter((term) => wanted.has(term))).size);
  const best = overlaps.indexOf(Math.max(...overlaps));
  if (!isLong) return sentences[best] ?? text.slice(0, maxAnswerLength);
  return sentences.slice(best).join(" ").slice(0, maxAnswerLength);
};

/** A question without names (capitals and digits, but for its first word) and without the words of the one before. */
const whatIsNew = (question: string, before: string): string => {
  const known = new Set(analyze(before));
  const kept = [...question.matchAll(word)]
    .map(([text]) => text)
    .filter((text, at) => at === 0 || !/[\p{Lu}\p{N}]/u.test(text))
    .filter((text) => !analyze(text).some((term) => known.has(term)));
  return kept.join(" ");
};

/**
 * Dialogues from a set: follow-ups about the same document, and changes to another one.
 * @param isLong whether the answers are some hundred words instead of one sentence
 */
export const dialoguesOf = (set: EvaluationSet, isLong: boolean): { followUps: Dialogue[]; changes: Dialogue[] } => {
  const questionsOf = new Map<string, SetQuestion[]>();
  for (const question of set.questions)
    for (const id of documentsOf(set, question).slice(0, 1))
      questionsOf.set(id, [...(questionsOf.get(id) ?? []), question]);
  const texts = new Map(set.documents.map(({ id, text }) => [id, text]));
  const groups = [...questionsOf];
  const followUps: Dialogue[] = [];
  const changes: Dialogue[] = [];
  for (const [at, [id, [first, second]]] of groups.entries()) {
    if (first === undefined) continue;
    const answer = answerTo(first.text, texts.get(id) ?? "", isLong);
    const other = groups[(at + Math.ceil(groups.length / 2)) % groups.length]?.[1][0];
    if (other !== undefined && other !== first)
      changes.push({ first: first.text, answer, next: other, asked: other.text });
    if (second === undefined) continue;
    const asked = whatIsNew(second.text, first.text);
    if (analyze(asked).length >= minWords) followUps.push({ first: first.text, answer, next: second, asked });
  }
  return { followUps, changes };
};
