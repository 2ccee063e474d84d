import { ownText } from "./own-text.ts";

/** Results by word. Few words of a language make up most of a text; most other words are never seen again. */
export interface WordCache<V> {
  get(word: string): V | undefined;
  set(word: string, value: V): void;
}

/** Longer words are rarely seen again and are not cached. */
const maxWordCharacters = 64;

/**
 * Keeps at least the last `entries` words, and at most twice as many. When the younger half is full, the older one is
 * dropped: frequent words stay, and no word costs more than a second look-up. Words are copied, so that the texts that
 * they come from do not stay in memory; nor must values hold them.
 */
export const createWordCache = <V>(entries: number): WordCache<V> => {
  let younger = new Map<string, V>();
  let older = new Map<string, V>();
  const set = (word: string, value: V): void => {
    if (word.length > maxWordCharacters) return;
    if (younger.size >= entries) {
      older = younger;
      younger = new Map();
    }
    younger.set(ownText(word), value);
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
