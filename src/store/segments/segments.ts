import { createGate, whileIn } from "../../async/keyed-mutex.ts";
import type { Logger } from "../../log/log.ts";
import type { RowReader } from "../engine/cells.ts";
import { isOneOf } from "../engine/filters.ts";
import type { Scope, StoreTable } from "../engine/store-table.ts";
import type { TableDefinition } from "../engine/table-definition.ts";
import { numberOf, type SegmentCatalog, segmentName } from "./catalog.ts";

/** One of the tables that the rows of an index are in. */
export interface Segment<T> {
  readonly table: StoreTable<T>;
}

/** Takes the rows of some revisions: all rows of one go to the same segment. */
type RowTarget<T> = Pick<StoreTable<T>, "add">;

/**
 * The rows of an index, in one table after another: rows are added to the newest, which is followed by another when it is
 * full. They are read and removed as those of one table.
 */
export interface Segments<T, S extends Segment<T> = Segment<T>> {
  /** Oldest first. */
  all(): readonly S[];
  /** Where there are several, those that may hold rows with one of these values; oldest first. */
  holding(column: string, values: readonly string[]): Promise<readonly S[]>;
  /** Runs work that adds rows to the newest, or to a new one in its place if it is full. */
  append<R>(work: (newest: RowTarget<T>) => Promise<R>): Promise<R>;
  find(where: string): Promise<T[]>;
  scan<R>(columns: readonly string[], where: string, decode: (row: RowReader) => R): Promise<R[]>;
  /** One segment after the other; see `TableReads`. */
  visit(columns: readonly string[], where: string, visitor: (row: RowReader) => boolean): Promise<void>;
  count(where?: string): Promise<number>;
  /** Runs work that reads several tables one after the other: none of them is removed before it has ended. */
  read<R>(work: (tables: readonly StoreTable<T>[]) => Promise<R>): Promise<R>;
  /** Removes rows where there are some: each table that loses one is written anew within the minute. */
  remove(scope: Scope, column: string, values: readonly string[], durable?: boolean): Promise<void>;
  removeWhere(where: string): Promise<void>;
  /** The tables and their rows, oldest first. */
  sizes(): Promise<TableSize[]>;
  /**
   * Puts one table in the place of others that are full. What is removed from these meanwhile is removed from it too.
   * @param make makes it of the rows that they have now, under this name
   * @param untilUnread resolves when what read them before has ended: then they are removed
   */
  replace(
    inputs: readonly string[],
    make: (output: string, indexes: Indexes) => Promise<void>,
    untilUnread: () => Promise<void>,
  ): Promise<void>;
  /** Removes all tables once their writes are done. */
  drop(): Promise<void>;
}

type Indexes = TableDefinition<unknown>["indexes"];

export interface TableSize {
  readonly table: string;
  readonly rows: number;
}

interface SegmentsOptions<T, S extends Segment<T>> {
  catalog: SegmentCatalog;
  /** The name of the first table, which those of the others begin with. */
  base: string;
  /** With so many rows a segment is full. */
  maxRows: number;
  /** Opens a table; makes it where it is missing. */
  open(name: string): Promise<S>;
  /** Removes an open table. */
  drop(name: string): Promise<void>;
  /** Rows are about to be added, to a new table where `isNew`. */
  onAdd(isNew: boolean): void;
  log: Logger;
}

interface OpenSegment<T, S> {
  readonly segment: S;
  readonly target: RowTarget<T>;
  /** Work that adds rows. */
  readonly adding: Set<Promise<unknown>>;
  isFull(): Promise<boolean>;
  /** Whether it has rows to be removed, or is getting them. */
  mayHold(column: string, values: readonly string[]): Promise<boolean>;
}

const trackSegment = async <T, S extends Segment<T>>(segment: S, maxRows: number): Promise<OpenSegment<T, S>> => {
  const { table } = segment;
  /** What was removed since is only taken off when it seems to be full. */
  let rows = await table.count();
  /** How many commits are under way, by what they touch: no read sees their rows yet. */
  const underWay = new Map<string, number>();
  const note = (names: readonly string[], change: 1 | -1): void => {
    for (const name of names) {
      const count = (underWay.get(name) ?? 0) + change;
      if (count === 0) underWay.delete(name);
      else underWay.set(name, count);
    }
  };
  return {
    segment,
    adding: new Set(),
    target: {
      async add(scope, added, durable) {
        const names = [scope].flat();
        rows += added.length;
        note(names, 1);
        await table.add(scope, added, durable).finally(() => note(names, -1));
      },
    },
    async isFull() {
      if (rows >= maxRows) rows = await table.count();
      return rows >= maxRows;
    },
    async mayHold(column, values) {
      // The scope of added rows names their revisions.
      const isAdding = column === "revision" ? values.some((value) => underWay.has(value)) : underWay.size > 0;
      if (isAdding) return true;
      return table.count(isOneOf(column, values)).then(
        (count) => count > 0,
        () => true,
      );
    },
  };
};

/** Opens the tables that the catalog names. */
export const openSegments = async <T, S extends Segment<T>>(
  options: SegmentsOptions<T, S>,
): Promise<Segments<T, S>> => {
  const { catalog, base, maxRows, open, log } = options;
  const openNamed = async (name: string): Promise<OpenSegment<T, S>> => trackSegment<T, S>(await open(name), maxRows);
  let segments: readonly OpenSegment<T, S>[] = await Promise.all(catalog.tablesOf(base).map(openNamed));
  let lastNumber = Math.max(0, ...catalog.tablesOf(base).map(numberOf));
  /** Opened, but not named yet: the catalog could not be written. */
  let unnamed: OpenSegment<T, S> | null = null;
  let beginning: Promise<void> | null = null;
  /** Changes of the list, one after the other. */
  const { exclusive: inTurn } = createGate();
  /** Closed for the moment in which a table takes the place of others. */
  const removals = createGate();
  /** What is removed while a table is made that takes the place of others, to be removed from it as well. */
  let repeated: ((made: StoreTable<T>) => Promise<void>)[] | null = null;
  /** What reads one table after the other. */
  const reading = new Set<Promise<unknown>>();
  let isDropped = false;

  const nameOf = ({ segment }: OpenSegment<T, S>): string => segment.table.definition.name;

  const newestOf = (): OpenSegment<T, S> => {
    const last = segments.at(-1);
    if (last === undefined) throw new Error(`${base} has no table`);
    return last;
  };

  const nextName = (): string => {
    lastNumber += 1;
    return segmentName(base, lastNumber);
  };

  /** The table is there before the catalog names it, and the catalog names it before it gets rows. */
  const begin = async (): Promise<void> => {
    unnamed ??= await openNamed(nextName());
    const name = nameOf(unnamed);
    await catalog.set(base, [...segments.map(nameOf), name]);
    segments = [...segments, unnamed];
    unnamed = null;
    log.info({ table: name }, "a table of an index is full: another one follows it");
    options.onAdd(true);
  };

  const beginOnce = (): Promise<void> => {
    beginning ??= inTurn(begin)
      .catch((error: unknown) => {
        log.warn(
          { table: base, error: String(error) },
          "another table of an index could not be made: this one grows on",
        );
      })
      .finally(() => {
        beginning = null;
      });
    return beginning;
  };

  /** Where there are several, those that may hold rows. */
  const holding = async (column: string, values: readonly string[]): Promise<readonly OpenSegment<T, S>[]> => {
    if (segments.length === 1) return segments;
    const asked = segments;
    const held = await Promise.all(asked.map((one) => one.mayHold(column, values)));
    return asked.filter((_, at) => held[at]);
  };

  const tables = (): StoreTable<T>[] => segments.map(({ segment }) => segment.table);

  /** The tables that are there now stay until the work has ended. */
  const read = <R>(work: (tables: readonly StoreTable<T>[]) => Promise<R>): Promise<R> =>
    whileIn(reading, work(tables()));

  const repeat = async (made: StoreTable<T>, from: number): Promise<number> => {
    let done = from;
    for (const remove of repeated?.slice(from) ?? []) {
      await remove(made);
      done += 1;
    }
    return done;
  };

  /** @returns those that it takes the place of */
  const takePlace = async (
    inputs: readonly string[],
    made: OpenSegment<T, S>,
  ): Promise<readonly OpenSegment<T, S>[]> => {
    // Most of it before removals have to wait.
    const done = await repeat(made.segment.table, 0);
    return await removals.exclusive(() =>
      inTurn(async () => {
        await repeat(made.segment.table, done);
        const isInput = (one: OpenSegment<T, S>): boolean => inputs.includes(nameOf(one));
        const replaced = segments.filter(isInput);
        const list = segments.flatMap((one) => (one === replaced[0] ? [made] : isInput(one) ? [] : [one]));
        await catalog.set(base, list.map(nameOf));
        segments = list;
        return replaced;
      }),
    );
  };

  return {
    all: () => segments.map(({ segment }) => segment),
    holding: async (column, values) => (await holding(column, values)).map(({ segment }) => segment),
    async append(work) {
      if (beginning !== null) await beginning;
      else if (await newestOf().isFull()) await beginOnce();
      options.onAdd(false);
      const { target, adding } = newestOf();
      return await whileIn(adding, work(target));
    },
    find: (where) => read(async (all) => (await Promise.all(all.map((table) => table.find({ where })))).flat()),
    scan: (columns, where, decode) =>
      read(async (all) => (await Promise.all(all.map((table) => table.scan(columns, { where }, decode)))).flat()),
    visit: (columns, where, visitor) =>
      read(async (all) => {
        let goesOn = true;
        for (const table of all) {
          await table.visit(columns, where, (row) => {
            goesOn = visitor(row);
            return goesOn;
          });
          if (!goesOn) return;
        }
      }),
    count: (where) =>
      read(async (all) => {
        const counts = await Promise.all(all.map((table) => table.count(where)));
        return counts.reduce((sum, count) => sum + count, 0);
      }),
    read,
    async remove(scope, column, values, durable) {
      if (values.length === 0) return;
      await removals.shared(async () => {
        repeated?.push(async (made) => {
          if ((await made.count(isOneOf(column, values))) > 0) await made.remove(scope, column, values, durable);
        });
        const from = await holding(column, values);
        await Promise.all(from.map(({ segment }) => segment.table.remove(scope, column, values, durable)));
      });
    },
    async removeWhere(where) {
      await removals.shared(async () => {
        repeated?.push((made) => made.removeWhere(where));
        const all = tables();
        for (const table of all) if (all.length === 1 || (await table.count(where)) > 0) await table.removeWhere(where);
      });
    },
    sizes: () =>
      read((all) =>
        Promise.all(all.map(async (table) => ({ table: table.definition.name, rows: await table.count() }))),
      ),
    async replace(inputs, make, untilUnread) {
      // A removal that is under way is done before the tables are read, or is repeated.
      await removals.exclusive(async () => {
        repeated = [];
      });
      try {
        const output = nextName();
        // A long text is added to the table that it began with.
        await Promise.all(segments.flatMap((one) => (inputs.includes(nameOf(one)) ? [...one.adding] : [])));
        await make(output, newestOf().segment.table.definition.indexes);
        const made = await openNamed(output);
        if (isDropped) return await options.drop(output);
        const replaced = await takePlace(inputs, made).catch(async (error: unknown) => {
          await options.drop(output);
          throw error;
        });
        repeated = null;
        await Promise.all([untilUnread(), ...reading]);
        for (const one of replaced) await options.drop(nameOf(one));
      } finally {
        repeated = null;
      }
    },
    async drop() {
      isDropped = true;
      for (const table of tables()) await options.drop(table.definition.name);
      await catalog.forget([base]);
    },
  };
};
