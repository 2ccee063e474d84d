import type { Candidate } from "./candidates.ts";

/** A candidate with its place in the order. */
export interface Ranked extends Candidate {
  /** 0 to 1; larger is better. */
  score: number;
}

/**
 * What the model's weight is multiplied by: this, less the part of the question's words that the best by full text
 * holds. Measured: the more of a question full text finds, the less vectors add, until they harm.
 */
const mostVectorShare = 1.35;
/**
 * Powers of the two scores: a lead in one of them counts for more than a middling place in both. BM25 flattens at its
 * top, cosines crowd in the middle of their range.
 */
const textPower = 1.5;
const vectorPower = 2;

/**
 * Fused score, best first: the text score as a part of the largest, the cosine between the smallest and largest of
 * the candidates, mixed by the model's weight for this question, as far as full text leaves something to be found.
 * Candidates without a cosine have the smallest. (Measured: rank fusion loses 7 to 11 points of nDCG on some
 * collections.)
 * @param vectorWeight 0 to 1; at 1 vectors alone decide
 */
export const fuse = (candidates: readonly Candidate[], vectorWeight: number): Ranked[] => {
  let largestText = 0;
  let coverage = 0;
  let smallest = Number.POSITIVE_INFINITY;
  let largest = Number.NEGATIVE_INFINITY;
  for (const candidate of candidates) {
    const { text, cosine } = candidate;
    if (text > largestText) {
      largestText = text;
      coverage = candidate.coverage;
    }
    if (cosine === null) continue;
    if (cosine < smallest) smallest = cosine;
    if (cosine > largest) largest = cosine;
  }
  const range = largest - smallest;
  const share = vectorWeight >= 1 ? 1 : Math.min(1, vectorWeight * (mostVectorShare - coverage));
  const ranked = candidates.map((candidate) => {
    const text = largestText === 0 ? 0 : candidate.text / largestText;
    const vector = candidate.cosine === null || !(range > 0) ? 0 : (candidate.cosine - smallest) / range;
    const score = ((1 - share) * text ** textPower + share * vector ** vectorPower) ** (1 / textPower);
    return { ...candidate, score };
  });
  return ranked.sort(byScore);
};

/** Best first; equals in a fixed order. */
export const byScore = (a: Ranked, b: Ranked): number =>
  b.score - a.score || (a.hit.id < b.hit.id ? -1 : a.hit.id > b.hit.id ? 1 : 0);
