import { inParallel } from "../async/in-parallel.ts";
import { answerRun } from "./answers.ts";
import type { Collection, Collections, Legs } from "./collection.ts";
import type { RankingRun, SetResult } from "./run-file.ts";
import type { EvaluationSet } from "./sets.ts";

/** Asks every question of the set. @param onDone called with how many are answered */
export const rankingRun = async (
  set: EvaluationSet,
  collection: Collection,
  legs: Legs,
  onDone: (count: number) => void,
): Promise<RankingRun> => {
  let done = 0;
  const scores = await inParallel(set.questions, collection.maxAtOnce, async ({ text, score }) => {
    const found = await collection.search(text, set.snippets, legs);
    onDone(++done);
    return { ...score(found), confidence: found.refusedAbove };
  });
  return {
    ndcg10: scores.map(({ ndcg10 }) => ndcg10),
    recall5: scores.map(({ recall5 }) => recall5),
    recall10: scores.map(({ recall10 }) => recall10),
    recall20: scores.map(({ recall20 }) => recall20),
    confidence: scores.map(({ confidence }) => confidence),
  };
};

/** Questions taken evenly from each other set, to see whether they are refused: between this many and twice as many. */
const foreignFromSet = 100;
/** Snippets asked for with them; only the confidence is used. */
const foreignSnippets = 5;

export interface MeasureOptions {
  /** Also measure answers that a model writes. */
  answersFromModels: boolean;
  /** Progress; `what` is "documents in", "questions" and so on. */
  onProgress(set: string, what: string, done: number, total: number): void;
  /** What was left out, and why. */
  onNote(note: string): void;
}

/** Questions of the other sets, evenly taken. */
const foreignQuestions = (set: EvaluationSet, others: readonly EvaluationSet[]): { id: string; text: string }[] =>
  others
    .filter(({ name }) => name !== set.name)
    .flatMap(({ name, questions }) => {
      const step = Math.max(1, Math.floor(questions.length / foreignFromSet));
      return questions.filter((_, index) => index % step === 0).map(({ id, text }) => ({ id: `${name}/${id}`, text }));
    });

/** Ingests one set, asks its questions and some of those of the others. */
export const measureSet = async (
  collections: Collections,
  set: EvaluationSet,
  others: readonly EvaluationSet[],
  options: MeasureOptions,
): Promise<SetResult> => {
  const progress = (what: string, total: number) => (done: number) => options.onProgress(set.name, what, done, total);
  const { documents, questions } = set;
  const unreadable = documents.filter(({ text }) => text.trim() === "").length;
  if (unreadable > 0) options.onNote(`${set.name}: ${unreadable} documents without any text cannot be found.`);
  const collection = await collections.ingest(
    set.name,
    documents,
    progress("documents in", documents.length - unreadable),
  );
  let textAlone = 0;
  const watched: Collection = {
    ...collection,
    async search(query, limit, legs) {
      const found = await collection.search(query, limit, legs);
      if (found.textAlone === true) textAlone++;
      return found;
    },
  };
  const runs: SetResult["runs"] = {};
  for (const legs of collection.legs)
    runs[legs] = await rankingRun(set, watched, legs, progress("questions", questions.length));
  const foreign = foreignQuestions(set, others);
  const askAll = async (asked: readonly { text: string }[], what: string): Promise<number[]> => {
    let done = 0;
    return await inParallel(asked, collection.maxAtOnce, async ({ text }) => {
      const { refusedAbove } = await watched.search(text, foreignSnippets, "fused");
      progress(what, asked.length)(++done);
      return refusedAbove;
    });
  };
  const confidences = await askAll(foreign, "questions of other sets");
  const absent = await askAll(set.absent, "questions without an answer");
  if (textAlone > 0)
    options.onNote(
      `${set.name}: ${textAlone} questions were answered by full text alone, as the embedding model failed.`,
    );
  const sentences = await answerRun(set, collection, {
    fromModels: options.answersFromModels,
    onDone: progress("answers", questions.filter(({ answers }) => answers.length > 0).length),
  });
  if (sentences === "model")
    options.onNote(`${set.name}: a model writes the answers; they are measured only with --answers.`);
  return {
    name: set.name,
    documents: documents.length,
    questions: questions.map(({ id }) => id),
    runs,
    foreign: confidences,
    foreignQuestions: foreign.map(({ id }) => id),
    ...(absent.length === 0 ? {} : { absent, absentQuestions: set.absent.map(({ id }) => id) }),
    sentences: sentences === "model" ? null : sentences,
  };
};
