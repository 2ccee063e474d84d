import { join } from "node:path";
import { type Connection, type Lance, withNewest } from "../engine/lance.ts";
import type { UpkeepWork } from "../engine/upkeep-work.ts";
import { sealTable } from "../recovery/seal.ts";
import { eraseRows } from "./erase-rows.ts";
import { tidyTable } from "./tidy-table.ts";

/** Rows are added beside upkeep: their files are sealed by a later run. */
const minAgeMs = 1_000;

/** Does the work in this process, on a handle of its own. @param folder of the tables */
export const createUpkeepHere = (lance: Lance, connection: Connection, folder: string): UpkeepWork => {
  return {
    async tidy(request) {
      const tidied = await withNewest(connection, request.table, (table) => tidyTable(lance, table, request));
      // What fails here is done when the store closes.
      await sealTable(join(folder, `${request.table}.lance`), minAgeMs).catch(() => undefined);
      return tidied;
    },
    erase: (request) => withNewest(connection, request.table, (table) => eraseRows(lance, table, request)),
  };
};
