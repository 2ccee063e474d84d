import type { Logger } from "../../log.ts";
import { removableVersions } from "../erasure/retention.ts";
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

/** What was written since a table was tidied. */
interface Written {
  readonly commits: number;
  readonly rows: number;
}

/** How much may be written until a table is tidied: one that was read since the last time, and one that was not. */
export interface MostUntidied {
  readonly read: Written;
  readonly unread: Written;
}

const rarely = { commits: 96, rows: Number.POSITIVE_INFINITY };

/**
 * Each commit leaves small files. A search gets slower with each (by .4 ms), and with the rows that no index holds yet
 * (by 8 ms for a thousand); where nobody searches, that can wait, since bringing the indexes up to date costs nearly as
 * much for a few rows as for many. Other tables are read by id or a page at a time.
 */
export const mostUntidied = {
  searched: { read: { commits: 32, rows: 4_000 }, unread: { commits: 96, rows: 40_000 } },
  other: { read: rarely, unread: rarely },
} as const satisfies Record<string, MostUntidied>;
/** A large table takes long to tidy, and writes wait meanwhile: under load no more than a tenth of the time goes there … */
const restPerRun = 9;
/** … unless so many commits have piled up that reading suffers. */
const mostCommits = 320;
/** A table that was written to and then left alone is tidied after this. */
const idleMs = 1_000;

/**
 * @param table is read when needed: hooks are made before their table
 * @param most when it is time, see `mostUntidied`
 * @param afterwards more upkeep, under the same lock: building a vector index
 */
export const createMaintenance = <T>(
  table: () => StoreTable<T>,
  log: Logger,
  most: MostUntidied,
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
        const since = Date.now();
        const version = await subject.lance.version();
        // A power loss may take whatever is not on disk, which includes the version that `optimize` makes. So the
        // current one is put there first, and stays while those before it go.
        await subject.sync();
        try {
          const { compaction } = await subject.lance.optimize(removableVersions(subject));
          leftovers = compaction.fragmentsRemoved > 0;
          await afterwards(subject.lance);
        } finally {
          if ((await subject.lance.version()) !== version) subject.noteVersion(since);
        }
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
      const { commits, rows, wasRead } = table().sinceUpkeep();
      const rested = performance.now() - endedAt >= restPerRun * tookMs;
      const limit = wasRead ? most.read : most.unread;
      const isTime = commits >= limit.commits || rows >= limit.rows;
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
