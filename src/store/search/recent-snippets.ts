import { LRUCache } from "lru-cache";
import type { SnippetRecord } from "../../domain/records.ts";

/** What is read of a row of the snippets table that a search found. */
export interface FoundSnippet {
  readonly record: SnippetRecord;
  /** Null for a text that the model refused. */
  readonly vector: Float32Array | null;
}

/**
 * Caches the rows that searches found last, by row id: to read and decode the rows of a question's hits takes three times
 * as long as to find them.
 */
export interface RecentSnippets {
  find(rowId: bigint): FoundSnippet | undefined;
  /** The row; `read` is called if it is not cached. A vector that is kept is copied: the memory of the query is freed. */
  keep(rowId: bigint, read: () => FoundSnippet): FoundSnippet;
}

/** About 14 MB. */
const maxSnippets = 2_000;

/** For one open table whose rows are never changed, only added and removed: a row id always means the same row. */
export const createRecentSnippets = (): RecentSnippets => {
  const recent = new LRUCache<bigint, FoundSnippet>({ max: maxSnippets });
  return {
    find: (rowId) => recent.get(rowId),
    keep(rowId, read) {
      const known = recent.get(rowId);
      if (known !== undefined) return known;
      const { record, vector } = read();
      const snippet = { record, vector: vector?.slice() ?? null };
      recent.set(rowId, snippet);
      return snippet;
    },
  };
};
