import { dot } from "../../domain/dot.ts";
import type { Candidate } from "../candidates.ts";
import type { Background } from "./background.ts";
import { nameOf } from "./groups.ts";

/** How far cosines stand out from those of random snippets, in standard deviations. */
export interface Standing {
  /** Of the candidate that is best by full text. */
  ofText: number;
  /**
   * How far the nearest is on the way from the mean of the random ones (0) to the question itself (5): models differ in
   * how alike unrelated texts are to them, less in this.
   */
  rise: number;
  /**
   * How far it leads the mean of the next ones of other documents, on the same way. To a model that knows none of the words
   * all texts are alike: then the nearest rises far, as all others do, and leads by nothing.
   */
  lead: number;
  /** How far the random snippets are enough to say that the nearest does not stand out, 0 to 1. */
  sureness: number;
}

/** A few random snippets, of a small store often on the question's own topic, say little: so many usual ones are added. */
const usual = { mean: 0.1, deviation: 0.1, count: 8 };
/** With so many random snippets what they say is sure. */
const enough = 48;
/** Makes the rise of the order of the standard scores. */
const riseScale = 5;
/** The nearest of other documents that the nearest is compared with: a second document may answer too. */
const compared = 5;
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
  const near: { cosine: number; documentId: string; name: string }[] = [];
  for (const { hit } of candidates) {
    const vector = hit[which];
    if (vector === null) continue;
    near.push({ cosine: dot(question, vector), documentId: hit.documentId, name: nameOf(hit) });
  }
  near.sort((a, b) => b.cosine - a.cosine);
  const [nearest] = near;
  if (nearest === undefined) return null;
  // In a small store the answering document is itself among the random ones.
  const random: number[] = [];
  for (const { documentId, [which]: vector } of background)
    if (vector !== null && documentId !== nearest.documentId) random.push(dot(question, vector));
  if (random.length === 0) return null;
  const sum = random.reduce((total, cosine) => total + cosine, 0);
  const mean = (sum + usual.count * Math.min(usual.mean, sum / random.length)) / (random.length + usual.count);
  const squares = random.reduce((total, cosine) => total + (cosine - mean) ** 2, 0);
  const deviation = Math.sqrt((squares + usual.count * usual.deviation ** 2) / (random.length + usual.count));
  const score = (cosine: number): number => Math.min(bounds.most, Math.max(bounds.least, (cosine - mean) / deviation));
  const ofText = bestByText === undefined || bestByText.text === 0 ? null : bestByText.hit[which];
  const others = near.filter(({ name }) => name !== nearest.name).slice(0, compared);
  const next = others.length === 0 ? mean : others.reduce((total, { cosine }) => total + cosine, 0) / others.length;
  /** A part of the way from the mean of the random ones to the question. */
  const wayOf = (difference: number): number => Math.max(0, (riseScale * difference) / Math.max(0.1, 1 - mean));
  return {
    ofText: ofText === null ? 0 : score(dot(question, ofText)),
    sureness: Math.min(1, random.length / enough),
    rise: wayOf(nearest.cosine - mean),
    lead: wayOf(nearest.cosine - next),
  };
};
