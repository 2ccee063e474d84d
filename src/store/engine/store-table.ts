import { isOneOf } from "./filters.ts";
import type { LanceTable } from "./lance.ts";
import { createTableCommits, keyOf, type TableHooks } from "./table-commits.ts";
import { DamagedRowError, type TableDefinition } from "./table-definition.ts";
import { createTableActivity, createTableReads, type TableActivity, type TableReads } from "./table-reads.ts";
import { createWriteQueue } from "./write-queue.ts";

/** Names what a write touches: its document, its revision. */
export type Scope = string | readonly string[];

/** One table: reads run at once, writes go through its queue. */
export interface StoreTable<T> extends TableReads<T> {
  readonly definition: TableDefinition<T>;
  readonly lance: LanceTable;
  /** `scope` (one or several) and `durable` (default true): see WriteOrder. */
  add(scope: Scope, records: readonly T[], durable?: boolean): Promise<void>;
  /**
   * Adds those records whose key no row holds, in one step with looking for them: of several callers at once one adds it.
   * @returns the keys that were held; their records are not added
   */
  insert(scope: Scope, records: readonly T[]): Promise<ReadonlySet<string>>;
  upsert(scope: Scope, records: readonly T[], durable?: boolean): Promise<void>;
  /** `upsert`, and the content that the rows held before has to leave the disk. */
  supersede(scope: Scope, records: readonly T[]): Promise<void>;
  /** Changes existing rows while nothing else writes; their content before has to leave the disk. */
  change(ids: readonly string[], change: (record: T) => T): Promise<void>;
  remove(scope: Scope, column: string, values: readonly string[], durable?: boolean): Promise<void>;
  /** Removes rows while nothing else writes; they may stay on the disk until the table is tidied. Not synced. */
  removeWhere(where: string): Promise<void>;
  /**
   * Runs work that commits by a handle of its own. Rows are added meanwhile; all other writes wait. LanceDB merges added
   * rows with whatever the work commits, but removals and updates would conflict with it. Afterwards this handle sees the
   * work's commits. Where it fails, as its commits do while a busy machine makes those of others sooner, it may leave
   * files that no version names.
   * @param work must not remove files that no version names: rows being added are such
   */
  beside<R>(work: () => Promise<R>): Promise<R>;
  /** Runs work while nothing else writes to the table. Afterwards this handle sees what the work committed. */
  alone<R>(work: () => Promise<R>): Promise<R>;
  /** Of its files; 0 where that cannot be told. */
  bytes(): Promise<number>;
  sinceUpkeep: TableActivity["sinceUpkeep"];
  noteUpkeep(): void;
  /** Whether there may be files that no version names, from writes that failed or that a crash interrupted. */
  mayHaveStrayFiles(): boolean;
  noteNoStrayFiles(): void;
  /** Versions committed before this moment are neither current nor read by anybody. */
  oldestReadVersion(): Date;
  /** Work that ran `alone` or `beside` made a new version; it was committed after this moment (epoch ms). */
  noteVersion(since: number): void;
  /** Resolves when all that was committed before the call is on disk. */
  sync(): Promise<void>;
  /** Waits for all writes, and looks at its bytes. */
  settle(): Promise<void>;
  close(): void;
}

/** Wraps an open table. */
export const createStoreTable = <T>(
  definition: TableDefinition<T>,
  lance: LanceTable,
  hooks: TableHooks,
): StoreTable<T> => {
  const activity = createTableActivity();
  const reads = createTableReads(definition, lance, activity, hooks.damage);
  const { commit, replaceRows, removeRows, settle, catchUp } = createTableCommits(definition, lance, hooks, activity);
  const queue = createWriteQueue(commit, hooks.sync);
  /** LanceDB closes no table that is being looked at. */
  let looking: Promise<unknown> = Promise.resolve();

  const push = async (
    kind: "add" | "upsert",
    scope: Scope,
    records: readonly T[],
    { durable, supersedes = false }: { durable: boolean; supersedes?: boolean },
  ): Promise<void> => {
    if (records.length === 0) return;
    const rows = records.map(definition.encode);
    await queue.push({ kind, scopes: [scope].flat(), durable, rows, supersedes });
  };

  return {
    definition,
    lance,
    ...reads,
    add: (scope, records, durable = true) => push("add", scope, records, { durable }),
    async insert(scope, records) {
      const held = new Set<string>();
      const rows = records.map(definition.encode);
      if (rows.length > 0) await queue.push({ kind: "insert", scopes: [scope].flat(), durable: true, rows, held });
      return held;
    },
    upsert: (scope, records, durable = true) => push("upsert", scope, records, { durable }),
    supersede: (scope, records) => push("upsert", scope, records, { durable: true, supersedes: true }),
    async change(ids, change) {
      if (ids.length === 0) return;
      const work = async (): Promise<void> => {
        const where = isOneOf(keyOf(definition), ids);
        const found = await reads.find({ where });
        if (found.length < ids.length && (await reads.count(where)) > found.length)
          throw new DamagedRowError("a row is damaged, and stays as it is");
        if (found.length > 0) await replaceRows(found.map(change));
      };
      await queue.push({ kind: "alone", work });
      await hooks.sync();
    },
    async remove(scope, column, values, durable = true) {
      if (values.length > 0) await queue.push({ kind: "remove", scopes: [scope].flat(), durable, column, values });
    },
    removeWhere: (where) => queue.push({ kind: "alone", work: () => removeRows(where) }),
    async beside(work) {
      const result: { value?: Awaited<ReturnType<typeof work>> } = {};
      await queue.push({
        kind: "beside",
        work: async () => {
          await settle();
          try {
            result.value = await work();
          } catch (error) {
            activity.noteStrayFiles(); // no version may name what it wrote
            throw error;
          }
        },
        finish: catchUp,
      });
      return result.value as Awaited<ReturnType<typeof work>>;
    },
    async alone(work) {
      const result: { value?: Awaited<ReturnType<typeof work>> } = {};
      await queue.push({
        kind: "alone",
        work: async () => {
          try {
            result.value = await work();
          } finally {
            await catchUp();
          }
        },
      });
      return result.value as Awaited<ReturnType<typeof work>>;
    },
    bytes() {
      const look = lance.stats().then(
        ({ totalBytes }) => totalBytes,
        () => 0,
      );
      looking = look;
      return look;
    },
    sinceUpkeep: activity.sinceUpkeep,
    noteUpkeep: activity.noteUpkeep,
    oldestReadVersion: activity.oldestReadVersion,
    mayHaveStrayFiles: activity.mayHaveStrayFiles,
    noteNoStrayFiles: activity.noteNoStrayFiles,
    noteVersion: activity.noteVersion,
    sync: hooks.sync,
    async settle() {
      await Promise.all([queue.settle(), looking]);
    },
    close: () => lance.close(),
  };
};
