import { createYielder } from "../../async/yield.ts";
import { dot } from "../../domain/dot.ts";
import type { RowReader } from "../engine/cells.ts";
import { nearest, nearestByCodes } from "../engine/vector-index.ts";
import type { SnippetSegment } from "./live-indexes.ts";
import type { FoundSnippet, RecentSnippets } from "./recent-snippets.ts";
import { decodeSnippet, isZero, snippetColumns } from "./snippet-rows.ts";

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
interface Place {
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

/** The best of many, as they come. */
interface Best<T> {
  add(one: T): void;
  /** Best first; of equals, the one that came first. */
  list(): T[];
}

/** So many more than are wanted are sorted at once: to sort all of 24,000 in the end would hold up the event loop. */
const roomFor = 4;

/** Keeps those with the highest score. @param limit how many at most */
export const createBest = <T>(limit: number, scoreOf: (one: T) => number): Best<T> => {
  let kept: T[] = [];
  const sort = (): void => {
    kept = kept.sort((one, other) => scoreOf(other) - scoreOf(one)).slice(0, limit);
  };
  return {
    add(one) {
      kept.push(one);
      if (kept.length >= roomFor * Math.max(1, limit)) sort();
    },
    list() {
      sort();
      return [...kept];
    },
  };
};

interface NearestOptions {
  /** Null: all rows. */
  where: string | null;
  limit: number;
  /** For a condition that leaves few rows: all of them are compared. */
  isExact: boolean;
}

/** A segment that is searched. */
interface SearchedSegment {
  readonly segment: Pick<SnippetSegment, "table" | "hasVectorIndex">;
  readonly shared: SharedRead;
  /** The snippets that meet the condition and no index holds; null if they have to be found in the table. */
  readonly unindexed: readonly FoundSnippet[] | null;
}

interface Near extends Place {
  readonly distance: number;
}

/**
 * The snippets nearest to a vector by cosine, best first, at most `limit`; null: see `snippetsAt`. With a vector index,
 * those that its codes find are put in exact order here and not by LanceDB, which reads the vector of each from the disk:
 * that took as long as finding them. Of several segments, only the best of all are read.
 */
export const nearestSnippets = async (
  searched: readonly SearchedSegment[],
  vector: Float32Array,
  { where, limit, isExact }: NearestOptions,
): Promise<(FoundSnippet | null)[]> => {
  const byCodes = searched.map(({ segment }) => !isExact && segment.hasVectorIndex());
  const find = ({ segment: { table }, unindexed }: SearchedSegment, segment: number): Promise<Near[]> => {
    const query = byCodes[segment] ? nearestByCodes(table.lance, vector) : nearest(table.lance, vector, isExact);
    const isLate = byCodes[segment] && unindexed !== null;
    const wanted = (isLate ? query.fastSearch() : query).select(["_distance"]).withRowId().limit(limit);
    if (where !== null) wanted.where(where);
    return table.run(wanted, (row) => ({ segment, id: row.bigint("_rowid"), distance: row.number("_distance") }));
  };
  const best = Promise.all(searched.map(find)).then((lists) => {
    const [only = []] = lists;
    return lists.length === 1
      ? only
      : lists
          .flat()
          .sort((one, other) => one.distance - other.distance)
          .slice(0, limit);
  });
  const found = await readPlaces(
    searched.map(({ shared }) => shared),
    best,
  );
  if (!byCodes.includes(true)) return found;
  const late = searched.flatMap(({ unindexed }, segment) => (byCodes[segment] ? (unindexed ?? []) : []));
  const yieldTurn = createYielder();
  const nearestFirst = createBest<{ snippet: FoundSnippet | null; cosine: number }>(limit, ({ cosine }) => cosine);
  for (const snippet of [...found, ...without(late, found)]) {
    // One that was moved comes first, so that the search is repeated.
    nearestFirst.add({ snippet, cosine: snippet?.vector ? dot(vector, snippet.vector) : Number.MAX_VALUE });
    await yieldTurn(); // up to 24,000 are late
  }
  return nearestFirst.list().map(({ snippet }) => snippet);
};

/** Those of some snippets that are nearest to a vector by cosine, best first. */
export const nearestOf = <T extends FoundSnippet>(snippets: readonly T[], vector: Float32Array, limit: number): T[] => {
  const best = createBest<{ snippet: T; cosine: number }>(limit, ({ cosine }) => cosine);
  for (const snippet of snippets)
    if (snippet.vector !== null && !isZero(snippet.vector)) best.add({ snippet, cosine: dot(vector, snippet.vector) });
  return best.list().map(({ snippet }) => snippet);
};

/** Those that have a vector and were not found. */
const without = (snippets: readonly FoundSnippet[], found: readonly (FoundSnippet | null)[]): FoundSnippet[] => {
  const ids = new Set(found.map((snippet) => snippet?.record.id));
  return snippets.filter(({ record, vector }) => vector !== null && !isZero(vector) && !ids.has(record.id));
};
