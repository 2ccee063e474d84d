import type { RowReader } from "../engine/cells.ts";
import type { SnippetSegment } from "./live-indexes.ts";
import type { FoundSnippet, RecentSnippets } from "./recent-snippets.ts";
import { decodeSnippet, snippetColumns } from "./snippet-rows.ts";

/** The columns that `decodeFound` reads; the query must also return row ids. */
export const foundColumns: readonly string[] = [...snippetColumns, "vector"];

/** A row that a query with `foundColumns` returned. */
export const decodeFound = (recent: RecentSnippets, row: RowReader): FoundSnippet =>
  recent.keep(row.bigint("_rowid"), () => ({ record: decodeSnippet(row), vector: row.vector("vector") }));

/**
 * The rows with these ids, in their order; those that are not cached are read in one go. Null: upkeep has moved the row
 * since its id was found, or a change has removed it.
 */
export const snippetsAt = async (
  { table, recent }: Pick<SnippetSegment, "table" | "recent">,
  rowIds: readonly bigint[],
): Promise<(FoundSnippet | null)[]> => {
  // Held apart from the cache, which may be smaller than what is asked for.
  const found = new Map<bigint, FoundSnippet>();
  const missing: bigint[] = [];
  for (const rowId of new Set(rowIds)) {
    const known = recent.find(rowId);
    if (known === undefined) missing.push(rowId);
    else found.set(rowId, known);
  }
  if (missing.length > 0) {
    // Read in the order of the file, rows that lie together are decoded together: two thirds of the CPU time.
    missing.sort((one, other) => (one < other ? -1 : 1));
    const query = table.lance
      .takeRowIds(missing)
      .select([...foundColumns])
      .withRowId();
    await table.run(query, (row) => found.set(row.bigint("_rowid"), decodeFound(recent, row)));
  }
  return rowIds.map((rowId) => found.get(rowId) ?? null);
};

/** Reads what several searches find. */
export interface SharedRead {
  /** The rows that `search` finds, as `snippetsAt` returns them. */
  read(search: () => Promise<readonly bigint[]>): Promise<(FoundSnippet | null)[]>;
}

/**
 * Reads the rows of all searches that run at the same time in one go, when the last of them has ended: of full text and
 * vectors, 100 rows each, that takes 9 ms of CPU, and 13 one after the other.
 */
export const createSharedRead = (segment: Pick<SnippetSegment, "table" | "recent">): SharedRead => {
  const group = () => ({
    ids: new Set<bigint>(),
    ...Promise.withResolvers<ReadonlyMap<bigint, FoundSnippet | null>>(),
  });
  let searching = 0;
  let next = group();

  const endSearch = (): void => {
    searching -= 1;
    if (searching > 0) return;
    const { ids, resolve } = next;
    next = group();
    const wanted = [...ids];
    resolve(snippetsAt(segment, wanted).then((found) => new Map(wanted.map((id, at) => [id, found[at] ?? null]))));
  };

  return {
    async read(search) {
      searching += 1;
      let read: { rowIds: readonly bigint[]; found: Promise<ReadonlyMap<bigint, FoundSnippet | null>> };
      try {
        const rowIds = await search();
        for (const rowId of rowIds) next.ids.add(rowId);
        read = { rowIds, found: next.promise };
      } finally {
        endSearch();
      }
      const found = await read.found;
      return read.rowIds.map((rowId) => found.get(rowId) ?? null);
    },
  };
};

/** A row that a search found, and in which of the searched segments. */
export interface Place {
  readonly segment: number;
  readonly id: bigint;
}

/**
 * The rows that a search of several segments found, in its order, as `snippetsAt` returns them.
 * @param shared of the segments
 */
export const readPlaces = async (
  shared: readonly SharedRead[],
  places: Promise<readonly Place[]>,
): Promise<(FoundSnippet | null)[]> => {
  const idsIn = async (at: number) => (await places).flatMap(({ segment, id }) => (segment === at ? id : []));
  const read = await Promise.all(shared.map((one, at) => one.read(() => idsIn(at))));
  const inTurn = read.map((found) => found.values());
  return (await places).map(({ segment }) => inTurn[segment]?.next().value ?? null);
};
