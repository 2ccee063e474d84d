import { LRUCache } from "lru-cache";
import type { SnippetRecord } from "../../domain/records.ts";

/** Caches the records that searches found last, by row id: decoding a record takes longer than all other work with it. */
export interface RecentSnippets {
  /** The record of a row; `read` is called if it is not cached. */
  get(rowId: bigint, read: () => SnippetRecord): SnippetRecord;
}

/** About 6 MB. */
const maxSnippets = 1_000;

/** For one open table whose rows are never changed, only added and removed: a row id always means the same row. */
export const createRecentSnippets = (): RecentSnippets => {
  const recent = new LRUCache<bigint, SnippetRecord>({ max: maxSnippets });
  return {
    get(rowId, read) {
      const known = recent.get(rowId);
      if (known !== undefined) return known;
      const record = read();
      recent.set(rowId, record);
      return record;
    },
  };
};
