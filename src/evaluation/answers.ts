import { passagesOf } from "../answers/quote/passages.ts";
import { inParallel } from "../async/in-parallel.ts";
import { analyze, analyzeQuery, formsByWord } from "../text/analysis/analyze.ts";
import { inverseDocumentFrequency } from "../text/bm25.ts";
import type { Collection } from "./collection.ts";
import type { AnswerRun } from "./run-file.ts";
import type { EvaluationSet } from "./sets.ts";

/**
 * The baseline for the built-in answerer in the same run: quotes the sentences of the snippets by the rarity of the
 * question's words in them, and by nothing else.
 * @param snippets texts, best first
 * @returns at most `limit` sentences, best first; of ties the earlier first
 */
export const quoteByOverlap = (question: string, snippets: readonly string[], limit: number): string[] => {
  const passages = snippets
    .flatMap(passagesOf)
    .filter(({ kind }) => kind !== "heading")
    .map(({ text }) => ({ text, terms: new Set(analyze(text)) }));
  const scores = passages.map(() => 0);
  for (const forms of formsByWord(analyzeQuery(question).terms)) {
    const holding = passages.map(({ terms }) => forms.some((form) => terms.has(form)));
    const idf = inverseDocumentFrequency(passages.length, holding.filter(Boolean).length);
    for (const [index, holds] of holding.entries()) if (holds) scores[index] = (scores[index] ?? 0) + idf;
  }
  return passages
    .map(({ text }, index) => ({ text, score: scores[index] ?? 0, index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, limit)
    .map(({ text }) => text);
};

interface AnswerOptions {
  /** Also measure answers that a model writes. If false, one question is asked, and no more if a model answers it. */
  fromModels: boolean;
  onDone(count: number): void;
}

/**
 * Asks the questions whose answers are known, and checks whether Carrel's answers contain them.
 * @returns null if no answers are known; `model` if a model writes the answers and `fromModels` is false
 */
export const answerRun = async (
  set: EvaluationSet,
  collection: Collection,
  { fromModels, onDone }: AnswerOptions,
): Promise<AnswerRun | "model" | null> => {
  const asked = set.questions.filter(({ answers }) => answers.length > 0);
  const [first] = asked;
  if (first === undefined) return null;
  if (!fromModels && (await collection.answer(first.text)).byModel) return "model";
  let done = 0;
  const answered = await inParallel(asked, collection.maxAtOnce, async ({ text, answers }) => {
    const { quotations, snippets, byModel } = await collection.answer(text);
    const contains = (given: readonly string[]): number => (given.some((each) => containsAny(each, answers)) ? 1 : 0);
    const overlap = byModel ? [] : quoteByOverlap(text, snippets, 3);
    onDone(++done);
    return {
      byModel,
      whole: contains(quotations),
      first: contains(quotations.slice(0, 1)),
      amongThree: contains(quotations.slice(0, 3)),
      overlapFirst: contains(overlap.slice(0, 1)),
      overlapAmongThree: contains(overlap),
    };
  });
  const byModel = answered.some((each) => each.byModel);
  const quoted = byModel ? [] : answered;
  return {
    questions: asked.map(({ id }) => id),
    byModel,
    whole: answered.map(({ whole }) => whole),
    first: quoted.map((each) => each.first),
    amongThree: quoted.map(({ amongThree }) => amongThree),
    overlapFirst: quoted.map(({ overlapFirst }) => overlapFirst),
    overlapAmongThree: quoted.map(({ overlapAmongThree }) => overlapAmongThree),
  };
};

/** Whether the text contains one of these, ignoring case, width and white space. */
export const containsAny = (text: string, wanted: readonly string[]): boolean => {
  const folded = plain(text);
  return wanted.some((each) => folded.includes(plain(each)));
};

const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
