import type { DataType, FixedSizeList } from "apache-arrow";
import type { Logger } from "../../log.ts";
import { remakeVectorIndex } from "../search/vector-index.ts";
import { equals } from "./filters.ts";
import type { Connection, Lance, LanceTable } from "./lance.ts";
import { createStoreTable, type StoreTable } from "./store-table.ts";
import type { TableHooks } from "./table-commits.ts";
import type { ColumnIndex, TableDefinition } from "./table-definition.ts";

/** Opens tables and makes the ones that are missing, with their indexes. */
export interface TableOpener {
  open<T>(definition: TableDefinition<T>, hooks: TableHooks): Promise<StoreTable<T>>;
  /** A second handle on an open table: it sees only what is written through it, as the first sees only its own writes. */
  openBeside(name: string): Promise<LanceTable>;
  /** Makes all indexes of a table anew, so that none holds anything of rows that are gone. */
  remakeIndexes<T>(definition: TableDefinition<T>, table: LanceTable, beforeCommit: () => Promise<void>): Promise<void>;
  names(): Promise<string[]>;
  drop(name: string): Promise<void>;
  /** Rows of a table that is not open, and the length of the vectors in one of its columns (0: it has none). */
  measure(name: string, vectorColumn: string): Promise<{ rows: number; dimensions: number }>;
}

/** Terms longer than this are not indexed; the analysis makes none. */
const maxTermBytes = 1_024;

/** @param tornIndexes tables whose indexes are not to be trusted: they are made again when the table is opened */
export const createTableOpener = async (
  lance: Lance,
  connection: Connection,
  log: Logger,
  tornIndexes: ReadonlySet<string> = new Set(),
): Promise<TableOpener> => {
  const known = new Set(await connection.tableNames());

  const configOf = (kind: ColumnIndex) => {
    if (kind === "btree") return lance.Index.btree();
    if (kind === "bitmap") return lance.Index.bitmap();
    if (kind === "label_list") return lance.Index.labelList();
    // The columns hold analyzed terms: nothing is to be done to them but to part them at the spaces.
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

  const vectorLength = async (table: LanceTable, column: string): Promise<number> => {
    const type = (await table.schema()).fields.find(({ name }) => name === column)?.type as DataType | undefined;
    return type !== undefined && "listSize" in type ? (type as FixedSizeList).listSize : 0;
  };

  /** Asks an index something: where files of it are missing or cut off, LanceDB says so only then. */
  const answers = async (table: LanceTable, column: string, kind: ColumnIndex | "vector"): Promise<boolean> => {
    const query = table.query().withRowId().limit(1);
    const ask = async () => {
      if (kind === "fts") return query.fullTextSearch(new lance.MatchQuery("a", column)).select(["_score"]);
      if (kind === "label_list") return query.where(`array_has("${column}", 'a')`).select([]);
      if (kind !== "vector") return query.where(equals(column, "a")).select([]);
      const vector = new Float32Array(await vectorLength(table, column)).fill(1);
      return query.nearestTo(vector).column(column).distanceType("cosine").select(["_distance"]);
    };
    return (await ask()).toArray().then(
      () => true,
      () => false,
    );
  };

  /** Makes indexes that are missing or broken. One of vectors is only dropped: upkeep makes it when it is worth it. */
  const ensureIndexes = async (
    table: LanceTable,
    indexes: Readonly<Record<string, ColumnIndex>>,
    again = false,
  ): Promise<void> => {
    const make = (column: string, kind: ColumnIndex) => table.createIndex(column, { config: configOf(kind) });
    // The list itself cannot be had where one of full text is broken: then those are asked as if they were there.
    const listed = await table.listIndices().catch((error: unknown) => {
      if (again) throw error;
      return null;
    });
    const present = new Map((listed ?? []).flatMap(({ name, columns }) => columns.map((column) => [column, name])));
    const isEmpty = (await table.countRows()) === 0; // then nothing asks them
    const fullText = Object.keys(indexes).filter((column) => indexes[column] === "fts");
    const isTorn = !again && tornIndexes.has(table.name);
    const asked = listed === null ? fullText : isEmpty && !isTorn ? [] : [...present.keys()];
    const silent = new Set<string>();
    await Promise.all(
      asked.map(async (column) => {
        if (isTorn || !(await answers(table, column, indexes[column] ?? "vector"))) silent.add(column);
      }),
    );
    for (const column of silent) {
      const fields = { table: table.name, column };
      if (isTorn) log.info(fields, "an index may be torn by a power loss: it is made again");
      else log.warn(fields, "an index is broken: it is made again");
    }
    for (const [column, kind] of Object.entries(indexes)) {
      if (silent.has(column) || (listed !== null && !present.has(column))) await make(column, kind);
    }
    if (listed === null) return await ensureIndexes(table, indexes, true);
    for (const [column, name] of present) if (silent.has(column) && !(column in indexes)) await table.dropIndex(name);
  };

  return {
    async open(definition, hooks) {
      const table = known.has(definition.name)
        ? await connection.openTable(definition.name)
        : await connection.createEmptyTable(definition.name, definition.schema, { existOk: true });
      known.add(definition.name);
      // LanceDB reads the schema anew at every write, only to see whether it names embedding functions: ours never do.
      const schema = await table.schema();
      table.schema = async () => schema;
      await ensureIndexes(table, definition.indexes);
      return createStoreTable(definition, table, hooks);
    },
    openBeside: (name) => connection.openTable(name),
    async remakeIndexes({ indexes }, table, beforeCommit) {
      for (const [column, kind] of Object.entries(indexes)) {
        await beforeCommit();
        await table.createIndex(column, { config: configOf(kind), replace: true });
      }
      await remakeVectorIndex(lance, table, beforeCommit);
    },
    names: async () => connection.tableNames(),
    async measure(name, vectorColumn) {
      const table = await connection.openTable(name);
      try {
        return { rows: await table.countRows(), dimensions: await vectorLength(table, vectorColumn) };
      } finally {
        table.close();
      }
    },
    async drop(name) {
      known.delete(name);
      await connection.dropTable(name);
    },
  };
};
