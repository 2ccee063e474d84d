import type { SnippetHit } from "../store/contract.ts";
import { lengthShare } from "./document-length.ts";
import { namingWeight } from "./fusion-weights.ts";
import { dot } from "./query-vector.ts";
import type { TextScorer } from "./text-score.ts";

/** A snippet found by full text or vectors, with both scores. */
export interface Candidate {
  hit: SnippetHit;
  /** BM25 of all its fields. */
  text: number;
  /** What the words of the question that name its document add to the text score; 0 where documents are short. */
  naming: number;
  /** Part of the question's words that it contains, weighted by rarity, 0 to 1. */
  coverage: number;
  /** Cosine of its vector with the question's; null if one of them is missing. */
  cosine: number | null;
}

/** The snippets of both legs, each once, with both scores for all. */
export const scoreCandidates = (
  legs: readonly (readonly SnippetHit[])[],
  scorer: TextScorer,
  vector: Float32Array | null,
): Candidate[] => {
  const weight = namingWeight * lengthShare(legs);
  const hits = new Map<string, SnippetHit>();
  for (const leg of legs) for (const hit of leg) if (!hits.has(hit.id)) hits.set(hit.id, hit);
  return [...hits.values()].map((hit) => {
    const { score, coverage, naming } = scorer.score(hit);
    const cosine = vector === null || hit.vector === null ? null : dot(vector, hit.vector);
    return { hit, text: score, naming: weight * naming, coverage, cosine };
  });
};

/** Mean length of the candidates' terms, in characters: an estimate for the collection. */
export const averageTermsLength = (legs: readonly (readonly SnippetHit[])[]): number => {
  let sum = 0;
  let count = 0;
  for (const leg of legs) {
    for (const hit of leg) {
      sum += hit.terms.length;
      count++;
    }
  }
  return count === 0 ? 1 : Math.max(1, sum / count);
};
