import type { Logger } from "../../log/log.ts";
import type { Connection, Lance } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { BrokenDeletions } from "../engine/whole-commits.ts";
import type { MetaEntry } from "../meta-rows.ts";

/** What a migration may use. It runs before any other table is opened. */
export interface MigrationContext {
  lance: Lance;
  connection: Connection;
  brokenDeletions: BrokenDeletions;
  log: Logger;
}

/** With the table that holds the store's own settings. */
interface StepContext extends MigrationContext {
  meta: StoreTable<MetaEntry>;
}

/** One step to a newer schema. A crash may repeat a step: it must leave data alone that it has already migrated. */
export interface Migration {
  /** Version of the schema after it. */
  to: number;
  name: string;
  run(context: StepContext): Promise<void>;
}
