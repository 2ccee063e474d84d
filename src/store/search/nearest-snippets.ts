import { createYielder } from "../../async/yield.ts";
import { dot } from "../../domain/dot.ts";
import { nearest, nearestByCodes } from "../engine/vector-index.ts";
import { type Place, readPlaces, type SharedRead } from "./found-snippets.ts";
import type { SnippetSegment } from "./live-indexes.ts";
import type { FoundSnippet } from "./recent-snippets.ts";
import { isZero } from "./snippet-rows.ts";

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

/** Those that have a vector and were not found. */
const without = (snippets: readonly FoundSnippet[], found: readonly (FoundSnippet | null)[]): FoundSnippet[] => {
  const ids = new Set(found.map((snippet) => snippet?.record.id));
  return snippets.filter(({ record, vector }) => vector !== null && !isZero(vector) && !ids.has(record.id));
};
