import { createYielder } from "../../async/yield.ts";
import { dot } from "../../domain/dot.ts";
import { isZero } from "../vectors/vector-rows.ts";
import { createBest } from "./best.ts";
import type { SharedRead } from "./found-snippets.ts";
import type { LiveIndex } from "./live-indexes.ts";
import type { FoundSnippet } from "./recent-snippets.ts";
import { nearest, nearestByCodes } from "./vector-index.ts";

interface NearestOptions {
  /** Null: all rows. */
  where: string | null;
  limit: number;
  /** For a condition that leaves few rows: all of them are compared. */
  isExact: boolean;
  /** The snippets that meet the condition and no index holds; null if they have to be found in the table. */
  unindexed: readonly FoundSnippet[] | null;
}

/**
 * The snippets nearest to a vector by cosine, best first, at most `limit`; null: see `snippetsAt`. With a vector index,
 * those that its codes find are put in exact order here and not by LanceDB, which reads the vector of each from the disk:
 * that took as long as finding them.
 */
export const nearestSnippets = async (
  index: Pick<LiveIndex, "table" | "hasVectorIndex">,
  shared: SharedRead,
  vector: Float32Array,
  { where, limit, isExact, unindexed }: NearestOptions,
): Promise<(FoundSnippet | null)[]> => {
  const { table } = index;
  const byCodes = !isExact && index.hasVectorIndex();
  const ofIndex = byCodes && unindexed !== null;
  const query = byCodes ? nearestByCodes(table.lance, vector) : nearest(table.lance, vector, isExact);
  const wanted = (ofIndex ? query.fastSearch() : query).select(["_distance"]).withRowId().limit(limit);
  if (where !== null) wanted.where(where);
  const found = await shared.read(() => table.run(wanted, (row) => row.bigint("_rowid")));
  if (!byCodes) return found;
  const late = ofIndex ? without(unindexed, found) : [];
  const yieldTurn = createYielder();
  const best = createBest<{ snippet: FoundSnippet | null; cosine: number }>(limit, ({ cosine }) => cosine);
  for (const snippet of [...found, ...late]) {
    // One that was moved comes first, so that the search is repeated.
    best.add({ snippet, cosine: snippet?.vector ? dot(vector, snippet.vector) : Number.MAX_VALUE });
    await yieldTurn(); // up to 24,000 are late
  }
  return best.list().map(({ snippet }) => snippet);
};

/** Those that have a vector and were not found. */
const without = (snippets: readonly FoundSnippet[], found: readonly (FoundSnippet | null)[]): FoundSnippet[] => {
  const ids = new Set(found.map((snippet) => snippet?.record.id));
  return snippets.filter(({ record, vector }) => vector !== null && !isZero(vector) && !ids.has(record.id));
};
