import type { Found } from "./collection.ts";
import { type Judgments, ndcg, recall } from "./metrics.ts";

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
