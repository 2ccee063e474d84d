import type { Logger } from "../../log/log.ts";
import type { Connection, Lance } from "../engine/lance.ts";
import type { MetaEntry } from "../engine/meta-rows.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { BrokenDeletions } from "../engine/whole-commits.ts";

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

const versionsIn = async (connection: Connection): Promise<Map<string, number>> => {
  const versions = new Map<string, number>();
  for (const name of await connection.tableNames()) {
    const table = await connection.openTable(name);
    versions.set(name, await table.version());
    table.close();
  }
  return versions;
};

/**
 * Runs a step of a migration, which commits past the queues of the tables, and looks whether its commits are whole:
 * LanceDB does not notice that the disk was full for a moment (see `brokenDeletionFiles`).
 * @throws Error of a full disk: the next start sets the broken versions aside, and repeats the step
 */
export const runWhole = async (
  { connection, brokenDeletions }: Pick<MigrationContext, "connection" | "brokenDeletions">,
  run: () => Promise<void>,
): Promise<void> => {
  const before = await versionsIn(connection);
  await run();
  for (const [name, version] of before) {
    const broken = await brokenDeletions(name, version);
    if (broken.length > 0)
      throw new Error(`No space left on device: the table ${name} got ${broken.join(", ")} cut off`);
  }
};
