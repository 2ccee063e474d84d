import { createHash } from "node:crypto";

/** Remembers answers until the data they were made from changes. */
export interface GenerationCache {
  /** The remembered answer of a key (of any length: its hash is kept), or a new one; an answer during whose making the data changed is not remembered. */
  get<T>(key: string, make: () => Promise<T>): Promise<T>;
  /** The data changed. */
  clear(): void;
}

/** @param maxEntries past it the cache starts anew */
export const createGenerationCache = (maxEntries: number): GenerationCache => {
  let answers = new Map<string, Promise<unknown>>();
  return {
    get<T>(text: string, make: () => Promise<T>): Promise<T> {
      const key = createHash("sha256").update(text).digest("base64");
      const known = answers.get(key);
      if (known !== undefined) return known as Promise<T>; // a key is always asked for with the same kind of answer
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
