import type { IndexInfo } from "../../domain/records.ts";
import type { Lance } from "../engine/lance.ts";
import type { MaintainedTables } from "../engine/maintained-tables.ts";
import { maxUntidied } from "../engine/maintenance.ts";
import type { LiveIndex } from "./live-indexes.ts";
import { createRecentSnippets } from "./recent-snippets.ts";
import { snippetRows } from "./snippet-rows.ts";
import { createVectorIndexUpkeep } from "./vector-index.ts";

/** Opens the table of an index; makes it where it is missing. */
export const createIndexOpener =
  (lance: Lance, tables: MaintainedTables) =>
  async (info: IndexInfo): Promise<LiveIndex> => {
    const rows = snippetRows(info.id, info.dimensions);
    const vectorIndex = createVectorIndexUpkeep(lance);
    const table = await tables.open(rows, maxUntidied.searched, vectorIndex.run);
    const filled = new Set<string>();
    if (info.state === "building") {
      await table.visit(["revision"], "true", (row) => {
        filled.add(row.string("revision"));
        return true;
      });
    }
    return { info, table, hasVectorIndex: vectorIndex.isBuilt, recent: createRecentSnippets(), filled };
  };
