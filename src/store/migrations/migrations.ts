import { version as program } from "../../domain/version.ts";
import { unlessFull } from "../disk/unless-full.ts";
import { type MetaEntry, schemaKey } from "../engine/meta-rows.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { Migration, MigrationContext } from "./migration.ts";
import { runWhole } from "./migration.ts";
import { programKey } from "./stored-version.ts";

/** Version of the tables that the `*-rows.ts` files define. A change there needs a migration here. */
export const schemaVersion = 2;

/**
 * Stores from this version on are used as they are. Those of version 2 may have indexes in several tables, of which an
 * older program would remove all but the first: a store is marked with it when it gets the second (segments/catalog.ts).
 */
const alikeFrom = 1;

/** Steps from older schemas, one for each version after the first. */
const migrations: readonly Migration[] = [];

/** The schema that a program brings its store to, and the steps that lead there. */
export interface Schema {
  version: number;
  steps: readonly Migration[];
  /** From which version on no step is needed; unless given, the version itself. */
  alikeFrom?: number;
}

export const currentSchema: Schema = { version: schemaVersion, steps: migrations, alikeFrom };

/** Whether a store is brought to the schema by steps. */
export const isOlder = (stored: number, schema: Schema): boolean => stored < (schema.alikeFrom ?? schema.version);

/**
 * Brings the tables to the current version, step by step; a new store is marked with it. If the mark is missing from a
 * store that has tables, all steps run.
 * @throws Error where the store was written by a newer Carrel, see `refuseNewer`
 */
export const migrate = async (
  meta: StoreTable<MetaEntry>,
  context: MigrationContext,
  schema: Schema = currentSchema,
): Promise<void> => {
  const { version: target, steps } = schema;
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
  if (stored !== undefined && !isOlder(version, schema)) return void (await unlessFull(markProgram));
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
  if (isOlder(version, schema)) throw new Error(`no migration leads from schema ${version} to ${target}`);
  if (stored === undefined) await mark(schemaKey, String(version));
};
