import { expect, jest, test } from "bun:test";
import { type BackupSchedule, createBackupSchedule } from "../../src/backup/backups.ts";
import type { BackupRecord } from "../../src/backup/journal.ts";
import { newestFirst } from "../../src/domain/times.ts";

const hourMs = 3_600_000;
const minuteMs = 60_000;

const record = (status: BackupRecord["status"], createdAt: number, target = "/backups"): BackupRecord => ({
  id: Bun.randomUUIDv7(),
  createdAt,
  markedAt: createdAt,
  finishedAt: createdAt,
  status,
  bytes: 0,
  newBytes: 0,
  documents: 0,
  target,
  error: null,
});

interface Scheduled {
  schedule: BackupSchedule;
  /** The newest first. */
  history: BackupRecord[];
  started: string[];
  pass(ms: number): void;
}

const scheduled = (everyMs: number | null, target: string | null, work: (state: Scheduled) => void): void => {
  jest.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  try {
    const history: BackupRecord[] = [];
    const started: string[] = [];
    const schedule = createBackupSchedule({
      everyMs,
      target: () => target,
      history: () => history,
      isWorking: () => false,
      start: (where) => void started.push(where),
    });
    work({ schedule, history, started, pass: (ms) => void jest.advanceTimersByTime(ms) });
  } finally {
    jest.useRealTimers();
  }
};

test("without any backup the first is made at once, the next one `everyMs` after it began", () =>
  scheduled(24 * hourMs, "/backups", ({ schedule, history, started, pass }) => {
    schedule.begin();
    pass(1);
    expect(started).toEqual(["/backups"]);
    history.unshift(record("completed", Date.now()));
    schedule.setTimer();
    for (let hour = 0; hour < 23; hour += 1) pass(hourMs);
    expect(started).toHaveLength(1);
    pass(hourMs);
    expect(started).toHaveLength(2);
  }));

test("a failed one is repeated after a quarter of an hour; backups in other targets do not count", () =>
  scheduled(24 * hourMs, "/backups", ({ schedule, history, started, pass }) => {
    history.push(record("failed", Date.now()), record("completed", Date.now(), "/elsewhere"));
    schedule.begin();
    pass(14 * minuteMs);
    expect(started).toEqual([]);
    pass(minuteMs);
    expect(started).toEqual(["/backups"]);
  }));

test("nothing is made without a target or an interval, nor after the end", () => {
  for (const [everyMs, target] of [
    [null, "/backups"],
    [hourMs, null],
  ] as const)
    scheduled(everyMs, target, ({ schedule, started, pass }) => {
      schedule.begin();
      pass(2 * hourMs);
      expect(started).toEqual([]);
    });
  scheduled(hourMs, "/backups", ({ schedule, started, pass }) => {
    schedule.begin();
    schedule.end();
    pass(2 * hourMs);
    expect(started).toEqual([]);
  });
});

test("a backup that was dated by a wrong clock does not put the next one off for years", () =>
  scheduled(24 * hourMs, "/backups", ({ schedule, history, started, pass }) => {
    const years = 4 * 365 * 24 * hourMs;
    history.push(record("failed", Date.now() + years), record("completed", Date.now() + years));
    schedule.begin();
    pass(1);
    expect(started).toEqual(["/backups"]);
    history.push(record("completed", Date.now()));
    schedule.setTimer();
    for (let hour = 0; hour < 23; hour += 1) pass(hourMs);
    expect(started).toHaveLength(1);
    pass(hourMs);
    expect(started).toHaveLength(2);
  }));

test("clocks that differ by hours keep the order of backups, wrong years come last", () => {
  const now = Date.now();
  const times = [now - 2 * hourMs, now + 5 * hourMs, now + 400 * 24 * hourMs, now - 24 * hourMs];
  expect(times.toSorted(newestFirst)).toEqual([
    now + 5 * hourMs,
    now - 2 * hourMs,
    now - 24 * hourMs,
    now + 400 * 24 * hourMs,
  ]);
});
