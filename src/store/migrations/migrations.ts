import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { version as program, version } from "../../domain/version.ts";
import type { Logger } from "../../log/log.ts";
import { unlessFull } from "../disk/free-space.ts";
import { type Connection, connect, type Lance } from "../engine/lance.ts";
import { type MetaEntry, schemaKey } from "../engine/meta-rows.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { BrokenDeletions } from "../engine/table-commits.ts";
import { listSnapshots } from "../snapshots/snapshots.ts";

/** An entry of the table `meta`. */
export const programKey = "program";

/** What wrote the store last. */
interface StoredVersion {
  /** 1 where the mark is missing, or cannot be read, in a store that has tables. */
  schema: number;
  /** Null for programs that did not store it yet. */
  program: string | null;
}

/** The store was last used by a newer program: the message names both, and the ways out. */
export class StoreTooNewError extends Error {
  override readonly name = "StoreTooNewError";
}

/** Reads the version without changing anything. @returns null for a new store, and where its settings cannot be read */
export const readStoredVersion = async (dataDir: string): Promise<StoredVersion | null> => {
  const tables = join(dataDir, "tables");
  const found = await readdir(tables).catch((): string[] => []);
  if (!found.includes("meta.lance")) {
    // The mark is lost with its table: all steps run again.
    return found.some((name) => name.endsWith(".lance")) ? { schema: 1, program: null } : null;
  }
  const { connection } = await connect(tables);
  try {
    const meta = await connection.openTable("meta");
    const rows = (await meta.query().select(["id", "value"]).toArray()) as { id: string; value: string }[];
    meta.close();
    const entry = (key: string): string | null => rows.find(({ id }) => id === key)?.value ?? null;
    const others = (await connection.tableNames()).some((name) => name !== "meta");
    const schema = entry(schemaKey);
    if (schema === null && !others) return null;
    return { schema: Number(schema ?? 1), program: entry(programKey) };
  } catch {
    return null; // damaged: the repair looks at it next
  } finally {
    connection.close();
  }
};

/** @throws StoreTooNewError where the store has a newer schema than `known` */
export const refuseNewer = async (dataDir: string, stored: StoredVersion | null, known: number): Promise<void> => {
  if (stored === null || !(stored.schema > known)) return;
  const writer = stored.program === null ? "a newer Carrel" : `Carrel ${stored.program}`;
  const snapshot = (await listSnapshots(dataDir)).find(({ schema }) => schema <= known);
  const back =
    snapshot === undefined
      ? ""
      : ` or go back to the state before the upgrade with \`carrel restore --snapshot\` (taken ${snapshot.createdAt}, schema ${snapshot.schema}; what was stored since is lost),`;
  throw new StoreTooNewError(
    `The data in ${dataDir} was last used by ${writer} (schema ${stored.schema}); this is Carrel ${version}, which knows schemas up to ${known}. Start ${writer === "a newer Carrel" ? "the newer Carrel" : `${writer} or a newer one`},${back} or restore a backup. Nothing was changed.`,
  );
};

/** What a migration may use. It runs before any other table is opened. */
interface MigrationContext {
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
