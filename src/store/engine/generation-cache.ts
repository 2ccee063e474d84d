import { createHash } from "node:crypto";

/** Caches answers of several owners until the data that they were made from changes. */
export interface GenerationCache {
  /** The cached answer for a key of any length, or a new one. If the data changes meanwhile, the answer is not cached. */
  get<T>(owner: string, key: string, make: () => Promise<T>): Promise<T>;
  /** The data of this owner has changed; without one: the data of all. */
  clear(owner?: string): void;
}

/** @param maxEntries when there are so many, the cache is emptied */
export const createGenerationCache = (maxEntries: number): GenerationCache => {
  let owners = new Map<string, Map<string, Promise<unknown>>>();
  let size = 0;

  const clear = (owner?: string): void => {
    size -= owner === undefined ? size : (owners.get(owner)?.size ?? 0);
    if (owner === undefined) owners = new Map();
    else owners.delete(owner);
  };

  /** The answers of one generation: a change replaces them. */
  const answersOf = (owner: string): Map<string, Promise<unknown>> => {
    const known = owners.get(owner);
    if (known !== undefined) return known;
    const answers = new Map<string, Promise<unknown>>();
    owners.set(owner, answers);
    return answers;
  };

  return {
    get<T>(owner: string, text: string, make: () => Promise<T>): Promise<T> {
      const key = createHash("sha256").update(text).digest("base64");
      const known = owners.get(owner)?.get(key);
      if (known !== undefined) return known as Promise<T>; // the answers for one key have one type
      if (size >= maxEntries) clear();
      const answers = answersOf(owner);
      const made = make();
      answers.set(key, made);
      size += 1;
      made.catch(() => {
        if (answers.delete(key) && owners.get(owner) === answers) size -= 1;
      });
      return made;
    },
    clear,
  };
};
