import type { BeirSet } from "../../src/evaluation/beir.ts";
import { ndcg, recall } from "../../src/evaluation/metrics.ts";
import type { Collection, Legs } from "./client.ts";

/** Figures of each question, in the order of the set's questions. */
export interface RankingRun {
  ndcg10: number[];
  recall5: number[];
  recall10: number[];
  recall20: number[];
  confidence: number[];
}

/** Snippets asked for: the most there are, as several may be of one document. */
const limit = 50;

/** Asks every question of the set and compares the documents found, each at its best snippet, with the judgements. */
export const rankingRun = async (set: BeirSet, collection: Collection, legs: Legs): Promise<RankingRun> => {
  const run: RankingRun = { ndcg10: [], recall5: [], recall10: [], recall20: [], confidence: [] };
  for (const query of set.queries) {
    const { pieces, confidence } = await collection.search(query.text, limit, legs);
    const ranking = [...new Set(pieces.map(({ document }) => document))];
    const judged = set.judgements.get(query.id) ?? new Map();
    run.ndcg10.push(ndcg(ranking, judged, 10));
    run.recall5.push(recall(ranking, judged, 5));
    run.recall10.push(recall(ranking, judged, 10));
    run.recall20.push(recall(ranking, judged, 20));
    run.confidence.push(confidence);
  }
  return run;
};
