/** What was worked out for a word. The words of a language come over and over; most others are never seen again. */
export interface WordCache<V> {
  get(word: string): V | undefined;
  set(word: string, value: V): void;
}

/** Longer words are hardly seen again. */
const maxWordLength = 64;

/**
 * Keeps between `entries` and twice as many of the words asked for last. When the younger half is full the older one is
 * dropped whole: no word costs more than a second look-up, and the frequent ones stay.
 */
export const createWordCache = <V>(entries: number): WordCache<V> => {
  let younger = new Map<string, V>();
  let older = new Map<string, V>();
  const set = (word: string, value: V): void => {
    if (word.length > maxWordLength) return;
    if (younger.size >= entries) {
      older = younger;
      younger = new Map();
    }
    younger.set(word, value);
  };
  return {
    get(word) {
      const young = younger.get(word);
      if (young !== undefined) return young;
      const old = older.get(word);
      if (old !== undefined) set(word, old);
      return old;
    },
    set,
  };
};
