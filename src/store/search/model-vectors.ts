import type { Tenant } from "../../domain/records.ts";
import { embeddingInputHash } from "../../text/chunk/chunk.ts";
import type { SearchScope, SnippetHit, SnippetView } from "../contract/search.ts";
import { allOf, isOneOf } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { nearest } from "../engine/vector-index.ts";
import type { Segment } from "../segments/segments.ts";
import { decodeFound, foundColumns } from "./found-snippets.ts";
import type { LiveIndex, LiveVectorSet, SnippetSegment } from "./live-indexes.ts";
import { checkVector, isZero, type StoredVector } from "./snippet-rows.ts";

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

/** A row of a vector set that a search found. */
interface FoundVector {
  readonly revision: string;
  readonly position: number;
  readonly inputHash: string;
  readonly vector: Float32Array | null;
  readonly distance: number;
}

interface ModelVectorsOptions {
  index: LiveIndex;
  set: LiveVectorSet | null;
  /** Runs a search under the condition of a scope; its hits are of revisions that the view sees. */
  search<T extends { revision: string }>(
    tenant: Tenant,
    scope: SearchScope,
    run: (where: string) => Promise<T[]>,
  ): Promise<T[]>;
}

const keyOf = ({ revision, position }: Pick<FoundVector, "revision" | "position">): string => `${position} ${revision}`;

/** Condition on the snippets at these positions of these revisions. */
const isAnyOf = (found: readonly FoundVector[]): string => {
  const byPosition = Map.groupBy(found, ({ position }) => position);
  const places = [...byPosition].map(([position, rows]) => {
    const revisions = isOneOf(
      "revision",
      rows.map(({ revision }) => revision),
    );
    return `(position = ${Math.trunc(position)} AND ${revisions})`;
  });
  // The first condition is answered by an index; the second picks from the snippets of few documents.
  const revisions = isOneOf("revision", [...new Set(found.map(({ revision }) => revision))]);
  return allOf(revisions, places.join(" OR "));
};

/** The searches of a view that use its vector set. */
export const createModelVectors = (
  options: ModelVectorsOptions,
): Pick<SnippetView, "searchModelVectors" | "addModelVectors"> => {
  const { index, set, search } = options;

  /** The snippets of the rows, in their order. Left out: those that are gone, or have another text at that position. */
  const toHits = async (found: readonly FoundVector[]): Promise<SnippetHit[]> => {
    if (found.length === 0) return [];
    const where = isAnyOf(found);
    const snippets = new Map<string, SnippetHit>();
    const readSegment = ({ table, recent }: SnippetSegment) =>
      table.run(
        table.lance
          .query()
          .where(where)
          .select([...foundColumns])
          .withRowId(),
        (row) => {
          const { record, vector } = decodeFound(recent, row);
          snippets.set(keyOf(record), { ...record, textScore: null, vector, modelVector: null });
        },
      );
    await Promise.all(index.segments.all().map(readSegment));
    const hits = new Map<string, SnippetHit>(); // a row that is there twice is one hit
    for (const row of found) {
      const snippet = snippets.get(keyOf(row));
      if (snippet === undefined || embeddingInputHash(snippet) !== row.inputHash) continue;
      hits.set(keyOf(row), { ...snippet, modelVector: row.vector });
    }
    return [...hits.values()];
  };

  return {
    async searchModelVectors(tenant, scope, vector, limit) {
      if (set === null) return [];
      checkVector(vector, set.info.dimensions, "vector set");
      if (limit < 1 || isZero(vector)) return []; // the cosine of a zero vector is undefined
      const searchSegment = ({ table }: Segment<StoredVector>, where: string): Promise<FoundVector[]> =>
        table.run(
          nearest(table.lance, vector, scope.documentId !== null)
            .where(where)
            .select(["revision", "position", "inputHash", "vector", "_distance"])
            .limit(limit),
          (row) => ({
            revision: row.string("revision"),
            position: row.number("position"),
            inputHash: row.string("inputHash"),
            vector: row.vector("vector"),
            distance: row.number("_distance"),
          }),
        );
      const found = await search(tenant, scope, async (where) => {
        const lists = await Promise.all(set.segments.all().map((segment) => searchSegment(segment, where)));
        return lists.flat().sort((one, other) => one.distance - other.distance);
      });
      return toHits(found.slice(0, limit));
    },
    async addModelVectors(hits) {
      const lacking = hits.filter(({ modelVector }) => modelVector === null);
      if (set === null || lacking.length === 0) return [...hits];
      const hashes = new Map(lacking.map((hit) => [hit, embeddingInputHash(hit)]));
      const organizationIds = [...new Set(lacking.map(({ organizationId }) => organizationId))];
      const found = await findVectors(set, organizationIds, [...hashes.values()]);
      return hits.map((hit) => {
        const hash = hashes.get(hit);
        return hash === undefined ? hit : { ...hit, modelVector: found.get(hash) ?? null };
      });
    },
  };
};
