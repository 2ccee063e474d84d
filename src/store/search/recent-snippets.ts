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
/**
 * Organizations whose rows are cached, those that asked last. Where there is no more room, the one with the most rows loses
 * one: another's hundred questions in a row leave the rows of this one's.
 */
const maxOrganizations = 8;

/** For one open table whose rows are never changed, only added and removed: a row id always means the same row. */
export const createRecentSnippets = (): RecentSnippets => {
  const recent = new Map<bigint, FoundSnippet>();
  /** Row ids by organization. Both are in the order of their last use. */
  const idsOf = new Map<string, Set<bigint>>();

  const use = (rowId: bigint, { record: { organizationId } }: FoundSnippet): void => {
    const ids = idsOf.get(organizationId) ?? new Set();
    idsOf.delete(organizationId);
    idsOf.set(organizationId, ids);
    ids.delete(rowId);
    ids.add(rowId);
  };

  const dropOrganization = (organizationId: string): void => {
    for (const rowId of idsOf.get(organizationId) ?? []) recent.delete(rowId);
    idsOf.delete(organizationId);
  };

  const makeRoom = (): void => {
    const [oldest] = idsOf.keys();
    if (idsOf.size > maxOrganizations && oldest !== undefined) dropOrganization(oldest);
    if (recent.size <= maxSnippets) return;
    const most = [...idsOf.values()].reduce((one, other) => (other.size > one.size ? other : one));
    const [rowId] = most;
    if (rowId === undefined) return;
    most.delete(rowId);
    recent.delete(rowId);
  };

  const find: RecentSnippets["find"] = (rowId) => {
    const known = recent.get(rowId);
    if (known !== undefined) use(rowId, known);
    return known;
  };

  return {
    find,
    keep(rowId, read) {
      const known = find(rowId);
      if (known !== undefined) return known;
      const { record, vector } = read();
      const snippet = { record, vector: vector?.slice() ?? null };
      recent.set(rowId, snippet);
      use(rowId, snippet);
      makeRoom();
      return snippet;
    },
  };
};
