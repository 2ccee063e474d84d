import { createYielder } from "../../async/yield.ts";
import { createRowReader, type ReadableBatch, type RowReader } from "./cells.ts";
import type { LanceTable } from "./lance.ts";
import { columnsOf, DamagedRowError, type TableDefinition } from "./table-definition.ts";

/** What happens to a table while it is open: when it needs upkeep, and which of its old versions are still read. */
export interface TableActivity {
  /** A commit of so many rows was made; it began at this moment (epoch ms). */
  noteCommit(startedAt: number, rows: number): void;
  /** See `StoreTable.noteVersion`. */
  noteVersion(since: number): void;
  /** Runs a read: the versions that it may use are kept until it ends. */
  track<R>(read: () => Promise<R>): Promise<R>;
  /** What happened since the last call of `noteUpkeep`. */
  sinceUpkeep(): { readonly commits: number; readonly rows: number; readonly wasRead: boolean };
  noteUpkeep(): void;
  oldestReadVersion(): Date;
  /** See `StoreTable.mayHaveStrayFiles`. */
  mayHaveStrayFiles(): boolean;
  noteStrayFiles(): void;
  noteNoStrayFiles(): void;
}

export const createTableActivity = (): TableActivity => {
  let commits = 0;
  let rows = 0;
  let wasRead = false;
  /**
   * A moment before the current version was committed. A read that begins now needs the versions from this moment on.
   * 0: the version was committed before the table was opened, so no older one may be removed yet.
   */
  let versionSince = 0;
  const reads = new Map<symbol, number>();
  /** The last process may have been interrupted. */
  let mayHaveStrays = true;

  return {
    noteCommit(startedAt, committed) {
      versionSince = startedAt;
      commits += 1;
      rows += committed;
    },
    noteVersion(since) {
      versionSince = Math.max(versionSince, since);
    },
    async track(read) {
      const id = Symbol("read");
      wasRead = true;
      reads.set(id, versionSince);
      try {
        return await read();
      } finally {
        reads.delete(id);
      }
    },
    sinceUpkeep: () => ({ commits, rows, wasRead }),
    noteUpkeep() {
      commits = 0;
      rows = 0;
      wasRead = false;
    },
    oldestReadVersion: () => new Date(Math.min(versionSince, ...reads.values())),
    mayHaveStrayFiles: () => mayHaveStrays,
    noteStrayFiles() {
      mayHaveStrays = true;
    },
    noteNoStrayFiles() {
      mayHaveStrays = false;
    },
  };
};

interface FindOptions {
  where?: string;
  /** Null comes before every value, so that the other direction is the same order turned round. */
  orderBy?: readonly { column: string; ascending: boolean }[];
  limit?: number;
  offset?: number;
}

/** A query of LanceDB: it returns batches whose columns are read directly. */
interface RunnableQuery {
  toArrow(): Promise<{ readonly batches: readonly ReadableBatch[] }>;
}

/** What becomes of damage that a read meets. */
export interface ReadDamage {
  /** A row that does not hold what was written: it is left out of what is read. */
  row(table: string, row: RowReader, error: DamagedRowError): void;
  /** A read that failed. @returns the error for its caller */
  unreadable(table: string, error: unknown): Promise<unknown>;
}

/** For reads whose damage somebody else tells of. */
export const unnotedDamage: ReadDamage = { row: () => undefined, unreadable: async (_, error) => error };

/** Reads run at once, beside writes. The versions that a read uses are kept until it ends. */
export interface TableReads<T> {
  find(options: FindOptions): Promise<T[]>;
  /** Reads some columns only. */
  scan<R>(columns: readonly string[], options: FindOptions, decode: (row: RowReader) => R): Promise<R[]>;
  /** Reads some columns of all rows, batch after batch, while other work runs; ends when `visitor` returns false. */
  visit(
    columns: readonly string[],
    where: string,
    visitor: (row: RowReader) => boolean,
    orderBy?: FindOptions["orderBy"],
  ): Promise<void>;
  /** Reads how many bytes a text takes in UTF-8, row by row, as `visit` does; the texts themselves are not passed on. */
  visitLengths(
    idColumn: string,
    textColumn: string,
    where: string,
    visitor: (id: string, bytes: number) => void,
  ): Promise<void>;
  /** Runs a query of LanceDB. */
  run<R>(query: RunnableQuery, decode: (row: RowReader) => R): Promise<R[]>;
  count(where?: string): Promise<number>;
  /** The number of rows that a query of LanceDB returns. */
  countHits(query: RunnableQuery): Promise<number>;
}

/** Rows in a batch of a visit: 16 MiB if each has as much metadata as is allowed. */
const visitBatchRows = 256;

export const createTableReads = <T>(
  definition: TableDefinition<T>,
  lance: LanceTable,
  activity: Pick<TableActivity, "track">,
  damage: ReadDamage,
): TableReads<T> => {
  const allColumns = columnsOf(definition);

  const track = <R>(read: () => Promise<R>): Promise<R> =>
    activity.track(read).catch(async (error: unknown) => {
      throw await damage.unreadable(definition.name, error);
    });

  /** @returns null for a damaged row */
  const decodeRow = <R>(row: RowReader, decode: (row: RowReader) => R): { value: R } | null => {
    try {
      return { value: decode(row) };
    } catch (error) {
      if (!(error instanceof DamagedRowError)) throw error;
      damage.row(definition.name, row, error);
      return null;
    }
  };

  const queryOf = (columns: readonly string[], { where, orderBy, limit, offset }: FindOptions) => {
    let query = lance.query().select([...columns]);
    if (where !== undefined) query = query.where(where);
    if (orderBy !== undefined) {
      query = query.orderBy(
        orderBy.map(({ column, ascending }) => ({ columnName: column, ascending, nullsFirst: ascending })),
      );
    }
    if (limit !== undefined) query = query.limit(limit);
    if (offset !== undefined && offset > 0) query = query.offset(offset);
    return query;
  };

  const run: TableReads<T>["run"] = (query, decode) =>
    track(async () => {
      const found: ReturnType<typeof decode>[] = [];
      const { batches } = await query.toArrow();
      const yieldTurn = createYielder();
      for (const batch of batches) {
        const reader = createRowReader(batch);
        for (let index = 0; index < reader.length; index += 1) {
          const decoded = decodeRow(reader.at(index), decode);
          if (decoded !== null) found.push(decoded.value);
          const pause = yieldTurn(); // a hundred snippets of a hostile text take 50 ms
          if (pause !== undefined) await pause;
        }
      }
      return found;
    });

  type Query = ReturnType<typeof queryOf>;
  const visitRows = (query: Query, visitor: (row: RowReader) => boolean): Promise<void> =>
    track(async () => {
      const yieldTurn = createYielder();
      // biome-ignore lint/complexity/useLiteralKeys: the method is protected, and the only one that takes a batch's length
      for await (const batch of query["execute"]({ maxBatchLength: visitBatchRows })) {
        const reader = createRowReader(batch);
        for (let index = 0; index < reader.length; index += 1) {
          if (decodeRow(reader.at(index), visitor)?.value === false) return;
          const pause = yieldTurn();
          if (pause !== undefined) await pause;
        }
      }
    });

  const scan: TableReads<T>["scan"] = (columns, options, decode) => run(queryOf(columns, options), decode);

  return {
    run,
    scan,
    find: (options) => scan(allColumns, options, definition.decode),
    visit: (columns, where, visitor, orderBy) =>
      visitRows(queryOf(columns, { where, ...(orderBy === undefined ? {} : { orderBy }) }), visitor),
    visitLengths: (idColumn, textColumn, where, visitor) => {
      const columns = { id: idColumn, bytes: `octet_length(${textColumn})` };
      return visitRows(lance.query().select(columns).where(where), (row) => {
        visitor(row.string("id"), row.number("bytes"));
        return true;
      });
    },
    count: (where) => track(() => lance.countRows(where)),
    countHits: (query) =>
      track(async () => (await query.toArrow()).batches.reduce((rows, batch) => rows + batch.numRows, 0)),
  };
};
