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
  visit(columns: readonly string[], where: string, visitor: (row: RowReader) => boolean): Promise<void>;
  /** Runs a query of LanceDB's own; its versions are kept until it is done. */
  run<R>(query: RunnableQuery, decode: (row: RowReader) => R): Promise<R[]>;
  count(where?: string): Promise<number>;
  /** How many rows a query of LanceDB's own yields. */
  countHits(query: RunnableQuery): Promise<number>;
  /** `scope` (one or several), `durable` (true where not given): see WriteOrder. */
  add(scope: Scope, records: readonly T[], durable?: boolean): Promise<void>;
  upsert(scope: Scope, records: readonly T[], durable?: boolean): Promise<void>;
  remove(scope: Scope, column: string, values: readonly string[], durable?: boolean): Promise<void>;
  /** Runs work while nothing else writes to the table. */
  alone<R>(work: () => Promise<R>): Promise<R>;
  /** What happened since the last call of `noteUpkeep`. */
  sinceUpkeep(): { readonly commits: number; readonly rows: number; readonly wasRead: boolean };
  noteUpkeep(): void;
  /** Versions committed before this moment are neither current nor read by anybody. */
  oldestReadVersion(): Date;
  /** Resolves when all that was committed before the call is on disk. */
  sync(): Promise<void>;
  settle(): Promise<void>;
  close(): void;
}

export interface TableHooks {
  /** Before each commit that needs space. @throws ApiError storage_unavailable */
  beforeGrowth(): Promise<void>;
  sync(): Promise<void>;
  /** Turns what LanceDB throws into what the caller is told. */
  explain(error: unknown): unknown;
  afterCommit(): void;
}

/** Rows visited before other work gets its turn: some milliseconds. */
const rowsAtAStretch = 128;

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
    try {
      if (group.kind === "add" || group.kind === "upsert") await hooks.beforeGrowth();
      await apply(group);
    } catch (error) {
      throw hooks.explain(error);
    } finally {
      versionSince = startedAt;
    }
    if (group.kind === "alone") return;
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

  const scan = <R>(
    columns: readonly string[],
    { where, orderBy, limit, offset }: FindOptions,
    decode: (row: RowReader) => R,
  ): Promise<R[]> => {
    let query = lance.query().select([...columns]);
    if (where !== undefined) query = query.where(where);
    if (orderBy !== undefined) {
      query = query.orderBy(orderBy.map(({ column, ascending }) => ({ columnName: column, ascending })));
    }
    if (limit !== undefined) query = query.limit(limit);
    if (offset !== undefined && offset > 0) query = query.offset(offset);
    return run(query, decode);
  };

  const visit: StoreTable<T>["visit"] = (columns, where, visitor) =>
    tracked(async () => {
      for await (const batch of lance
        .query()
        .where(where)
        .select([...columns])) {
        const reader = createRowReader(batch);
        for (let index = 0; index < reader.length; index += 1) {
          if (!visitor(reader.at(index))) return;
          if (index % rowsAtAStretch === 0) await new Promise<void>((resolve) => setImmediate(resolve));
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
    sync: hooks.sync,
    settle: () => queue.settle(),
    close: () => lance.close(),
  };
};
