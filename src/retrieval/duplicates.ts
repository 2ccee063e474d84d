import type { Ranked } from "./fuse.ts";

/** Part of their words that two snippets must share to be taken for the same. */
const sameShare = 0.95;
/** Lengths further apart than this cannot be that alike. */
const lengthShare = 0.8;

/** Leaves out what says the same as a better candidate, until `wanted` are kept; the rest follows unlooked at. */
export const withoutDuplicates = (ranked: readonly Ranked[], wanted: number): { kept: Ranked[]; dropped: number } => {
  const kept: Ranked[] = [];
  const seen: { words: Set<string>; numbers: string; length: number }[] = [];
  let dropped = 0;
  for (const candidate of ranked) {
    if (kept.length >= wanted) {
      kept.push(candidate);
      continue;
    }
    const { terms } = candidate.hit;
    const words = new Set(terms.split(" "));
    const numbers = numbersOf(words);
    const duplicate = seen.some(
      (other) =>
        other.numbers === numbers &&
        Math.min(other.length, terms.length) >= lengthShare * Math.max(other.length, terms.length) &&
        sharedPart(other.words, words) >= sameShare,
    );
    if (duplicate) dropped++;
    else {
      seen.push({ words, numbers, length: terms.length });
      kept.push(candidate);
    }
  }
  return { kept, dropped };
};

/** What holds a digit: the same sentence of another year, version or amount says something else. */
const numbersOf = (words: ReadonlySet<string>): string =>
  [...words]
    .filter((word) => /\d/.test(word))
    .sort()
    .join(" ");

/** Jaccard's index: the shared words as a part of all words of both. */
const sharedPart = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < sameShare * large.size) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared / (a.size + b.size - shared || 1);
};
