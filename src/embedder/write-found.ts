import type { VectorSetInfo } from "../domain/records.ts";
import type { SnippetVector, Store } from "../store/contract.ts";
import type { Prepared } from "./prepare-group.ts";

export interface WriteFoundOptions {
  store: Pick<Store, "vectors">;
  set: VectorSetInfo;
  /** Vectors that are made and not written yet, by hash of their input. */
  made: Map<string, Float32Array>;
}

/**
 * Writes the vectors of a group that are found by now and not written yet. A document counts as complete with the call
 * that finds all of them.
 * @returns whether nothing is left to write
 */
export const createFoundWriter = (
  { work, found }: Pick<Prepared, "work" | "found">,
  { store, set, made }: WriteFoundOptions,
): (() => Promise<boolean>) => {
  let unwritten = work;
  return async () => {
    const additions = unwritten
      .map(({ document, snippets }) => ({
        document,
        vectors: snippets.flatMap(({ position, hash }): SnippetVector[] => {
          const vector = found.get(hash);
          return vector === undefined ? [] : [{ position, inputHash: hash, vector }];
        }),
        isPart: snippets.some(({ hash }) => !found.has(hash)),
      }))
      .filter(({ vectors, isPart }) => !isPart || vectors.length > 0);
    if (additions.length > 0) await store.vectors.add(set.id, additions);
    unwritten = unwritten
      .map(({ document, snippets }) => ({ document, snippets: snippets.filter(({ hash }) => !found.has(hash)) }))
      .filter(({ snippets }) => snippets.length > 0);
    for (const { vectors } of additions) for (const { inputHash } of vectors) made.delete(inputHash);
    return unwritten.length === 0;
  };
};
