import type { Connection, Lance, LanceTable } from "./lance.ts";
import { createStoreTable, type StoreTable, type TableHooks } from "./store-table.ts";
import type { ColumnIndex, TableDefinition } from "./table-definition.ts";

/** Opens tables and makes the ones that are missing, with their indexes. */
export interface TableOpener {
  open<T>(definition: TableDefinition<T>, hooks: TableHooks): Promise<StoreTable<T>>;
  names(): Promise<string[]>;
  drop(name: string): Promise<void>;
}

/** Terms longer than this are not indexed; the analysis makes none. */
const maxTermBytes = 1_024;

export const createTableOpener = async (lance: Lance, connection: Connection): Promise<TableOpener> => {
  const known = new Set(await connection.tableNames());

  const configOf = (kind: ColumnIndex) => {
    if (kind === "btree") return lance.Index.btree();
    if (kind === "bitmap") return lance.Index.bitmap();
    if (kind === "label_list") return lance.Index.labelList();
    // The columns hold analysed terms: nothing is to be done to them but to part them at the spaces.
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

  const ensureIndexes = async (table: LanceTable, indexes: Readonly<Record<string, ColumnIndex>>): Promise<void> => {
    const present = new Set((await table.listIndices()).flatMap((index) => index.columns));
    for (const [column, kind] of Object.entries(indexes)) {
      if (!present.has(column)) await table.createIndex(column, { config: configOf(kind) });
    }
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
    names: async () => connection.tableNames(),
    async drop(name) {
      known.delete(name);
      await connection.dropTable(name);
    },
  };
};
