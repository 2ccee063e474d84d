import { type Connection, type Lance, withNewest } from "../engine/lance.ts";
import { eraseRows } from "./erase-rows.ts";
import { tidyTable } from "./tidy-table.ts";
import type { UpkeepWork } from "./upkeep-work.ts";

/** Does the work in this process, on a handle of its own. */
export const createUpkeepHere = (lance: Lance, connection: Connection): UpkeepWork => {
  return {
    tidy: (request) => withNewest(connection, request.table, (table) => tidyTable(lance, table, request)),
    erase: (request) => withNewest(connection, request.table, (table) => eraseRows(lance, table, request)),
  };
};
