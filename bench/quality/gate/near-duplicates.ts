import { createYielder } from "../../../src/async/yield.ts";
import { analyze } from "../../../src/text/analysis/analyze.ts";

/** Consecutive terms in a shingle, and shingles in a document's sketch (those with the smallest hashes). */
const shingleTerms = 6;
const sketchSize = 64;
/** Documents that share at least this part of the smaller sketch answer the same questions. */
const minSharedPart = 0.2;
/** A shingle in more documents is boilerplate, such as a footer, and is ignored. */
const maxHolders = 30;

/**
 * Groups documents that share much of their text: versions, copies, excerpts (bottom-k sketches of shingles, Broder 1997;
 * documents that are linked over any number of steps are one group). Other work runs in between.
 * @returns the group of each text, numbered from 0
 * @throws the signal's reason
 */
export const groupNearDuplicates = async (
  texts: readonly string[],
  signal: AbortSignal = new AbortController().signal,
): Promise<number[]> => {
  const yieldTurn = createYielder(signal);
  const sketches: number[][] = [];
  for (const text of texts) {
    await yieldTurn();
    sketches.push(sketchOf(text));
  }
  const holders = new Map<number, number[]>();
  for (const [index, sketch] of sketches.entries())
    for (const hash of sketch) holders.set(hash, [...(holders.get(hash) ?? []), index]);
  const parent = texts.map((_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parent[root] !== root) root = parent[root] ?? root;
    return root;
  };
  for (const [index, sketch] of sketches.entries()) {
    const shared = new Map<number, number>();
    for (const hash of sketch) {
      const others = holders.get(hash) ?? [];
      if (others.length > maxHolders) continue;
      for (const other of others) if (other < index) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    for (const [other, count] of shared) {
      const smaller = Math.min(sketch.length, sketches[other]?.length ?? 0);
      if (count >= minSharedPart * smaller) parent[rootOf(index)] = rootOf(other);
    }
  }
  const numbers = new Map<number, number>();
  return texts.map((_, index) => {
    const root = rootOf(index);
    const number = numbers.get(root) ?? numbers.size;
    numbers.set(root, number);
    return number;
  });
};

const sketchOf = (text: string): number[] => {
  const terms = analyze(text);
  const hashes = new Set<number>();
  for (let at = 0; at <= Math.max(0, terms.length - shingleTerms); at++)
    hashes.add(Bun.hash.crc32(terms.slice(at, at + shingleTerms).join(" ")));
  return [...hashes].sort((a, b) => a - b).slice(0, sketchSize);
};
