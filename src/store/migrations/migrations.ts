import type { Logger } from "../../log.ts";
import type { Connection, Lance } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { MetaEntry } from "../search/index-rows.ts";
import { forgetRemovedDocuments } from "./forget-removed-documents.ts";
import { narrowChats } from "./narrow-chats.ts";
import { separateReasons } from "./separate-reasons.ts";

/** What a migration may use. It runs before any other table is opened. */
export interface MigrationContext {
  lance: Lance;
  connection: Connection;
  log: Logger;
}

/** With the table of the store's own settings. */
export interface StepContext extends MigrationContext {
  meta: StoreTable<MetaEntry>;
}

/** One step forward. A crash may repeat it: it must do no harm when its work is done already. */
export interface Migration {
  /** Version of the schema after it. */
  to: number;
  name: string;
  run(context: StepContext): Promise<void>;
}

/** Version of the tables as src/store/*-rows.ts defines them. A change there comes with a migration here. */
export const schemaVersion = 4;

export const migrations: readonly Migration[] = [
  {
    to: 2,
    name: "what else made an index's vectors",
    async run({ connection }) {
      if (!(await connection.tableNames()).includes("indexes")) return;
      const table = await connection.openTable("indexes");
      if ((await table.schema()).fields.some(({ name }) => name === "modelRevision")) return;
      await table.addColumns([{ name: "modelRevision", valueSql: "cast('' as string)" }]);
    },
  },
  {
    to: 3,
    name: "chats stay within the partition of the key that made them; what parsers said is kept for admin keys",
    async run(context) {
      const { connection } = context;
      if (!(await connection.tableNames()).includes("documents")) return;
      const documents = await connection.openTable("documents");
      // The column marks that chats were looked at: they are not judged twice.
      if (!(await documents.schema()).fields.some(({ name }) => name === "errorReason")) {
        await narrowChats(context);
        await documents.addColumns([{ name: "errorReason", valueSql: "cast(NULL as string)" }]);
      }
      await separateReasons(documents);
    },
  },
  { to: 4, name: "nothing stays of removed documents", run: forgetRemovedDocuments },
];

const versionKey = "schemaVersion";

/**
 * Brings the tables to the current version, step by step; a new store is marked with it. Where the mark was lost, all
 * steps are made.
 * @throws Error where the store was written by a newer Carrel
 */
export const migrate = async (
  meta: StoreTable<MetaEntry>,
  context: MigrationContext,
  target: number = schemaVersion,
  steps: readonly Migration[] = migrations,
): Promise<void> => {
  const entry = (await meta.find({})).find(({ id }) => id === versionKey);
  const writeVersion = (version: number): Promise<void> =>
    meta.upsert(versionKey, [{ id: versionKey, value: String(version) }]);
  // A store with tables and no mark has lost it. Steps do no harm where they were made.
  const isNew = (await context.connection.tableNames()).every((name) => name === meta.definition.name);
  if (entry === undefined && isNew) return writeVersion(target);
  let version = Number(entry?.value ?? 1);
  if (!Number.isInteger(version)) throw new Error("the store's schema version cannot be read");
  if (version > target) {
    throw new Error(
      `the data was written by a newer Carrel (schema ${version}, this one knows ${target}): use that version or a backup`,
    );
  }
  for (const step of [...steps].sort((a, b) => a.to - b.to)) {
    if (step.to <= version || step.to > target) continue;
    context.log.info({ from: version, to: step.to, migration: step.name }, "migrating the store");
    await step.run({ ...context, meta });
    await writeVersion(step.to);
    version = step.to;
  }
  if (version !== target) throw new Error(`no migration leads from schema ${version} to ${target}`);
};
