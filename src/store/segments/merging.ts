import { messageOf } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";
import type { MergeRequest } from "../engine/upkeep-work.ts";
import type { Segments, TableSize } from "./segments.ts";

/** How many rows tables of an index have. */
export interface SegmentRows {
  /** With so many a table is full, and another one follows it. */
  readonly full: number;
  /** Full ones are merged into one of so many at most. */
  readonly merged: number;
}

/** With so many tables that could be one they are merged while documents are taken in, with fewer in a silence. */
const manyTables = 4;

/** A silence is this many times as long as the merge takes, so that a store that gets a document now and then has its rest. */
const silencePerMerge = 10;
const leastSilenceMs = 5_000;
/** For a row that is read, written and indexed (docs/decisions/segments.md). */
const mergeMsOf = (rows: number): number => 0.12 * rows;

/**
 * The tables to be merged next: the smallest ones that fit into one together.
 * @param sizes oldest first; rows are added to the last one
 * @returns none where there is nothing to do
 */
export const tablesToMerge = (
  sizes: readonly TableSize[],
  { merged }: Pick<SegmentRows, "merged">,
  isQuiet: boolean,
): TableSize[] => {
  const smallest = sizes.slice(0, -1).toSorted((one, other) => one.rows - other.rows);
  const fitting: TableSize[] = [];
  let rows = 0;
  for (const one of smallest) {
    rows += one.rows;
    if (rows > merged) break;
    fitting.push(one);
  }
  return fitting.length >= (isQuiet ? 2 : manyTables) ? fitting : [];
};

export interface MergingOptions {
  /** See `UpkeepWork`. */
  merge(request: MergeRequest): Promise<void>;
  /** Resolves when what is searched now is not searched any more. */
  viewsClosed(): Promise<void>;
}

/** Merges full tables of indexes, one index at a time. */
interface Merging {
  /** Its tables are open. */
  watch(segments: Mergeable): void;
  /** Rows are about to be added to an index; to a new table where `isNew`. */
  noteAdded(segments: Mergeable, isNew: boolean): void;
  start(options: MergingOptions): void;
  /** No merge begins after this call. Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

type Mergeable = Pick<Segments<unknown>, "sizes" | "replace">;

export const createMerging = (rows: SegmentRows, log: Logger): Merging => {
  let options: MergingOptions | null = null;
  let running: Promise<void> = Promise.resolve();
  let looking: Promise<void> = Promise.resolve();
  const watched: Mergeable[] = [];
  const timers = new Map<Mergeable, ReturnType<typeof setTimeout>>();

  const mergeSome = async (segments: Mergeable, isQuiet: boolean): Promise<boolean> => {
    if (options === null) return false;
    const { merge, viewsClosed } = options;
    const tables = tablesToMerge(await segments.sizes(), rows, isQuiet);
    if (tables.length === 0) return false;
    const inputs = tables.map(({ table }) => table);
    const started = performance.now();
    await segments.replace(inputs, (output, indexes) => merge({ inputs, output, indexes }), viewsClosed);
    log.info({ tables: inputs, ms: Math.round(performance.now() - started) }, "tables of an index were merged");
    return true;
  };

  const mergeAll = (segments: Mergeable, isQuiet: boolean): void => {
    running = running.then(async () => {
      try {
        while (await mergeSome(segments, isQuiet));
      } catch (error) {
        if (options !== null)
          log.warn({ error: messageOf(error) }, "tables of an index could not be merged: it is tried again later");
      }
    });
  };

  /** @param waitedMs since rows were added */
  const mergeInSilence = async (segments: Mergeable, waitedMs: number): Promise<void> => {
    const timer = timers.get(segments);
    const sum = tablesToMerge(await segments.sizes(), rows, true).reduce((all, one) => all + one.rows, 0);
    if (sum === 0 || timers.get(segments) !== timer) return; // rows were added, or the store is closed
    const leftMs = silencePerMerge * mergeMsOf(sum) - waitedMs;
    if (leftMs > 0) schedule(segments, waitedMs, leftMs);
    else mergeAll(segments, true);
  };

  const schedule = (segments: Mergeable, waitedMs = 0, ms = leastSilenceMs): void => {
    clearTimeout(timers.get(segments));
    const timer = setTimeout(() => {
      const look = mergeInSilence(segments, waitedMs + ms).catch(() => undefined); // its tables are dropped
      looking = Promise.all([looking, look]).then(() => undefined);
    }, ms);
    timer.unref();
    timers.set(segments, timer);
  };

  return {
    watch(segments) {
      watched.push(segments);
      if (options !== null) schedule(segments);
    },
    noteAdded(segments, isNew) {
      if (options === null) return;
      if (isNew) mergeAll(segments, false);
      schedule(segments);
    },
    start(wanted) {
      options = wanted;
      for (const segments of watched) schedule(segments); // the last process may have left some
    },
    async stop() {
      options = null;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await Promise.all([running, looking]);
    },
  };
};
