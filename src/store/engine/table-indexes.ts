import type { DataType, FixedSizeList } from "apache-arrow";
import type { Logger } from "../../log/log.ts";
import { equals } from "./filters.ts";
import type { Lance, LanceTable } from "./lance.ts";
import type { ColumnIndex } from "./table-definition.ts";
import { rebuildVectorIndex } from "./vector-index.ts";

type Indexes = Readonly<Record<string, ColumnIndex>>;

/** The indexes on the columns of tables. */
interface TableIndexes {
  /** Rebuilds indexes that are missing or broken. A vector index is only dropped: upkeep builds it when it is worth it. */
  ensure(table: LanceTable, indexes: Indexes): Promise<void>;
}

/** Longer terms are not indexed; the analysis makes none. */
const maxTermBytes = 1_024;

/** The length of the vectors in a column; 0 if it holds none. */
export const vectorLength = async (table: LanceTable, column: string): Promise<number> => {
  const type = (await table.schema()).fields.find(({ name }) => name === column)?.type as DataType | undefined;
  return type !== undefined && "listSize" in type ? (type as FixedSizeList).listSize : 0;
};

const configOf = (lance: Lance, kind: ColumnIndex) => {
  if (kind === "btree") return lance.Index.btree();
  if (kind === "bitmap") return lance.Index.bitmap();
  if (kind === "label_list") return lance.Index.labelList();
  // The columns hold analyzed terms: they are only split at spaces.
  return lance.Index.fts({
    baseTokenizer: "whitespace",
    maxTokenLength: maxTermBytes,
    lowercase: false,
    stem: false,
    removeStopWords: false,
    asciiFolding: false,
    withPosition: false,
  });
};

/** Makes the indexes of a table; those that there are are made anew. */
export const makeIndexes = async (
  lance: Lance,
  table: LanceTable,
  indexes: Indexes,
  beforeCommit: () => Promise<void> = async () => undefined,
): Promise<void> => {
  for (const [column, kind] of Object.entries(indexes)) {
    await beforeCommit();
    await table.createIndex(column, { config: configOf(lance, kind), replace: true });
  }
};

/** Rebuilds all indexes of a table, so that none holds values of removed rows. */
export const rebuildIndexes = async (
  lance: Lance,
  table: LanceTable,
  indexes: Indexes,
  beforeCommit: () => Promise<void>,
): Promise<void> => {
  await makeIndexes(lance, table, indexes, beforeCommit);
  await rebuildVectorIndex(lance, table, beforeCommit);
};

/** @returns the rows that the index of each column lacks, by column */
export const countUnindexed = async (table: LanceTable): Promise<Record<string, number>> => {
  const counted = (await table.listIndices()).map(async ({ name, columns }) => {
    const stats = await table.indexStats(name);
    return [columns[0] ?? "", stats?.numUnindexedRows ?? Number.MAX_SAFE_INTEGER] as const;
  });
  return Object.fromEntries(await Promise.all(counted));
};

/** @param suspectTables tables whose indexes may be damaged: they are rebuilt when the table is opened */
export const createTableIndexes = (lance: Lance, log: Logger, suspectTables: ReadonlySet<string>): TableIndexes => {
  /** Queries an index: only then does LanceDB notice files that are missing or cut off. */
  const isUsable = async (table: LanceTable, column: string, kind: ColumnIndex | "vector"): Promise<boolean> => {
    const query = table.query().withRowId().limit(1);
    const probe = async () => {
      if (kind === "fts") return query.fullTextSearch(new lance.MatchQuery("a", column)).select(["_score"]);
      if (kind === "label_list") return query.where(`array_has("${column}", 'a')`).select([]);
      if (kind !== "vector") return query.where(equals(column, "a")).select([]);
      const vector = new Float32Array(await vectorLength(table, column)).fill(1);
      return query.nearestTo(vector).column(column).distanceType("cosine").select(["_distance"]);
    };
    return (await probe()).toArray().then(
      () => true,
      () => false,
    );
  };

  /** Rebuilds indexes that are missing or broken. A vector index is only dropped: upkeep builds it when it is worth it. */
  const ensure = async (table: LanceTable, indexes: Indexes, again = false): Promise<void> => {
    const make = (column: string, kind: ColumnIndex) => table.createIndex(column, { config: configOf(lance, kind) });
    // Listing fails if a full-text index is broken: then the full-text indexes are checked without it.
    const listed = await table.listIndices().catch((error: unknown) => {
      if (again) throw error;
      return null;
    });
    const present = new Map((listed ?? []).flatMap(({ name, columns }) => columns.map((column) => [column, name])));
    const isEmpty = (await table.countRows()) === 0; // then no query uses the indexes
    const fullText = Object.keys(indexes).filter((column) => indexes[column] === "fts");
    const isSuspect = !again && suspectTables.has(table.name);
    const checked = listed === null ? fullText : isEmpty && !isSuspect ? [] : [...present.keys()];
    const broken = new Set<string>();
    await Promise.all(
      checked.map(async (column) => {
        if (isSuspect || !(await isUsable(table, column, indexes[column] ?? "vector"))) broken.add(column);
      }),
    );
    for (const column of broken) {
      const fields = { table: table.name, column };
      if (isSuspect) log.info(fields, "an index may be damaged: it is rebuilt");
      else log.warn(fields, "an index is broken: it is rebuilt");
    }
    for (const [column, kind] of Object.entries(indexes)) {
      if (broken.has(column) || (listed !== null && !present.has(column))) await make(column, kind);
    }
    if (listed === null) return await ensure(table, indexes, true);
    for (const [column, name] of present) if (broken.has(column) && !(column in indexes)) await table.dropIndex(name);
  };

  return { ensure: (table, indexes) => ensure(table, indexes) };
};
