import { createYielder } from "../async/yield.ts";
import { foldForExact, holdsExactly } from "../text/analysis/exact-passages.ts";
import { countTerm } from "../text/bm25.ts";
import { normalForm } from "../text/clean-text.ts";
import { codeForms } from "./scores/document-names.ts";
import type { Ranked } from "./scores/fuse.ts";
import { sameDocumentCost } from "./scores/fusion-weights.ts";

/** Words, and signs that change what they say: `-5`, `5 %`, `a < b`. Other punctuation does not. */
const saying = /[\p{L}\p{M}\p{N}]+|[\p{S}\p{Pd}%]/gu;

/**
 * Leaves out duplicates of better candidates until `wanted` are kept; the rest follows unchecked. A duplicate has the same
 * words in the same order: one word more or less can be a "not", in any language, and another order can turn a clause
 * around. Of the pairs that a comparison of word sets left out, 98 % were the same to the letter. Other work has its turn
 * meanwhile: of one text again and again, all candidates are compared.
 */
export const withoutDuplicates = async (
  ranked: readonly Ranked[],
  wanted: number,
): Promise<{ kept: Ranked[]; dropped: number }> => {
  const yieldTurn = createYielder();
  const kept: Ranked[] = [];
  /** Those that hardly differ from others that are kept: they make room for what is said otherwise. */
  const alike: Ranked[] = [];
  const seen = new Set<string>();
  const words: ReadonlySet<string>[] = [];
  let dropped = 0;
  for (const candidate of ranked) {
    if (kept.length >= wanted) {
      kept.push(candidate);
      continue;
    }
    const said = wordsInOrder(candidate.hit);
    if (seen.has(said)) dropped++;
    else {
      seen.add(said);
      const own = new Set(said.split(" "));
      const near = words.filter((other) => areNearlySame(own, other)).length;
      if (near >= maxNearlySame) alike.push(candidate);
      else {
        kept.push(candidate);
        words.push(own);
      }
    }
    await yieldTurn();
  }
  return { kept: [...kept.slice(0, wanted), ...alike, ...kept.slice(wanted)], dropped };
};

/** Snippets that share this part of their words differ in a name or a number, as the copies of a form do. */
const minShared = 0.8;
/** Of such snippets so many come before others. */
const maxNearlySame = 2;

const areNearlySame = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean => {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (small.size < minShared * large.size) return false;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared >= minShared * large.size;
};

const wordsInOrder = ({ context, text }: Ranked["hit"]): string =>
  (normalForm(`${context}\n${text}`, "NFKC").toLowerCase().match(saying) ?? []).join(" ");

const isCode = (passage: string): boolean => !passage.includes(" ");

/**
 * Ranks snippets by how many of the question's quoted passages and codes they contain word for word. A code in the name
 * of a document, such as a model's, is held by all its snippets, with signs or without.
 */
export const exactFirst = (
  ranked: readonly Ranked[],
  passages: readonly string[],
): { ranked: Ranked[]; missing: string[] } => {
  if (passages.length === 0) return { ranked: [...ranked], missing: [] };
  const folded = passages.map(foldForExact);
  const held = folded.map(() => false);
  const counted = ranked.map((candidate) => {
    const { hit } = candidate;
    const text = foldForExact(`${hit.headings.join("\n")}\n${hit.context}\n${hit.text}`);
    const title = hit.titleTerms;
    let count = 0;
    for (const [index, passage] of folded.entries()) {
      const isNamed = isCode(passage) && [passage, ...codeForms(passage)].some((form) => countTerm(title, form) > 0);
      if (!isNamed && !holdsExactly(text, passage)) continue;
      held[index] = true;
      count++;
    }
    return { candidate, count };
  });
  counted.sort((a, b) => b.count - a.count); // stable: ties keep their order
  const most = passages.length;
  return {
    // Scores follow the order: more passages always give a higher score.
    ranked: counted.map(({ candidate, count }) => ({ ...candidate, score: (candidate.score + count) / (1 + most) })),
    missing: passages.filter((_, index) => !held[index]),
  };
};

/**
 * Chooses the first `wanted` snippets so that near ties come from different documents; the rest keeps its order. Where
 * one document answers clearly best, its snippets stay together; a broad question gets several documents.
 */
export const spreadOverDocuments = (ranked: readonly Ranked[], wanted: number): Ranked[] => {
  const left = [...ranked];
  const taken: Ranked[] = [];
  const fromDocument = new Map<string, number>();
  while (taken.length < wanted && left.length > 0) {
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const [index, { hit, score }] of left.entries()) {
      // Sorted by score, so no later candidate can beat the best one.
      if (score <= bestScore) break;
      const adjusted = score - sameDocumentCost * (fromDocument.get(hit.documentId) ?? 0);
      if (adjusted > bestScore) {
        best = index;
        bestScore = adjusted;
      }
    }
    const [next] = left.splice(best, 1);
    if (next === undefined) break;
    taken.push(next);
    fromDocument.set(next.hit.documentId, (fromDocument.get(next.hit.documentId) ?? 0) + 1);
  }
  return [...taken, ...left];
};
