import type { FoundPiece } from "../../../src/evaluation/collection.ts";
import type { RankingScores } from "../../../src/evaluation/ranking-scores.ts";
import { maxReranked, type Ranked } from "./features.ts";
import type { Sum } from "./max-sim.ts";

/** How the first candidates are put in order. */
export type Order =
  | { by: "fusion" }
  /** Late interaction alone. */
  | { by: "sum"; sum: Sum }
  /** Reciprocal ranks of both orders. */
  | { by: "ranks"; sum: Sum }
  /** Both scores, each over its range; for questions in other languages the weight is less, where `isLimited`. */
  | { by: "weight"; sum: Sum; weight: number; isLimited: boolean };

/** The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const rankConstant = 60;

const scaled = (values: readonly number[]): number[] => {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  return values.map((value) => (range > 0 ? (value - least) / range : 0));
};

const ranksOf = (values: readonly number[]): number[] => {
  const order = [...values.keys()].sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
  const ranks: number[] = [];
  for (const [rank, at] of order.entries()) ranks[at] = rank + 1;
  return ranks;
};

const scoresOf = ({ pieces, scores, languageShare }: Ranked, order: Order): number[] => {
  const first = pieces.slice(0, maxReranked);
  if (order.by === "fusion") return first.map((_, at) => -at);
  const late = scores[order.sum];
  if (order.by === "sum") return late;
  if (order.by === "ranks") {
    const ranks = ranksOf(late);
    return first.map((_, at) => 1 / (rankConstant + at + 1) + 1 / (rankConstant + (ranks[at] ?? 0)));
  }
  const weight = order.isLimited ? order.weight * languageShare : order.weight;
  const fused = scaled(first.map(({ score }) => score));
  return scaled(late).map((score, at) => weight * score + (1 - weight) * (fused[at] ?? 0));
};

/** The candidates in an order; those behind the first thirty, and equal ones, keep their places. */
const reordered = (ranked: Ranked, order: Order): FoundPiece[] => {
  const scores = scoresOf(ranked, order);
  const places = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...places.map((at) => ranked.pieces[at] as FoundPiece), ...ranked.pieces.slice(maxReranked)];
};

/** Figures of each question in an order. @param limit pieces that count */
export const judge = (questions: readonly Ranked[], order: Order, limit: number): RankingScores[] =>
  questions.map((ranked) =>
    ranked.question.score({ pieces: reordered(ranked, order).slice(0, limit), refusedAbove: 1 }),
  );
