/** Numbers that a seed determines, so that a run can be repeated as far as the machine's own pace allows. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** A made-up word that no other text holds: consonants alone, so that no stemmer shortens it. */
  word(): string;
  /** Another sequence of its own. */
  fork(): Random;
}

const consonants = "bcdfghjklmnpqrtvwxz";
const wordLength = 12;

/** Marsaglia's xorshift32. */
export const createRandom = (seed: number): Random => {
  let state = Math.imul(seed | 0, 2_654_435_761) | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  for (let skipped = 0; skipped < 8; skipped += 1) next(); // seeds that are near begin alike
  return {
    next,
    below,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    word: () => Array.from({ length: wordLength }, () => consonants[below(consonants.length)]).join(""),
    fork: () => createRandom(Math.floor(next() * 2 ** 31)),
  };
};
