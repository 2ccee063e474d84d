import type { Logger } from "../log.ts";
import type { LanceTable } from "./lance.ts";
import type { StoreTable } from "./store-table.ts";

/** Keeps tables small and fast: merges small files, brings indexes up to date, removes versions that nobody reads. */
export interface Maintenance {
  /** The table is open: what the last process left untidied is tidied soon. */
  start(): void;
  /** Tells that the table has a new commit. */
  noteCommit(): void;
  /** Maintains the table now. */
  run(): Promise<void>;
  stop(): void;
}

/** After how many commits a table is tidied: one that was read since the last time, and one that was not. */
export interface CommitsBetween {
  readonly read: number;
  readonly unread: number;
}

/**
 * So many commits leave so many small files. A search gets slower with each (by .4 ms, and 8 ms for each thousand rows
 * that no index holds yet); where nobody searches, that can wait, since bringing the indexes up to date costs as much
 * for a few rows as for many. Other tables are read by id or a page at a time.
 */
export const commitsBetween = {
  searched: { read: 32, unread: 96 },
  other: { read: 96, unread: 96 },
} as const satisfies Record<string, CommitsBetween>;
/** A large table takes long to tidy, and writes wait meanwhile: under load no more than a tenth of the time goes there … */
const restPerRun = 9;
/** … unless so many commits have piled up that reading suffers. */
const mostCommits = 320;
/** A table that was written to and then left alone is tidied after this. */
const idleMs = 1_000;

/**
 * @param table is read when needed: hooks are made before their table
 * @param between after how many commits it is time, see `commitsBetween`
 * @param afterwards more upkeep, under the same lock: building a vector index
 */
export const createMaintenance = <T>(
  table: () => StoreTable<T>,
  log: Logger,
  between: CommitsBetween,
  afterwards: (lance: LanceTable) => Promise<void> = async () => undefined,
): Maintenance => {
  let stopped = false;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  /** The last run merged files: the ones it replaced can go in the next. */
  let leftovers = true;
  let endedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;

  const maintain = async (): Promise<void> => {
    const subject = table();
    let startedAt = performance.now();
    try {
      await subject.alone(async () => {
        startedAt = performance.now();
        subject.noteUpkeep();
        leftovers = false;
        // One process writes, and not now: every version that no running query began with may go.
        const { compaction } = await subject.lance.optimize({ cleanupOlderThan: subject.oldestReadVersion() });
        leftovers = compaction.fragmentsRemoved > 0;
        await afterwards(subject.lance);
      });
    } catch (error) {
      log.warn({ table: subject.definition.name, error: String(error) }, "maintenance of a table failed");
    }
    endedAt = performance.now();
    tookMs = endedAt - startedAt;
  };

  const run = (): Promise<void> => {
    running ??= maintain().finally(() => {
      running = null;
    });
    return running;
  };

  const schedule = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (stopped) return;
    timer = setTimeout(() => {
      timer = null;
      if (table().sinceUpkeep().commits > 0 || leftovers) void run().then(schedule);
    }, idleMs);
    timer.unref();
  };

  return {
    start: schedule,
    noteCommit() {
      const { commits, wasRead } = table().sinceUpkeep();
      const rested = performance.now() - endedAt >= restPerRun * tookMs;
      const isTime = commits >= (wasRead ? between.read : between.unread);
      if (!stopped && (commits >= mostCommits || (isTime && rested))) void run();
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
