import type { Candidate } from "../candidates.ts";
import type { Background } from "./background.ts";

/** What the snippets that full text found say together, beside what each says. */
export interface Groups {
  /** Whether documents have several snippets at all, 0 to 1: else nothing is told by where they come from. */
  known: number;
  /** How far the first ones come from one document, beyond what chance gives a document of its size; 0 if not known. */
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
export const nameOf = ({ documentId, titleTerms }: { documentId: string; titleTerms: string }): string =>
  titleTerms === "" ? documentId : titleTerms;

/**
 * The words of a question that is there occur together in its document, in several of its snippets; those of one that is
 * absent in one snippet here and one there. Measured as what one document adds to the divergence (Kullback–Leibler)
 * between where the first text scores come from and where random snippets come from.
 * @param byText best first by full text
 */
export const groupsOf = (byText: readonly Candidate[], background: Background): Groups => {
  const counts = countedNames(byText.map(({ hit }) => hit));
  const withOthers = byText.filter(({ hit }) => (counts.get(nameOf(hit)) ?? 0) > 1).length;
  const known = Math.min(1, withOthers / byText.length / enoughShare) || 0;
  const scores = new Map<string, number>();
  let total = 0;
  for (const { hit, text } of byText.slice(0, first)) {
    const name = nameOf(hit);
    scores.set(name, (scores.get(name) ?? 0) + text);
    total += text;
  }
  if (total === 0 || known === 0) return { known, together: 0 };
  const random = countedNames(background);
  let most = 0;
  for (const [name, score] of scores) {
    const share = score / total;
    const byChance = ((random.get(name) ?? 0) + unseen.snippets) / (background.length + unseen.others);
    most = Math.max(most, share * Math.log(share / byChance));
  }
  return { known, together: (known * most) / scale };
};

const countedNames = (snippets: readonly { documentId: string; titleTerms: string }[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const snippet of snippets) counts.set(nameOf(snippet), (counts.get(nameOf(snippet)) ?? 0) + 1);
  return counts;
};
