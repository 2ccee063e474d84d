import { parseDuration } from "../../config/values.ts";
import { createDueTimer } from "../async/waiting.ts";
import { messageOf } from "../domain/errors.ts";
import { isFromWrongClock } from "../domain/times.ts";
import type { Page, Paging } from "../store/contract.ts";
import { type BackupRecord, type Journal, openJournal, stoppedDuringBackup } from "./journal.ts";
import { type RunOptions, runBackup } from "./run-backup.ts";
import { targetName } from "./target/open-target.ts";
import { BackupFailure } from "./target/target.ts";

/**
 * Makes a backup and keeps its record in the journal, from its start to its end. A failure becomes part of the record;
 * a journal that cannot be written is no failure.
 */
const recordBackup = async (
  options: RunOptions,
  journal: Journal,
  requested: BackupRecord,
  signal: AbortSignal,
): Promise<void> => {
  const { log } = options;
  const save = (work: () => Promise<void>): Promise<void> =>
    work().catch((error: unknown) => log.error({ error: String(error) }, "the list of backups could not be written"));
  let current: BackupRecord = { ...requested, status: "running" };
  const change = (changed: BackupRecord): void => {
    current = changed;
    journal.note(changed);
  };
  const complete = (changed: BackupRecord): Promise<void> => save(() => journal.put(changed));
  let removed: readonly string[] = [];
  try {
    await save(() => journal.put(current));
    const done = await runBackup(options, current, change, complete, signal);
    current = done.record;
    removed = done.removed;
    const { id, documents, bytes, newBytes, target } = current;
    log.info({ backup: id, documents, bytes, newBytes, target }, "a backup is complete");
  } catch (error) {
    const reason = signal.aborted ? stoppedDuringBackup : messageOf(error);
    current = { ...current, status: "failed", finishedAt: Date.now(), error: reason };
    log.error({ backup: current.id, target: current.target, error: reason }, "a backup failed");
  }
  await save(() => journal.put(current));
  await save(() => journal.forget(removed));
};

/** The backups of a running program: one at a time, and one that waits for it. */
export interface Backups {
  /**
   * Requests a backup. If one is already waiting for the same target, that one is returned.
   * @param target null: `backup.path`
   * @throws BackupFailure if there is no target, or one waits for another target
   */
  start(target: string | null): Promise<BackupRecord>;
  list(paging: Paging): Page<BackupRecord>;
  /** Begins to make backups as `backup.every` says. */
  startSchedule(): void;
  /** Stops the backup that is running. */
  close(): Promise<void>;
}

export const createBackups = async (options: RunOptions): Promise<Backups> => {
  const { config } = options;
  const { path, every } = config.backup;
  const journal = await openJournal(config.dataDir);
  const stopping = new AbortController();
  let waiting: BackupRecord | null = null;
  let working: Promise<void> | null = null;
  /** The backup that is being worked on. */
  let active: string | null = null;
  /** A backup is shown as running until its end is stored and old backups are removed. */
  const shown = (record: BackupRecord): BackupRecord =>
    record.id === active && record.finishedAt !== null
      ? { ...record, status: "running", finishedAt: null, error: null }
      : record;

  const work = async (): Promise<void> => {
    while (waiting !== null && !stopping.signal.aborted) {
      const next = waiting;
      waiting = null;
      active = next.id;
      await recordBackup(options, journal, next, stopping.signal);
      active = null;
    }
  };
  const wake = (): void => {
    working ??= work().finally(() => {
      working = null;
      schedule.setTimer();
    });
  };

  const start = async (target: string): Promise<BackupRecord> => {
    if (stopping.signal.aborted) throw new BackupFailure("The server is stopping.");
    if (waiting !== null) {
      if (waiting.target === target) return waiting;
      throw new BackupFailure(`A backup to ${waiting.target} is waiting already: try again when it is complete.`);
    }
    const record = newRecord(target);
    waiting = record;
    journal.note(record);
    wake();
    return record;
  };

  const ownTarget = (): string | null => (path === null ? null : targetName(path, process.cwd()));
  const schedule = createBackupSchedule({
    everyMs: every === null ? null : parseDuration(every),
    target: ownTarget,
    history: journal.list,
    isWorking: () => working !== null,
    start: (target) => void start(target),
  });

  return {
    async start(given) {
      const target = given === null ? ownTarget() : targetName(given, process.cwd());
      if (target === null)
        throw new BackupFailure("No place for backups is configured: set backup.path, or use `carrel backup TARGET`.");
      return start(target);
    },
    list({ skip, limit, sortOrder }) {
      const records = [...journal.list()];
      if (sortOrder === "asc") records.reverse();
      return { items: records.slice(skip, skip + limit).map(shown), total: records.length };
    },
    startSchedule: schedule.begin,
    async close() {
      stopping.abort(new Error("the server stops"));
      schedule.end();
      await working;
    },
  };
};

const newRecord = (target: string): BackupRecord => ({
  id: Bun.randomUUIDv7(),
  createdAt: Date.now(),
  markedAt: null,
  finishedAt: null,
  status: "pending",
  bytes: 0,
  newBytes: 0,
  documents: null,
  target,
  error: null,
});

interface ScheduleOptions {
  /** From one complete backup to the next; null: none is made on a schedule. */
  everyMs: number | null;
  /** Where backups are kept; null: nowhere is configured. */
  target(): string | null;
  /** The backups so far, the newest first. */
  history(): readonly BackupRecord[];
  /** Whether a backup runs: the schedule is set again when it has ended. */
  isWorking(): boolean;
  start(target: string): void;
}

export interface BackupSchedule {
  begin(): void;
  /** Sets the timer for the next backup; to be called when a backup has ended. */
  setTimer(): void;
  end(): void;
}

/** After a failure, the next try comes sooner than the next backup would. */
const retryMs = 15 * 60_000;

/** Starts a backup every `everyMs` milliseconds. */
export const createBackupSchedule = (options: ScheduleOptions): BackupSchedule => {
  const { everyMs } = options;
  let isRunning = false;

  const timer = createDueTimer(() => {
    const target = options.target();
    if (target !== null) options.start(target);
  });

  const setTimer = (): void => {
    const target = options.target();
    if (!isRunning || everyMs === null || target === null || options.isWorking()) {
      timer.set(null);
      return;
    }
    const history = options.history().filter((record) => record.target === target);
    timer.set(dueAt(history, everyMs));
  };

  return {
    begin() {
      isRunning = true;
      setTimer();
    },
    setTimer,
    end() {
      isRunning = false;
      timer.set(null);
    },
  };
};

/** When the next backup is due (epoch ms): after the newest complete one, or sooner where the last try failed. */
const dueAt = (records: readonly BackupRecord[], everyMs: number): number => {
  const history = records.filter(({ createdAt, finishedAt }) => !isFromWrongClock(finishedAt ?? createdAt));
  const completed = history.find(({ status }) => status === "completed");
  const due = completed === undefined ? 0 : completed.createdAt + everyMs;
  const [last] = history;
  if (last?.status !== "failed") return due;
  return Math.max(due, (last.finishedAt ?? last.createdAt) + Math.min(retryMs, everyMs));
};
