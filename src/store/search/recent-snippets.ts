import { LRUCache } from "lru-cache";
import type { SnippetRecord } from "../../domain/records.ts";

/** Records that searches found last, by row id: reading one out of its row takes longer than all else done with it. */
export interface RecentSnippets {
  /** The record of a row; `read` is asked where it was not found lately. */
  get(rowId: bigint, read: () => SnippetRecord): SnippetRecord;
}

/** Some 6 MB. */
const maxSnippets = 1_000;

/** For one table, whose rows are added and removed but never changed: an id stays the same row's as long as it is open. */
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
