import { messageOf } from "../../domain/errors.ts";
import type { FreeSpaceGuard, SpaceReservation } from "../disk/free-space.ts";
import { toArrowTable } from "./arrow-rows.ts";
import type { Cells } from "./cells.ts";
import { isOneOf } from "./filters.ts";
import type { LanceTable } from "./lance.ts";
import type { TableDefinition } from "./table-definition.ts";
import type { ReadDamage, TableActivity } from "./table-reads.ts";
import { lastByKey, type Write, type WriteGroup } from "./write-queue.ts";

/** Files that name removed rows, and that a commit to a table left cut off: see `brokenDeletionFiles`. */
export type BrokenDeletions = (table: string, readVersion: number) => Promise<string[]>;

/** Commits of one table that write deletion files: one that the disk cut off is taken back. They run one at a time. */
interface WholeCommits {
  /**
   * @param work makes one commit; called when everything is settled
   * @throws Error of a full disk where the commit was not whole: the table reads as before it
   */
  run(work: () => Promise<void>): Promise<void>;
  /** Takes back what could not be taken back yet: nothing may be written before. @throws Error of a full disk */
  settle(): Promise<void>;
  /** The table's handle sees what other handles committed. */
  catchUp(): Promise<void>;
}

const createWholeCommits = (name: string, lance: LanceTable, brokenDeletions: BrokenDeletions): WholeCommits => {
  /** The handle reads an older version, which is to be the newest again: reads go on, and LanceDB refuses writes. */
  let isTakenBack = false;

  const settle = async (): Promise<void> => {
    if (!isTakenBack) return;
    await lance.restore(); // fails while there is no room for it
    isTakenBack = false;
  };

  return {
    async run(work) {
      const before = await lance.version();
      await work();
      const broken = await brokenDeletions(name, before);
      if (broken.length === 0) return;
      isTakenBack = true;
      await lance.checkout(before);
      await settle().catch(() => undefined); // before the next commit
      throw new Error(`No space left on device: the table ${name} got ${broken.join(", ")} cut off`);
    },
    settle,
    async catchUp() {
      if (!isTakenBack) await lance.checkoutLatest();
    },
  };
};

export interface TableHooks {
  /** Before each commit that needs space. @throws ApiError storage_unavailable */
  reserve: FreeSpaceGuard["reserve"];
  /** Resolves when all that was committed before the call is on disk. */
  sync(): Promise<void>;
  /** Turns an error of LanceDB into the one that the caller gets. */
  explain(error: unknown): unknown;
  /** Removals wait for rows of this table: they may use what is left of a full disk. */
  isForRemovals?: boolean;
  brokenDeletions: BrokenDeletions;
  damage: ReadDamage;
  afterCommit(): void;
  /** Before rows are removed, or replaced by rows that lack some of their content: the bytes must leave the disk. */
  beforeRemoval(): Promise<void>;
}

/** Makes the commits of one table. Callers run one at a time: see write-queue.ts. */
interface TableCommits<T> {
  /** Makes one commit of a group of writes. */
  commit(group: WriteGroup<{ readonly write: Write }>): Promise<void>;
  /** Replaces rows. Rows that were removed meanwhile are not added again. */
  replaceRows(records: readonly T[]): Promise<void>;
  removeRows(where: string): Promise<void>;
  settle: WholeCommits["settle"];
  catchUp: WholeCommits["catchUp"];
}

/** Roughly what rows take on the disk: texts and vectors are nearly all of it. */
const bytesOf = (rows: readonly Cells[]): number => {
  let bytes = 0;
  for (const row of rows) {
    for (const cell of Object.values(row)) {
      if (typeof cell === "string") bytes += cell.length;
      else if (cell instanceof Float32Array) bytes += cell.byteLength;
    }
  }
  return bytes;
};

/**
 * What LanceDB says of added rows whose commit came too late again and again, or once after more than its 30 seconds: the
 * upkeep of a busy machine was quicker. Nothing of it was committed.
 */
const cameTooLate = /too many concurrent writers|commit conflict/i;
const maxAttempts = 4;
/** Keys that are looked for in one query. */
const maxKeysInQuery = 1_000;

const removesContent = (write: Write): boolean =>
  write.kind === "remove" || (write.kind === "upsert" && write.supersedes === true);

/** Column that upserts and changes find rows by. */
export const keyOf = <T>({ key }: TableDefinition<T>): string => key ?? "id";

export const createTableCommits = <T>(
  definition: TableDefinition<T>,
  lance: LanceTable,
  hooks: TableHooks,
  activity: Pick<TableActivity, "noteCommit" | "noteStrayFiles">,
): TableCommits<T> => {
  const key = keyOf(definition);
  const whole = createWholeCommits(definition.name, lance, hooks.brokenDeletions);

  const add = async (rows: readonly Cells[]): Promise<void> => {
    const table = toArrowTable(definition.schema, rows);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await lance.add(table);
        return;
      } catch (error) {
        if (attempt === maxAttempts || !cameTooLate.test(messageOf(error))) throw error;
        activity.noteStrayFiles(); // no version names what it wrote
      }
    }
  };

  /** Which of these keys rows hold. */
  const heldOf = async (keys: readonly string[]): Promise<Set<string>> => {
    const held = new Set<string>();
    for (let start = 0; start < keys.length; start += maxKeysInQuery) {
      const where = isOneOf(key, keys.slice(start, start + maxKeysInQuery));
      for (const row of await lance.query().select([key]).where(where).toArray()) held.add(String(row[key]));
    }
    return held;
  };

  /** The look-up and the commit are one step: the commits of a table run one at a time. */
  const insert = async (writes: readonly Write[], rows: readonly Cells[]): Promise<void> => {
    const held = await heldOf(rows.map((row) => String(row[key])));
    const added: Cells[] = [];
    for (const write of writes) {
      if (write.kind !== "insert") continue;
      write.held.clear(); // of a commit that failed
      for (const row of write.rows) {
        const id = String(row[key]);
        if (held.has(id)) write.held.add(id);
        else added.push(row);
        held.add(id);
      }
    }
    if (added.length > 0) await add(added);
  };

  const apply = async (group: WriteGroup<{ readonly write: Write }>, rows: readonly Cells[]): Promise<void> => {
    if (group.kind === "add") await add(rows);
    else if (group.kind === "insert")
      await insert(
        group.members.map(({ write }) => write),
        rows,
      );
    else if (group.kind === "upsert") {
      const merge = lance.mergeInsert(key).whenMatchedUpdateAll().whenNotMatchedInsertAll();
      await whole.run(async () => {
        await merge.execute(toArrowTable(definition.schema, lastByKey(rows, key)));
      });
    } else if (group.kind === "remove") {
      const values = group.members.flatMap(({ write }) => (write.kind === "remove" ? write.values : []));
      await whole.run(async () => {
        await lance.delete(isOneOf(group.column ?? "id", [...new Set(values)]));
      });
    } else {
      for (const { write } of group.members) if (write.kind === "alone") await write.work();
    }
  };

  return {
    async commit(group) {
      const startedAt = Date.now();
      const rows = group.members.flatMap(({ write }) => ("rows" in write ? write.rows : []));
      let space: SpaceReservation | null = null;
      try {
        await whole.settle();
        if (group.members.some(({ write }) => removesContent(write))) await hooks.beforeRemoval();
        const bytes = bytesOf(rows);
        if (rows.length > 0) space = await hooks.reserve(bytes, hooks.isForRemovals ? "removals" : "tables");
        else if (group.kind === "remove") space = await hooks.reserve(0, "removals");
        await apply(group, rows);
        space?.written(bytes);
      } catch (error) {
        activity.noteStrayFiles();
        throw hooks.explain(error);
      } finally {
        space?.release();
      }
      // Work that runs alone says itself whether it made a version: a moment too late would free a version in use.
      if (group.kind === "alone") return;
      activity.noteCommit(startedAt, rows.length);
      hooks.afterCommit();
    },
    async replaceRows(records) {
      const startedAt = Date.now();
      await hooks.beforeRemoval();
      const rows = records.map(definition.encode);
      const bytes = bytesOf(rows);
      const space = await hooks.reserve(bytes, "tables");
      try {
        await whole.run(async () => {
          await lance.mergeInsert(key).whenMatchedUpdateAll().execute(toArrowTable(definition.schema, rows));
        });
        space.written(bytes);
      } finally {
        space.release();
      }
      activity.noteCommit(startedAt, 0);
      hooks.afterCommit();
    },
    async removeRows(where) {
      const startedAt = Date.now();
      await whole.run(async () => {
        await lance.delete(where);
      });
      activity.noteCommit(startedAt, 0);
      hooks.afterCommit();
    },
    settle: whole.settle,
    catchUp: whole.catchUp,
  };
};
