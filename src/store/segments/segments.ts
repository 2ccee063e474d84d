import type { Logger } from "../../log/log.ts";
import type { RowReader } from "../engine/cells.ts";
import { isOneOf } from "../engine/filters.ts";
import type { Scope, StoreTable } from "../engine/store-table.ts";
import { numberOf, type SegmentCatalog, segmentName } from "./catalog.ts";

/** One of the tables that the rows of an index are in. */
export interface Segment<T> {
  readonly table: StoreTable<T>;
}

/** Takes the rows of some revisions: all rows of one go to the same segment. */
export type RowTarget<T> = Pick<StoreTable<T>, "add">;

/**
 * The rows of an index, in one table after another: rows are added to the newest, which is followed by another when it is
 * full. They are read and removed as those of one table.
 */
export interface Segments<T, S extends Segment<T> = Segment<T>> {
  /** Oldest first. */
  all(): readonly S[];
  /** Where there are several, those that may hold rows with one of these values; oldest first. */
  holding(column: string, values: readonly string[]): Promise<readonly S[]>;
  /** The newest, or a new one in its place if it is full. */
  newest(): Promise<RowTarget<T>>;
  find(where: string): Promise<T[]>;
  scan<R>(columns: readonly string[], where: string, decode: (row: RowReader) => R): Promise<R[]>;
  /** One segment after the other; see `TableReads`. */
  visit(columns: readonly string[], where: string, visitor: (row: RowReader) => boolean): Promise<void>;
  count(where?: string): Promise<number>;
  /** Removes rows where there are some: each table that loses one is written anew within the minute. */
  remove(scope: Scope, column: string, values: readonly string[], durable?: boolean): Promise<void>;
  removeWhere(where: string): Promise<void>;
  /** Removes all tables once their writes are done. */
  drop(): Promise<void>;
}

export interface SegmentsOptions<T, S extends Segment<T>> {
  catalog: SegmentCatalog;
  /** The name of the first table, which those of the others begin with. */
  base: string;
  /** With so many rows a segment is full. */
  maxRows: number;
  /** Opens a table; makes it where it is missing. */
  open(name: string): Promise<S>;
  /** Removes an open table. */
  drop(name: string): Promise<void>;
  log: Logger;
}

interface OpenSegment<T, S> {
  readonly segment: S;
  readonly target: RowTarget<T>;
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
  let segments: readonly OpenSegment<T, S>[] = [];
  for (const name of catalog.tablesOf(base))
    segments = [...segments, await trackSegment<T, S>(await open(name), maxRows)];
  /** Opened, but not named yet: the catalog could not be written. */
  let unnamed: OpenSegment<T, S> | null = null;
  let beginning: Promise<void> | null = null;

  const newestOf = (): OpenSegment<T, S> => {
    const last = segments.at(-1);
    if (last === undefined) throw new Error(`${base} has no table`);
    return last;
  };

  /** The table is there before the catalog names it, and the catalog names it before it gets rows. */
  const begin = async (): Promise<void> => {
    const names = segments.map(({ segment }) => segment.table.definition.name);
    const name = segmentName(base, Math.max(...names.map(numberOf)) + 1);
    unnamed ??= await trackSegment<T, S>(await open(name), maxRows);
    await catalog.set(base, [...names, name]);
    segments = [...segments, unnamed];
    unnamed = null;
    log.info({ table: name }, "a table of an index is full: another one follows it");
  };

  const beginOnce = (): Promise<void> => {
    beginning ??= begin()
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

  return {
    all: () => segments.map(({ segment }) => segment),
    holding: async (column, values) => (await holding(column, values)).map(({ segment }) => segment),
    async newest() {
      if (beginning !== null) await beginning;
      else if (await newestOf().isFull()) await beginOnce();
      return newestOf().target;
    },
    find: async (where) => (await Promise.all(tables().map((table) => table.find({ where })))).flat(),
    scan: async (columns, where, decode) =>
      (await Promise.all(tables().map((table) => table.scan(columns, { where }, decode)))).flat(),
    async visit(columns, where, visitor) {
      let goesOn = true;
      for (const table of tables()) {
        await table.visit(columns, where, (row) => {
          goesOn = visitor(row);
          return goesOn;
        });
        if (!goesOn) return;
      }
    },
    async count(where) {
      const counts = await Promise.all(tables().map((table) => table.count(where)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async remove(scope, column, values, durable) {
      if (values.length === 0) return;
      const from = await holding(column, values);
      await Promise.all(from.map(({ segment }) => segment.table.remove(scope, column, values, durable)));
    },
    async removeWhere(where) {
      const all = tables();
      for (const table of all) if (all.length === 1 || (await table.count(where)) > 0) await table.removeWhere(where);
    },
    async drop() {
      for (const table of tables()) await options.drop(table.definition.name);
      await catalog.forget([base]);
    },
  };
};
