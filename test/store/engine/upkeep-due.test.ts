import { expect, test } from "bun:test";
import {
  isUpkeepDue,
  type MaxUntidied,
  maxUntidied,
  silenceBeforeUpkeepMs,
  type TableUse,
} from "../../../src/store/engine/upkeep-due.ts";

const isDue = (use: TableUse, commits: number, lastRun = { tookMs: 0, sinceMs: Number.POSITIVE_INFINITY }): boolean =>
  isUpkeepDue({ written: { commits, rows: commits }, use, limits: maxUntidied.searched, lastRun });

test("a table that is read is tidied after fewer commits than one that is not, or whose added rows are searched apart", () => {
  const fewest = (use: TableUse): number =>
    Array.from({ length: 400 }, (_, at) => at).findIndex((at) => isDue(use, at));
  expect(fewest("read")).toBeLessThan(fewest("searchedApart"));
  expect(fewest("searchedApart")).toBeLessThan(fewest("unread"));
});

test("a table rests after a run, the longer the more the run took, but not with hundreds of commits", () => {
  const after = (use: TableUse, sinceMs: number, commits = 100) => isDue(use, commits, { tookMs: 1_000, sinceMs });
  expect(after("unread", 1_999)).toBe(false);
  expect(after("unread", 2_000)).toBe(true);
  expect(after("read", 299)).toBe(false);
  expect(after("read", 300)).toBe(true);
  expect(after("unread", 0, 319)).toBe(false);
  expect(after("unread", 0, 320)).toBe(true);
});

test("a table whose added rows are searched apart is tidied without a rest before too many of them are kept", () => {
  const after = (use: TableUse, rows: number) =>
    isUpkeepDue({
      written: { commits: 100, rows },
      use,
      limits: maxUntidied.searched,
      lastRun: { tookMs: 1_000, sinceMs: 0 },
    });
  expect(after("searchedApart", 11_999)).toBe(false);
  expect(after("searchedApart", 12_000)).toBe(true);
  expect(after("unread", 50_000)).toBe(false);
});

test("texts, which are read by id alone, are merged seldom", () => {
  const fewest = (limits: MaxUntidied): number =>
    Array.from({ length: 400 }, (_, commits) => commits).findIndex((commits) =>
      isUpkeepDue({
        written: { commits, rows: commits },
        use: "read",
        limits,
        lastRun: { tookMs: 0, sinceMs: Number.POSITIVE_INFINITY },
      }),
    );
  expect(fewest(maxUntidied.other)).toBe(96);
  expect(fewest(maxUntidied.texts)).toBe(256);
});

test("in a silence a large table that is not searched is tidied once there is much, a small one in any case", () => {
  const silenceMs = (commits: number, bytes: number) =>
    silenceBeforeUpkeepMs({ commits, rows: commits }, bytes, maxUntidied.texts.quiet);
  expect(silenceMs(1, 10_000_000)).toBe(10_000);
  expect(silenceMs(1, 100_000_000)).toBeNull();
  expect(silenceMs(192, 100_000_000)).toBe(4_000);
  expect(silenceBeforeUpkeepMs({ commits: 1, rows: 1 }, 100_000_000, maxUntidied.searched.quiet)).toBe(40_000);
  expect(silenceBeforeUpkeepMs(null, 100_000_000, maxUntidied.texts.quiet)).toBe(10_000);
});
