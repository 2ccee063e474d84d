import type { Logger } from "../../log/log.ts";
import { type Connection, type Lance, type LanceTable, withNewest } from "./lance.ts";
import { createStoreTable, type StoreTable } from "./store-table.ts";
import type { TableHooks } from "./table-commits.ts";
import type { TableDefinition } from "./table-definition.ts";
import { createTableIndexes, vectorLength } from "./table-indexes.ts";

/** Opens tables, and creates those that are missing, with their indexes. */
export interface TableOpener {
  open<T>(definition: TableDefinition<T>, hooks: TableHooks): Promise<StoreTable<T>>;
  /** A second handle of a table, at a version that upkeep has not removed. */
  openVersion(name: string, version: number): Promise<LanceTable>;
  /** Runs work on a second handle of a table, at its newest version. */
  withNewest<R>(name: string, work: (table: LanceTable) => Promise<R>): Promise<R>;
  names(): Promise<string[]>;
  /** A table was made elsewhere: it is there. */
  noteMade(name: string): void;
  drop(name: string): Promise<void>;
  /** The number of rows of a table that is not open, and the length of the vectors in one of its columns (0: none). */
  measure(name: string, vectorColumn: string): Promise<{ rows: number; dimensions: number }>;
}

/**
 * @param suspectIndexes tables whose indexes may be damaged: they are rebuilt when the table is opened; null: another process
 * writes the tables, and all indexes are left as they are
 */
export const createTableOpener = async (
  lance: Lance,
  connection: Connection,
  log: Logger,
  suspectIndexes: ReadonlySet<string> | null = new Set(),
): Promise<TableOpener> => {
  const known = new Set(await connection.tableNames());

  const indexes = suspectIndexes === null ? null : createTableIndexes(lance, log, suspectIndexes);

  return {
    async open(definition, hooks) {
      const table = known.has(definition.name)
        ? await connection.openTable(definition.name)
        : await connection.createEmptyTable(definition.name, definition.schema, { existOk: true });
      known.add(definition.name);
      // LanceDB reads the schema at every write, to look for embedding functions: these tables have none.
      const readSchema = table.schema.bind(table);
      let schema: ReturnType<LanceTable["schema"]> | null = null;
      table.schema = () => {
        schema ??= readSchema();
        return schema;
      };
      await indexes?.ensure(table, definition.indexes);
      return createStoreTable(definition, table, hooks);
    },
    async openVersion(name, version) {
      const table = await connection.openTable(name);
      await table.checkout(version);
      return table;
    },
    withNewest: (name, work) => withNewest(connection, name, work),
    names: async () => connection.tableNames(),
    noteMade: (name) => void known.add(name),
    measure: (name, vectorColumn) =>
      withNewest(connection, name, async (table) => ({
        rows: await table.countRows(),
        dimensions: await vectorLength(table, vectorColumn),
      })),
    async drop(name) {
      known.delete(name);
      await connection.dropTable(name);
    },
  };
};
