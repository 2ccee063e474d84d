import type { Gate } from "../../async/keyed-mutex.ts";
import type { Logger } from "../../log/log.ts";
import type { FreeSpaceGuard } from "../disk/free-space.ts";
import type { LanceTable } from "./lance.ts";
import type { StoreTable } from "./store-table.ts";
import type { TableOpener } from "./tables.ts";
import { isUpkeepDue, silenceBeforeUpkeepMs, type UpkeepLimits } from "./upkeep-due.ts";
import type { Tidied, TidyRequest, UpkeepWork } from "./upkeep-work.ts";
import type { VectorIndexState } from "./vector-index.ts";

/** What may be removed from the disk. */
type Removable = Pick<TidyRequest, "removeBefore" | "removeUnnamed">;

/**
 * Runs work that may remove old versions of a table, with the files that only they name: all that no running query
 * reads. Rows are added meanwhile, unless the table may have files that no version names, from writes that failed or that
 * a crash interrupted: those are removed while nothing else is written, because rows being added are such files too.
 * It assumes that no other process uses the table but the one that does the upkeep.
 * @param mayHoldWrites false: rows are added meanwhile in any case, and such files stay until the next call that may
 */
export const withOldVersions = async <T, R>(
  table: StoreTable<T>,
  { mayHoldWrites }: { mayHoldWrites: boolean },
  work: (removable: Removable) => Promise<R>,
): Promise<R> => {
  const removable = (removeUnnamed: boolean): Removable => ({
    removeBefore: table.oldestReadVersion().getTime(),
    removeUnnamed,
  });
  if (!mayHoldWrites || !table.mayHaveStrayFiles()) return await table.beside(() => work(removable(false)));
  return await table.alone(async () => {
    const done = await work(removable(true));
    table.noteNoStrayFiles();
    return done;
  });
};

/** How long to wait for queries that still read an old version, and how often to check. */
const maxWaitMs = 15_000;
const checkEveryMs = 250;

interface EraseOptions {
  work: UpkeepWork;
  /** Reserves space for a second copy of the table. @throws ApiError storage_unavailable */
  reserve: FreeSpaceGuard["reserve"];
  /** Called when writes of the table have stopped: rows removed before this moment are erased. */
  onBegin(): void;
  signal: AbortSignal;
}

/**
 * Erases the bytes of removed rows from the disk. LanceDB only marks rows as removed: `optimize` rewrites a file only if
 * a tenth of its rows are, and indexes keep the values. So all rows are rewritten, the indexes rebuilt from them, and the
 * older versions removed. Meanwhile rows are added; removals and updates wait.
 * @returns false if a query still reads an old version: to be tried again
 */
export const eraseRemovedRows = async <T>(table: StoreTable<T>, options: EraseOptions): Promise<boolean> => {
  const { work, signal } = options;
  const { name, indexes } = table.definition;
  const { version, since } = await table.beside(async () => {
    options.onBegin();
    const { totalBytes } = await table.lance.stats();
    const space = await options.reserve(totalBytes, "removals");
    try {
      const erased = await work.erase({ table: name, indexes });
      space.written(totalBytes);
      return erased;
    } finally {
      space.release();
    }
  });
  table.noteVersion(since);
  // Until the new rows are on disk, a power loss may take them: the old ones stay.
  await table.sync();
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    await withOldVersions(table, { mayHoldWrites: true }, async (removable) => {
      const { failure } = await work.tidy({ table: name, ...removable, vectorIndex: null, countUnindexed: false });
      if (failure !== null) throw new Error(failure);
    });
    const versions = await table.lance.listVersions();
    if (versions.every((kept) => kept.version >= version)) return true;
    if (signal.aborted || performance.now() > deadline) return false;
    await Bun.sleep(checkEveryMs);
  }
};

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
  /** In place of `end`: the table's own handle may see a part of what was made. */
  fail?(): void;
  /** Before rows are moved in another way, and their indexes made anew. */
  invalidate?(): void;
  /** Whether what was added since the last run is searched without the table. */
  searchesAdded?(): boolean;
}

export interface MaintenanceOptions {
  log: Logger;
  work: Pick<UpkeepWork, "tidy">;
  opener: Pick<TableOpener, "withNewest">;
  /** Runs the upkeep of all tables one after another: each occupies every processor. */
  turn: Gate["exclusive"];
  /** Closed while files of tables are being kept for a backup: upkeep removes files. */
  upkeepGate: Pick<Gate, "shared">;
  /** How much may be written before the table is tidied. */
  limits: UpkeepLimits;
  upkeep?: TableUpkeep;
}

/** After so many runs that failed, one after the other, the next holds all writes: LanceDB's commits cannot conflict then. */
const maxFailuresBeside = 2;

/** @param table is called when needed: hooks are made before their table */
export const createMaintenance = <T>(table: () => StoreTable<T>, options: MaintenanceOptions): Maintenance => {
  const { log, work, opener, turn, upkeepGate, limits, upkeep = {} } = options;
  let stopped = false;
  let running: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;

  /** The last run left older versions, such as those whose files it merged: the next can remove them. */
  let leftovers = true;
  let endedAt = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  /** Runs that failed, one after the other. */
  let failures = 0;

  const warm = async (name: string): Promise<void> => {
    if (upkeep.warm === undefined) return;
    await opener.withNewest(name, upkeep.warm).catch((error: unknown) => {
      log.debug({ table: name, error: String(error) }, "a new version could not be read ahead");
    });
  };

  /**
   * Files that no version names are removed while writes are held. That takes a moment where nothing else is to be done, and
   * else seconds, in which all writes would wait: so it is left until nothing was written for a while. But not after runs
   * that failed: the next might fail as well, and rows that no index holds would become more and more.
   * @param isQuiet nothing was written for a while
   */
  const maintain = async (isQuiet: boolean): Promise<void> => {
    if (stopped) return; // while it waited for its turn: the table may be closed by now
    const subject = table();
    let startedAt = performance.now();
    /** When the current version was committed, or a moment before that. The last process may have left older ones. */
    let currentSince = 0;
    const mayHoldWrites = (isQuiet && subject.sinceUpkeep().commits === 0) || failures >= maxFailuresBeside;
    upkeep.begin?.();
    try {
      await withOldVersions(subject, { mayHoldWrites }, async (removable) => {
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
        currentSince = tidied.currentSince;
        leftovers = tidied.hasOlder;
        if (tidied.failure !== null) throw new Error(tidied.failure);
        upkeep.vectorIndex?.note(tidied.vectorIndexRows);
        upkeep.noteUnindexed?.(tidied.unindexedRows);
        if (wasRead && tidied.isNew) await warm(subject.definition.name);
      });
      upkeep.end?.();
      failures = 0;
    } catch (error) {
      upkeep.fail?.();
      failures += 1;
      if (!stopped) log.warn({ table: subject.definition.name, error: String(error) }, "maintenance of a table failed");
    }
    subject.noteVersion(currentSince);
    endedAt = performance.now();
    tookMs = endedAt - startedAt;
    log.debug({ table: subject.definition.name, ms: Math.round(tookMs) }, "a table was tidied");
  };

  const run = (isQuiet: boolean): Promise<void> => {
    running ??= turn(() => upkeepGate.shared(() => maintain(isQuiet))).finally(() => {
      running = null;
    });
    return running;
  };

  const isUntidied = (): boolean =>
    table().sinceUpkeep().commits > 0 || leftovers || (table().mayHaveStrayFiles() && failures === 0);

  const silenceMs = (bytes: number): number | null => {
    const { commits, rows } = table().sinceUpkeep();
    // What the last run left takes as much room as the table.
    const quiet = leftovers ? { ...limits.quiet, maxBytes: Number.POSITIVE_INFINITY } : limits.quiet;
    return silenceBeforeUpkeepMs(commits === 0 ? null : { commits, rows }, bytes, quiet);
  };

  /** @param waitedMs since the last commit */
  const schedule = (waitedMs = 0, ms = silenceMs(0)): void => {
    if (timer !== null) clearTimeout(timer);
    timer = stopped || ms === null ? null : setTimeout(() => void tidyAfter(waitedMs + ms), ms);
    timer?.unref();
  };

  const tidyAfter = async (waitedMs: number): Promise<void> => {
    timer = null;
    // A run that is under way may leave files for the next.
    if (running === null && !isUntidied()) return;
    const wantedMs = silenceMs(await table().bytes());
    if (timer !== null || wantedMs === null) return; // it was written to, or is left alone
    if (wantedMs > waitedMs) return schedule(waitedMs, wantedMs - waitedMs);
    await run(true);
    schedule();
  };

  return {
    start: () => schedule(),
    noteCommit() {
      const { wasRead, ...written } = table().sinceUpkeep();
      const use = !wasRead ? "unread" : upkeep.searchesAdded?.() ? "searchedApart" : "read";
      const lastRun = { tookMs, sinceMs: performance.now() - endedAt };
      if (!stopped && isUpkeepDue({ written, use, limits, lastRun })) void run(false);
      schedule();
    },
    run: () => run(true),
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
};
