import { createDueTimer } from "../async/waiting.ts";
import { isFromWrongClock } from "../domain/times.ts";
import type { BackupRecord } from "./journal.ts";

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
