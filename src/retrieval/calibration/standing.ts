import type { Candidate } from "../candidates.ts";
import { dot } from "../query-vector.ts";
import type { Background } from "./background.ts";

/** How far cosines stand out from those of random snippets, in standard deviations. */
export interface Standing {
  /** Of the nearest candidate. */
  best: number;
  /** Of the candidate that is best by full text. */
  ofText: number;
  /** Lead of the nearest before the tenth. */
  lead: number;
}

/** A few random snippets say little of the deviation: this many of a usual one are added. */
const usual = { deviation: 0.1, count: 8 };
/** The lead is that before the candidate of this rank. */
export const leadRank = 10;
const bounds = { least: -2, most: 10 };

/**
 * Standard scores of the candidates' cosines among those of random snippets of the same store for the same question:
 * cosines of different models and languages cannot be compared, these can. Null where there is nothing to compare.
 * @param which the vectors that are compared with `question`
 */
export const standing = (
  candidates: readonly Candidate[],
  bestByText: Candidate | undefined,
  question: Float32Array | null,
  background: Background,
  which: "vector" | "modelVector",
): Standing | null => {
  if (question === null) return null;
  const found: { cosine: number; documentId: string }[] = [];
  for (const { hit } of candidates) {
    const vector = hit[which];
    if (vector !== null) found.push({ cosine: dot(question, vector), documentId: hit.documentId });
  }
  const [nearest, ...rest] = found.sort((a, b) => b.cosine - a.cosine);
  if (nearest === undefined) return null;
  const behind = rest[leadRank - 2] ?? rest.at(-1) ?? nearest;
  // In a small store the answering document is itself among the random ones.
  const random: number[] = [];
  for (const { documentId, [which]: vector } of background)
    if (vector !== null && documentId !== nearest.documentId) random.push(dot(question, vector));
  if (random.length === 0) return null;
  const mean = random.reduce((sum, cosine) => sum + cosine, 0) / random.length;
  const squares = random.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0);
  const deviation = Math.sqrt((squares + usual.count * usual.deviation ** 2) / (random.length + usual.count));
  const score = (cosine: number): number => Math.min(bounds.most, Math.max(bounds.least, (cosine - mean) / deviation));
  const ofText = bestByText === undefined || bestByText.text === 0 ? null : bestByText.hit[which];
  return {
    best: score(nearest.cosine),
    ofText: ofText === null ? 0 : score(dot(question, ofText)),
    lead: Math.min(bounds.most, (nearest.cosine - behind.cosine) / deviation),
  };
};
