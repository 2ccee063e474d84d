import { inParallel } from "../async/in-parallel.ts";
import type { Collection, Legs } from "./collection.ts";
import type { RankingRun } from "./run-file.ts";
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
