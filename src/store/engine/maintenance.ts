import type { Gate } from "../../async/keyed-mutex.ts";
import type { Logger } from "../../log.ts";
import { withOldVersions } from "../erasure/retention.ts";
import type { VectorIndexState } from "../search/vector-index.ts";
import type { Tidied, UpkeepWork } from "../upkeep/upkeep-work.ts";
import type { LanceTable } from "./lance.ts";
import type { StoreTable } from "./store-table.ts";
import type { TableOpener } from "./tables.ts";

/** Keeps tables small and fast: merges small files, updates indexes, removes versions that nobody reads. */
export interface Maintenance {
  /** The table is open: it is tidied soon, for the last process may have left it untidied. */
  start(): void;
  /** The table has a new commit. */
  noteCommit(): void;
  /** Maintains the table now. */
  run(): Promise<void>;
  /** Nothing begins after this call; a run that is under way is one of the table's writes. */
  stop(): void;
}

/** What else is done when a table is tidied. */
export interface TableUpkeep {
  /** What was committed before this call is tidied by this run. */
  begin?(): void;
  /** For a table with vectors: its index is built when it is worth it. */
  vectorIndex?: VectorIndexState;
  /** Takes the rows that the index of each column lacks after a run, while nothing is removed or updated. */
  noteUnindexed?(rows: Tidied["unindexedRows"]): void;
  /** Reads what searches of the new version need, before they see it. Only where the table is searched. */
  warm?(version: LanceTable): Promise<void>;
  /** The table's own handle sees what was made. Not called where it failed. */
  end?(): void;
  /** Before rows are moved in another way, and their indexes made anew. */
  invalidate?(): void;
  /** Whether what was added since the last run is searched without the table. */
  searchesAdded?(): boolean;
}

/** What was written since a table was tidied. */
interface Written {
  readonly commits: number;
  readonly rows: number;
}

const isReached = (limit: Written, { commits, rows }: Written): boolean =>
  commits >= limit.commits || rows >= limit.rows;

/**
 * How much may be written before a table is tidied: if it was read since the last time, if it was not, and if it was read
 * but what was added is searched without it.
 */
export interface MaxUntidied {
  readonly read: Written;
  readonly unread: Written;
  readonly searchedApart: Written;
}

const rarely = { commits: 96, rows: Number.POSITIVE_INFINITY };

/**
 * Each commit leaves small files. A search gets 0.4 ms slower with each, and 8 ms slower with a thousand rows that no
 * index holds yet. If nobody searches, that can wait, because updating the indexes costs nearly as much for a few rows as
 * for many. Other tables are read by id or a page at a time.
 */
export const maxUntidied = {
  searched: {
    read: { commits: 32, rows: 4_000 },
    unread: { commits: 96, rows: 40_000 },
    searchedApart: { commits: 64, rows: 6_000 },
  },
  other: { read: rarely, unread: rarely, searchedApart: rarely },
} as const satisfies Record<string, MaxUntidied>;
/**
 * After a run, a table rests for this share of the time that the run took, so that a large one is not tidied all the time.
 * If it is read, more rest costs more than it saves: searches of the new files take more of the processor than upkeep.
 * While 800 texts of 64 KB were taken in on 2 busy cores, the slowest of 100 questions took 1.4 s with a rest of two runs,
 * 0.9 s with one, 0.5 s with this. If what was added is searched apart, that is different: each run writes the whole table
 * anew (LanceDB merges files of up to a million rows), 1.3 s of CPU for 130,000 snippets.
 */
const restPerRun = { read: 0.3, unread: 2, searchedApart: 2 };
/** With so many commits it does not rest: reads suffer. */
const maxCommits = 320;
/** With so much it is tidied in the first quiet second, with less in a longer silence. */
const worthTidying: Written = { commits: 16, rows: 1_000 };
/**
 * A table that was written to is tidied when nothing follows for so long. A run takes 50 ms of CPU however little there
 * is: a server with three pieces of work a second ran three times a second, for 22 % of a processor.
 */
const quietMs = { withMuch: 1_000, withLittle: 10_000 };

export interface MaintenanceOptions {
  log: Logger;
  work: Pick<UpkeepWork, "tidy">;
  opener: Pick<TableOpener, "withNewest">;
  /** Runs the upkeep of all tables one after another: each occupies every processor. */
  turn: Gate["exclusive"];
  /** Closed while files of tables are being kept for a backup: upkeep removes files. */
  upkeepGate: Pick<Gate, "shared">;
  /** How much may be written before the table is tidied. */
  limits: MaxUntidied;
  upkeep?: TableUpkeep;
}

/** @param table is called when needed: hooks are made before their table */
export const createMaintenance = <T>(table: () => StoreTable<T>, options: MaintenanceOptions): Maintenance => {
  const { log, work, opener, turn, upkeepGate, limits, upkeep = {} } = options;
  let stopped = false;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  /** The last run merged files: the next can remove those that it replaced. */
  let leftovers = true;
  let endedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;

  const warm = async (name: string): Promise<void> => {
    if (upkeep.warm === undefined) return;
    await opener.withNewest(name, upkeep.warm).catch((error: unknown) => {
      log.debug({ table: name, error: String(error) }, "a new version could not be read ahead");
    });
  };

  const maintain = async (): Promise<void> => {
    if (stopped) return; // while it waited for its turn: the table may be closed by now
    const subject = table();
    let startedAt = performance.now();
    /** When the current version was committed, or a moment before that; null if the work made none. */
    let madeSince: number | null = null;
    upkeep.begin?.();
    try {
      await withOldVersions(subject, async (removable) => {
        startedAt = performance.now();
        const { wasRead } = subject.sinceUpkeep();
        subject.noteUpkeep();
        leftovers = false;
        // A power loss may take whatever is not on disk, and so the version that tidying makes. The current one is
        // synced first, and stays while older ones are removed.
        await subject.sync();
        const tidied = await work.tidy({
          table: subject.definition.name,
          ...removable,
          vectorIndex: upkeep.vectorIndex?.plan() ?? null,
          countUnindexed: upkeep.noteUnindexed !== undefined,
        });
        madeSince = tidied.madeSince;
        leftovers = tidied.merged;
        if (tidied.failure !== null) throw new Error(tidied.failure);
        upkeep.vectorIndex?.note(tidied.vectorIndexRows);
        upkeep.noteUnindexed?.(tidied.unindexedRows);
        if (wasRead && madeSince !== null) await warm(subject.definition.name);
      });
      upkeep.end?.();
    } catch (error) {
      log.warn({ table: subject.definition.name, error: String(error) }, "maintenance of a table failed");
    }
    if (madeSince !== null) subject.noteVersion(madeSince);
    endedAt = performance.now();
    tookMs = endedAt - startedAt;
    log.debug({ table: subject.definition.name, ms: Math.round(tookMs) }, "a table was tidied");
  };

  const run = (): Promise<void> => {
    running ??= turn(() => upkeepGate.shared(maintain)).finally(() => {
      running = null;
    });
    return running;
  };

  const schedule = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (stopped) return;
    const { withMuch, withLittle } = quietMs;
    timer = setTimeout(
      () => {
        timer = null;
        if (table().sinceUpkeep().commits > 0 || leftovers) void run().then(schedule);
      },
      isReached(worthTidying, table().sinceUpkeep()) ? withMuch : withLittle,
    );
    timer.unref();
  };

  return {
    start: schedule,
    noteCommit() {
      const { commits, rows, wasRead } = table().sinceUpkeep();
      const use = !wasRead ? "unread" : upkeep.searchesAdded?.() ? "searchedApart" : "read";
      const rested = performance.now() - endedAt >= restPerRun[use] * tookMs;
      const isTime = isReached(limits[use], { commits, rows });
      if (!stopped && (commits >= maxCommits || (isTime && rested))) void run();
      schedule();
    },
    run,
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
};
