import type { FreeSpaceGuard, SpaceReservation } from "../recovery/free-space.ts";
import { toArrowTable } from "./arrow-rows.ts";
import { type Cells, createRowReader, type ReadableBatch, type RowReader } from "./cells.ts";
import { isOneOf } from "./filters.ts";
import type { LanceTable } from "./lance.ts";
import { columnsOf, type TableDefinition } from "./table-definition.ts";
import { lastByKey, type Write, type WriteGroup } from "./write-plan.ts";
import { createWriteQueue } from "./write-queue.ts";

export interface FindOptions {
  where?: string;
  orderBy?: readonly { column: string; ascending: boolean }[];
  limit?: number;
  offset?: number;
}

/** What a query yields: batches whose columns are read directly. */
export interface RunnableQuery {
  toArrow(): Promise<{ readonly batches: readonly ReadableBatch[] }>;
}

/** Names what a write touches: its document, its revision. */
export type Scope = string | readonly string[];

/** One table: reads run at once, writes go through its queue. */
export interface StoreTable<T> {
  readonly definition: TableDefinition<T>;
  readonly lance: LanceTable;
  find(options: FindOptions): Promise<T[]>;
  /** Reads some columns only. */
  scan<R>(columns: readonly string[], options: FindOptions, decode: (row: RowReader) => R): Promise<R[]>;
  /** Reads some columns of all rows, batch after batch, while other work runs; ends where `visitor` says false. */
  visit(
    columns: readonly string[],
    where: string,
    visitor: (row: RowReader) => boolean,
    orderBy?: FindOptions["orderBy"],
  ): Promise<void>;
  /** Runs a query of LanceDB's own; its versions are kept until it is done. */
  run<R>(query: RunnableQuery, decode: (row: RowReader) => R): Promise<R[]>;
  count(where?: string): Promise<number>;
  /** How many rows a query of LanceDB's own yields. */
  countHits(query: RunnableQuery): Promise<number>;
  /** `scope` (one or several), `durable` (true where not given): see WriteOrder. */
  add(scope: Scope, records: readonly T[], durable?: boolean): Promise<void>;
  upsert(scope: Scope, records: readonly T[], durable?: boolean): Promise<void>;
  /** `upsert` where what the rows held before has to leave the disk. */
  supersede(scope: Scope, records: readonly T[]): Promise<void>;
  /** Changes rows that are there, while nothing else writes; what they held before has to leave the disk. */
  change(ids: readonly string[], change: (record: T) => T): Promise<void>;
  remove(scope: Scope, column: string, values: readonly string[], durable?: boolean): Promise<void>;
  /** Runs work while nothing else writes to the table. */
  alone<R>(work: () => Promise<R>): Promise<R>;
  /** What happened since the last call of `noteUpkeep`. */
  sinceUpkeep(): { readonly commits: number; readonly rows: number; readonly wasRead: boolean };
  noteUpkeep(): void;
  /** Versions committed before this moment are neither current nor read by anybody. */
  oldestReadVersion(): Date;
  /** The current version is another one now, committed after this moment (epoch ms): `alone` cannot tell by itself. */
  noteVersion(since: number): void;
  /** Resolves when all that was committed before the call is on disk. */
  sync(): Promise<void>;
  settle(): Promise<void>;
  close(): void;
}

export interface TableHooks {
  /** Before each commit that needs space. @throws ApiError storage_unavailable */
  reserve: FreeSpaceGuard["reserve"];
  sync(): Promise<void>;
  /** Turns what LanceDB throws into what the caller is told. */
  explain(error: unknown): unknown;
  afterCommit(): void;
  /** Before rows are removed, or replaced by rows that lack some of their content: the bytes have to leave the disk. */
  beforeRemoval(): Promise<void>;
}

/** What rows take on the disk, roughly: texts and vectors are nearly all of it. */
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

/** How long rows are visited before other work gets its turn. */
const longestStretchMs = 4;
/** Rows of a batch while all rows are visited: 16 MiB where each has as much metadata as it may. */
const visitedAtOnce = 256;
const removesContent = (write: Write): boolean =>
  write.kind === "remove" || (write.kind === "upsert" && write.supersedes === true);

/** Wraps an open table. */
export const createStoreTable = <T>(
  definition: TableDefinition<T>,
  lance: LanceTable,
  hooks: TableHooks,
): StoreTable<T> => {
  let commits = 0;
  let writtenRows = 0;
  let wasRead = false;
  /** A moment before the current version was committed: its readers hold back the removal of versions from then on. */
  let versionSince = 0; // what was committed before the table was opened: nothing that came before it may go yet
  const reads = new Map<symbol, number>();
  const allColumns = columnsOf(definition);

  const tracked = async <R>(work: () => Promise<R>): Promise<R> => {
    const read = Symbol("read");
    wasRead = true;
    reads.set(read, versionSince);
    try {
      return await work();
    } finally {
      reads.delete(read);
    }
  };

  const apply = async (group: WriteGroup<{ readonly write: Write }>): Promise<void> => {
    const rows: Cells[] = [];
    const values: string[] = [];
    for (const { write } of group.members) {
      if ("rows" in write) rows.push(...write.rows);
      else if (write.kind === "remove") values.push(...write.values);
      else await write.work();
    }
    if (group.kind === "add") await lance.add(toArrowTable(definition.schema, rows));
    else if (group.kind === "upsert") {
      const key = definition.key ?? "id";
      await lance
        .mergeInsert(key)
        .whenMatchedUpdateAll()
        .whenNotMatchedInsertAll()
        .execute(toArrowTable(definition.schema, lastByKey(rows, key)));
    } else if (group.kind === "remove") await lance.delete(isOneOf(group.column ?? "id", [...new Set(values)]));
  };

  const commit = async (group: WriteGroup<{ readonly write: Write }>): Promise<void> => {
    const startedAt = Date.now();
    let space: SpaceReservation | null = null;
    try {
      if (group.members.some(({ write }) => removesContent(write))) await hooks.beforeRemoval();
      if (group.kind === "add" || group.kind === "upsert") {
        const bytes = group.members.reduce((sum, { write }) => sum + ("rows" in write ? bytesOf(write.rows) : 0), 0);
        space = await hooks.reserve(bytes, "tables");
        await apply(group);
        space.written(bytes);
      } else await apply(group);
    } catch (error) {
      throw hooks.explain(error);
    } finally {
      space?.release();
    }
    if (group.kind === "alone") return;
    // Only where there is a new version: else a reader would be taken for one of a version later than its own.
    versionSince = startedAt;
    commits += 1;
    for (const { write } of group.members) if ("rows" in write) writtenRows += write.rows.length;
    hooks.afterCommit();
  };

  const queue = createWriteQueue(commit, hooks.sync);

  const run = <R>(query: RunnableQuery, decode: (row: RowReader) => R): Promise<R[]> =>
    tracked(async () => {
      const found: R[] = [];
      for (const batch of (await query.toArrow()).batches) {
        const reader = createRowReader(batch);
        for (let index = 0; index < reader.length; index += 1) found.push(decode(reader.at(index)));
      }
      return found;
    });

  const queryOf = (columns: readonly string[], { where, orderBy, limit, offset }: FindOptions) => {
    let query = lance.query().select([...columns]);
    if (where !== undefined) query = query.where(where);
    if (orderBy !== undefined) {
      query = query.orderBy(orderBy.map(({ column, ascending }) => ({ columnName: column, ascending })));
    }
    if (limit !== undefined) query = query.limit(limit);
    if (offset !== undefined && offset > 0) query = query.offset(offset);
    return query;
  };

  const scan = <R>(columns: readonly string[], options: FindOptions, decode: (row: RowReader) => R): Promise<R[]> =>
    run(queryOf(columns, options), decode);

  const visit: StoreTable<T>["visit"] = (columns, where, visitor, orderBy) =>
    tracked(async () => {
      const query = queryOf(columns, { where, ...(orderBy === undefined ? {} : { orderBy }) });
      let resumedAt = performance.now();
      // biome-ignore lint/complexity/useLiteralKeys: the method is protected, and the only one that takes a batch's length
      for await (const batch of query["execute"]({ maxBatchLength: visitedAtOnce })) {
        const reader = createRowReader(batch);
        for (let index = 0; index < reader.length; index += 1) {
          if (!visitor(reader.at(index))) return;
          if (performance.now() - resumedAt < longestStretchMs) continue;
          await new Promise<void>((resolve) => setImmediate(resolve));
          resumedAt = performance.now();
        }
      }
    });

  return {
    definition,
    lance,
    visit,
    find: (options) => scan(allColumns, options, definition.decode),
    scan,
    run,
    countHits: (query) =>
      tracked(async () => (await query.toArrow()).batches.reduce((rows, batch) => rows + batch.numRows, 0)),
    count: (where) => tracked(() => lance.countRows(where)),
    async add(scope, records, durable = true) {
      if (records.length === 0) return;
      await queue.push({ kind: "add", scopes: [scope].flat(), durable, rows: records.map(definition.encode) });
    },
    async upsert(scope, records, durable = true) {
      if (records.length === 0) return;
      await queue.push({ kind: "upsert", scopes: [scope].flat(), durable, rows: records.map(definition.encode) });
    },
    async supersede(scope, records) {
      if (records.length === 0) return;
      const rows = records.map(definition.encode);
      await queue.push({ kind: "upsert", scopes: [scope].flat(), durable: true, rows, supersedes: true });
    },
    async change(ids, change) {
      if (ids.length === 0) return;
      const work = async (): Promise<void> => {
        const key = definition.key ?? "id";
        const found = await scan(allColumns, { where: isOneOf(key, ids) }, definition.decode);
        if (found.length === 0) return;
        const since = Date.now();
        await hooks.beforeRemoval();
        const rows = found.map((record) => definition.encode(change(record)));
        const bytes = bytesOf(rows);
        const space = await hooks.reserve(bytes, "tables");
        try {
          // Rows that are gone meanwhile are not made again.
          await lance.mergeInsert(key).whenMatchedUpdateAll().execute(toArrowTable(definition.schema, rows));
          space.written(bytes);
        } finally {
          space.release();
        }
        versionSince = since;
        commits += 1;
        hooks.afterCommit();
      };
      await queue.push({ kind: "alone", work });
      await hooks.sync();
    },
    async remove(scope, column, values, durable = true) {
      if (values.length > 0) await queue.push({ kind: "remove", scopes: [scope].flat(), durable, column, values });
    },
    async alone(work) {
      const result: { value?: Awaited<ReturnType<typeof work>> } = {};
      await queue.push({
        kind: "alone",
        work: async () => {
          result.value = await work();
        },
      });
      return result.value as Awaited<ReturnType<typeof work>>;
    },
    sinceUpkeep: () => ({ commits, rows: writtenRows, wasRead }),
    noteUpkeep() {
      commits = 0;
      writtenRows = 0;
      wasRead = false;
    },
    oldestReadVersion: () => new Date(Math.min(versionSince, ...reads.values())),
    noteVersion(since) {
      versionSince = since;
    },
    sync: hooks.sync,
    settle: () => queue.settle(),
    close: () => lance.close(),
  };
};
