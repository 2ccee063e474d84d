import type { Connection, Lance, LanceTable } from "../engine/lance.ts";
import { eraseRows } from "./erase-rows.ts";
import { tidyTable } from "./tidy-table.ts";
import type { UpkeepWork } from "./upkeep-work.ts";

/** Does the work in this process, on a handle of its own. */
export const createUpkeepHere = (lance: Lance, connection: Connection): UpkeepWork => {
  const on = async <R>(name: string, work: (table: LanceTable) => Promise<R>): Promise<R> => {
    const table = await connection.openTable(name);
    try {
      return await work(table);
    } finally {
      table.close();
    }
  };
  return {
    tidy: (request) => on(request.table, (table) => tidyTable(lance, table, request)),
    erase: (request) => on(request.table, (table) => eraseRows(lance, table, request)),
  };
};
