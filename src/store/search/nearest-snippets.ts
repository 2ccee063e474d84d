import { dot } from "../../domain/dot.ts";
import { snippetsAt } from "./found-snippets.ts";
import type { LiveIndex } from "./live-indexes.ts";
import type { FoundSnippet } from "./recent-snippets.ts";
import { nearest, nearestByCodes, refineFactor } from "./vector-index.ts";

/**
 * The snippets nearest to a vector by cosine, best first, at most `limit`; null: see `snippetsAt`. With a vector index,
 * the candidates that its codes find are compared exactly here and not by LanceDB, which reads the vector of each from the
 * disk: that took as long as finding them.
 * @param isExact for a condition that leaves few rows: all of them are compared
 */
export const nearestSnippets = async (
  index: Pick<LiveIndex, "table" | "recent" | "hasVectorIndex">,
  vector: Float32Array,
  { where, limit, isExact }: { where: string; limit: number; isExact: boolean },
): Promise<(FoundSnippet | null)[]> => {
  const { table } = index;
  const byCodes = !isExact && index.hasVectorIndex();
  const query = byCodes ? nearestByCodes(table.lance, vector) : nearest(table.lance, vector, isExact);
  const best = query
    .where(where)
    .select(["_distance"])
    .withRowId()
    .limit(byCodes ? refineFactor * limit : limit);
  const rowIds = await table.run(best, (row) => row.bigint("_rowid"));
  const found = await snippetsAt(index, rowIds);
  if (!byCodes) return found;
  const ranked = found.map((snippet) => ({
    snippet,
    // One that was moved comes first, so that the search is repeated.
    cosine: snippet?.vector ? dot(vector, snippet.vector) : Number.POSITIVE_INFINITY,
  }));
  return ranked
    .sort((one, other) => other.cosine - one.cosine)
    .slice(0, limit)
    .map(({ snippet }) => snippet);
};
