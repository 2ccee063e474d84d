import type { Found } from "./collection.ts";

/** Relevance of documents (or snippets) to one question, by id; what is not in it is not relevant. */
export type Judgments = ReadonlyMap<string, number>;

/**
 * Normalized discounted cumulative gain of the first `k` (Järvelin and Kekäläinen 2002), with the judged relevance
 * itself as gain, as trec_eval's `ndcg_cut` has it. 0 where nothing is relevant.
 */
export const ndcg = (ranking: readonly string[], judged: Judgments, k: number): number => {
  const gain = (relevances: readonly number[]): number =>
    relevances.slice(0, k).reduce((sum, relevance, rank) => sum + relevance / Math.log2(rank + 2), 0);
  const ideal = gain([...judged.values()].filter((relevance) => relevance > 0).sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ranking.map((id) => Math.max(0, judged.get(id) ?? 0))) / ideal;
};

/** Part of the relevant that is among the first `k`. 0 where nothing is relevant. */
export const recall = (ranking: readonly string[], judged: Judgments, k: number): number => {
  const relevant = [...judged].filter(([, relevance]) => relevance > 0);
  if (relevant.length === 0) return 0;
  const first = new Set(ranking.slice(0, k));
  return relevant.filter(([id]) => first.has(id)).length / relevant.length;
};

/** Figures of one question, 0 to 1. */
export interface RankingScores {
  ndcg10: number;
  recall5: number;
  recall10: number;
  recall20: number;
}

/** Compares the documents found, each at its best snippet, with the judgments. */
export const documentScores = (judged: Judgments, { pieces }: Found): RankingScores => {
  const ranking = [...new Set(pieces.map(({ document }) => document))];
  return {
    ndcg10: ndcg(ranking, judged, 10),
    recall5: recall(ranking, judged, 5),
    recall10: recall(ranking, judged, 10),
    recall20: recall(ranking, judged, 20),
  };
};
