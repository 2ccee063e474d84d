import { nextTurn } from "../../async/yield.ts";
import { isOneOf } from "../engine/filters.ts";
import type { LiveVectorSet } from "../search/live-vector-sets.ts";
import type { StoredVector } from "../search/vector-rows.ts";

/** A vector of a revision, without what the row carries of its document. */
export type HeldVector = Pick<StoredVector, "position" | "inputHash" | "vector">;

/** Revisions in one query. */
const maxRevisions = 64;

interface Waiting {
  readonly revision: string;
  readonly found: HeldVector[];
  readonly done: PromiseWithResolvers<HeldVector[]>;
}

/**
 * Reads the vectors that a set holds of a revision. Callers that wait while a query runs share the next one: of 50
 * documents that are replaced at once, 50 queries took ten times as long as the rest of the work.
 */
export const createHeldVectors = ({ segments }: LiveVectorSet): ((revision: string) => Promise<HeldVector[]>) => {
  let waiting: Waiting[] = [];
  let isReading = false;

  const read = async (batch: readonly Waiting[]): Promise<void> => {
    const byRevision = Map.groupBy(batch, ({ revision }) => revision);
    try {
      const where = isOneOf("revision", [...byRevision.keys()]);
      await segments.visit(["revision", "position", "inputHash", "vector"], where, (row) => {
        const position = row.number("position");
        const inputHash = row.string("inputHash");
        const vector = row.vector("vector")?.slice() ?? null;
        for (const { found } of byRevision.get(row.string("revision")) ?? [])
          found.push({ position, inputHash, vector });
        return true;
      });
      for (const { found, done } of batch) done.resolve(found);
    } catch (error) {
      for (const { done } of batch) done.reject(error);
    }
  };

  const drain = async (): Promise<void> => {
    isReading = true;
    await nextTurn(); // callers of the same moment share a query
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxRevisions);
      waiting = waiting.slice(maxRevisions);
      await read(batch);
    }
    isReading = false;
  };

  return (revision) => {
    const done = Promise.withResolvers<HeldVector[]>();
    waiting.push({ revision, found: [], done });
    if (!isReading) void drain();
    return done.promise;
  };
};
