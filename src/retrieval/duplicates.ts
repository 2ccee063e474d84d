import type { Ranked } from "./fuse.ts";

/** Two snippets that share at least this part of their words are duplicates. */
const minSharedWords = 0.95;
/** Snippets whose lengths differ by more than this ratio are not compared. */
const minLengthRatio = 0.8;

/** Leaves out duplicates of better candidates until `wanted` are kept; the rest follows unchecked. */
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
        Math.min(other.length, terms.length) >= minLengthRatio * Math.max(other.length, terms.length) &&
        sharedPart(other.words, words) >= minSharedWords,
    );
    if (duplicate) dropped++;
    else {
      seen.push({ words, numbers, length: terms.length });
      kept.push(candidate);
    }
  }
  return { kept, dropped };
};

/** Words with digits: a sentence with another year, version or amount is not a duplicate. */
const numbersOf = (words: ReadonlySet<string>): string =>
  [...words]
    .filter((word) => /\d/.test(word))
    .sort()
    .join(" ");

/** Jaccard index: shared words divided by all words of both. */
const sharedPart = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < minSharedWords * large.size) return 0;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared / (a.size + b.size - shared || 1);
};
