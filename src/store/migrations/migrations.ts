import { version as program } from "../../domain/version.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { MetaEntry } from "../meta-rows.ts";
import { unlessFull } from "../recovery/unless-full.ts";
import type { Migration, MigrationContext } from "./migration.ts";
import { runWhole } from "./run-whole.ts";
import { programKey, schemaKey } from "./stored-version.ts";

/** Version of the tables that the `*-rows.ts` files define. A change there needs a migration here. */
export const schemaVersion = 1;

/** Steps from older schemas, one for each version after the first. */
const migrations: readonly Migration[] = [];

/** The schema that a program brings its store to, and the steps that lead there. */
export interface Schema {
  version: number;
  steps: readonly Migration[];
}

export const currentSchema: Schema = { version: schemaVersion, steps: migrations };

/**
 * Brings the tables to the current version, step by step; a new store is marked with it. If the mark is missing from a
 * store that has tables, all steps run.
 * @throws Error where the store was written by a newer Carrel, see `refuseNewer`
 */
export const migrate = async (
  meta: StoreTable<MetaEntry>,
  context: MigrationContext,
  { version: target, steps }: Schema = currentSchema,
): Promise<void> => {
  const entries = new Map((await meta.find({})).map(({ id, value }) => [id, value]));
  const mark = (id: string, value: string): Promise<void> => meta.upsert(id, [{ id, value }]);
  const markProgram = async (): Promise<void> => {
    if (entries.get(programKey) !== program) await mark(programKey, program);
  };
  const stored = entries.get(schemaKey);
  // A store with tables but no mark has lost the mark. Repeating a step is safe.
  const isNew = (await context.connection.tableNames()).every((name) => name === meta.definition.name);
  let version = stored === undefined && isNew ? target : Number(stored ?? 1);
  if (!Number.isInteger(version)) throw new Error("the store's schema version cannot be read");
  if (version > target)
    throw new Error(`the data was written by a newer Carrel (schema ${version}, this one knows ${target})`);
  // Without an upgrade, a store on a full disk is opened all the same.
  if (stored !== undefined && version === target) return void (await unlessFull(markProgram));
  // First, so that a newer schema always has a known program.
  await markProgram();
  if (stored === undefined && isNew) return mark(schemaKey, String(target));
  for (const step of [...steps].sort((a, b) => a.to - b.to)) {
    if (step.to <= version || step.to > target) continue;
    context.log.info({ from: version, to: step.to, migration: step.name }, "migrating the store");
    await runWhole(context, () => step.run({ ...context, meta }));
    await meta.sync(); // a power loss must not leave the mark without what it marks
    context.log.debug({ to: step.to }, "the step of the migration is done");
    await mark(schemaKey, String(step.to));
    context.log.debug({ to: step.to }, "the schema of the store is noted");
    version = step.to;
  }
  if (version !== target) throw new Error(`no migration leads from schema ${version} to ${target}`);
};
