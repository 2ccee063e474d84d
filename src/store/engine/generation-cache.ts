import { createHash } from "node:crypto";

/** Caches answers until the data that they were made from changes. */
export interface GenerationCache {
  /** The cached answer for a key of any length, or a new one. If the data changes meanwhile, the answer is not cached. */
  get<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** The data has changed. */
  clear(): void;
}

/** @param maxEntries when there are so many, the cache is emptied */
export const createGenerationCache = (maxEntries: number): GenerationCache => {
  let answers = new Map<string, Promise<unknown>>();
  return {
    get<T>(text: string, make: () => Promise<T>): Promise<T> {
      const key = createHash("sha256").update(text).digest("base64");
      const known = answers.get(key);
      if (known !== undefined) return known as Promise<T>; // the answers for one key have one type
      if (answers.size >= maxEntries) answers = new Map();
      const generation = answers;
      const made = make();
      generation.set(key, made);
      made.catch(() => generation.delete(key));
      return made;
    },
    clear() {
      answers = new Map();
    },
  };
};
