import { dot } from "../../domain/dot.ts";
import type { Candidate } from "../scores/candidates.ts";
import type { RandomSnippets } from "./random-snippets.ts";

/** What the places say that the found snippets come from. */
interface SameDocument {
  /** Whether the documents have several snippets at all, 0 to 1: else nothing is told, and `together` is 0. */
  severalEach: number;
  /** How far the first ones come from one document, beyond what chance gives a document of its size. */
  together: number;
}

/** The first by full text: with twelve instead, no more is told (bench/quality). */
const first = 6;
/** A document of which no random snippet is known is taken to have half of one, of a few more than there are. */
const unseen = { snippets: 0.5, others: 8 };
/** From this part of the found snippets with others of their document on, it is known. */
const enoughShare = 0.5;
/** Makes it of the order of 1. */
const scale = 2;

/** Snippets of one name belong together: parts of a book may be stored as documents. */
const nameOf = ({ documentId, titleTerms }: { documentId: string; titleTerms: string }): string =>
  titleTerms === "" ? documentId : titleTerms;

/**
 * The words of a question that is there occur together in its document, in several of its snippets; those of one that is
 * absent in one snippet here and one there. Measured as what one document adds to the divergence (Kullback–Leibler)
 * between where the first text scores come from and where random snippets come from.
 * @param byText best first by full text
 */
export const sameDocument = (byText: readonly Candidate[], random: RandomSnippets): SameDocument => {
  const counts = countedNames(byText.map(({ hit }) => hit));
  const withOthers = byText.filter(({ hit }) => (counts.get(nameOf(hit)) ?? 0) > 1).length;
  const severalEach = Math.min(1, withOthers / byText.length / enoughShare) || 0;
  const scores = new Map<string, number>();
  let total = 0;
  for (const { hit, text } of byText.slice(0, first)) {
    const name = nameOf(hit);
    scores.set(name, (scores.get(name) ?? 0) + text);
    total += text;
  }
  if (total === 0 || severalEach === 0) return { severalEach, together: 0 };
  const byName = countedNames(random);
  let most = 0;
  for (const [name, score] of scores) {
    const share = score / total;
    const byChance = ((byName.get(name) ?? 0) + unseen.snippets) / (random.length + unseen.others);
    most = Math.max(most, share * Math.log(share / byChance));
  }
  return { severalEach, together: (severalEach * most) / scale };
};

const countedNames = (snippets: readonly { documentId: string; titleTerms: string }[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const snippet of snippets) counts.set(nameOf(snippet), (counts.get(nameOf(snippet)) ?? 0) + 1);
  return counts;
};

/** How the nearest snippet stands out from random ones, and from other documents. */
interface Nearness {
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
}

/** A few random snippets, of a small store often on the question's own topic, say little: so many usual ones are added. */
const usual = { mean: 0.1, count: 8 };
/** The question itself: makes the rise of the order of standard scores. */
const riseScale = 5;
/** The nearest of other documents that the nearest is compared with: a second document may answer too. */
const compared = 5;

/**
 * How near in meaning the nearest candidate is, beside random snippets of the same store: cosines of different models and
 * languages cannot be compared, this can. Null where there is nothing to compare.
 * @param which the vectors that are compared with `question`
 */
export const nearness = (
  candidates: readonly Candidate[],
  question: Float32Array | null,
  random: RandomSnippets,
  which: "vector" | "modelVector",
): Nearness | null => {
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
  const cosines: number[] = [];
  for (const { documentId, [which]: vector } of random)
    if (vector !== null && documentId !== nearest.documentId) cosines.push(dot(question, vector));
  if (cosines.length === 0) return null;
  const sum = cosines.reduce((total, cosine) => total + cosine, 0);
  const mean = (sum + usual.count * Math.min(usual.mean, sum / cosines.length)) / (cosines.length + usual.count);
  const others = near.filter(({ name }) => name !== nearest.name).slice(0, compared);
  const next = others.length === 0 ? mean : others.reduce((total, { cosine }) => total + cosine, 0) / others.length;
  /** A part of the way from the mean of the random ones to the question. */
  const wayOf = (difference: number): number => Math.max(0, (riseScale * difference) / Math.max(0.1, 1 - mean));
  return {
    rise: wayOf(nearest.cosine - mean),
    lead: wayOf(nearest.cosine - next),
  };
};
