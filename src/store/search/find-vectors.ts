import { allOf, isOneOf } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { LiveVectorSet } from "./live-vector-sets.ts";
import type { StoredVector } from "./vector-rows.ts";

/** Hashes in one query. */
const maxHashes = 500;
/** Rows read beyond one for each hash: a text that stands in every document has as many rows. */
const maxSpareRows = 200;

/**
 * The vectors that a set holds for some input hashes, in documents of some organizations. Equal inputs have equal vectors:
 * any row of a hash will do. The vectors are views of the memory that a query returned.
 * @returns null for a text that the model refused
 */
export const findVectors = (
  { segments }: LiveVectorSet,
  organizationIds: readonly string[],
  inputHashes: readonly string[],
): Promise<Map<string, Float32Array | null>> =>
  segments.read((tables) => findIn(tables.toReversed(), organizationIds, inputHashes));

const findIn = async (
  tables: readonly StoreTable<StoredVector>[],
  organizationIds: readonly string[],
  inputHashes: readonly string[],
): Promise<Map<string, Float32Array | null>> => {
  const found = new Map<string, Float32Array | null>();
  const distinct = [...new Set(inputHashes)];
  for (let start = 0; start < distinct.length; start += maxHashes) {
    for (const table of tables) {
      for (;;) {
        const wanted = distinct.slice(start, start + maxHashes).filter((hash) => !found.has(hash));
        if (wanted.length === 0) break;
        const where = allOf(isOneOf("organizationId", organizationIds), isOneOf("inputHash", wanted));
        const limit = wanted.length + maxSpareRows;
        const rows = await table.scan(["inputHash", "vector"], { where, limit }, (row) => {
          const hash = row.string("inputHash");
          if (!found.has(hash)) found.set(hash, row.vector("vector"));
        });
        // With fewer rows than the limit, all were read. Else each round finds at least one hash more.
        if (rows.length < limit) break;
      }
    }
  }
  return found;
};
