import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Ages } from "../../../src/store/contract/keeping.ts";
import { openAges } from "../../../src/store/records/ages.ts";
import { silentLog } from "../open-temporary-store.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;
const start = Date.UTC(2026, 0, 1);

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A store on a machine whose clock is set as a test likes. */
const machine = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-ages-"));
  folders.push(dataDir);
  let clock = start;
  let passed = 0;
  const open = () => openAges(dataDir, silentLog, { now: () => clock, passed: () => passed });
  let ages: Ages = await open();
  const go = (ms: number): void => {
    clock += ms;
    passed += ms;
    ages.of(0);
  };
  const close = async (): Promise<void> => {
    await ages.close();
  };
  const openAgain = async (): Promise<void> => {
    passed = 0;
    ages = await open();
  };
  return {
    dataDir,
    now: () => clock,
    of: (writtenAt: number) => ages.of(writtenAt),
    /** The program runs for a while. */
    run(ms: number) {
      for (let left = ms; left > 0; left -= hourMs) go(Math.min(left, hourMs));
    },
    set(to: number) {
      clock = to;
    },
    close,
    openAgain,
    /** It is off for a while, and then the clock says this. */
    async restart(at: number) {
      await close();
      clock = at;
      await openAgain();
    },
    /** Whether a row would be removed. */
    isOver(ageMs: number, writtenAt: number): boolean {
      const sql = ages.areOver(ageMs, "at");
      const code = sql.replaceAll("AND", "&&").replaceAll("OR", "||").replaceAll("NOT", "!");
      return new Function("at", `return ${code}`)(writtenAt) === true;
    },
  };
};

test("what was written is as old as the time since, while the store is used from day to day", async () => {
  const store = await machine();
  const written = store.now();
  for (let day = 0; day < 30; day += 1) {
    store.run(8 * hourMs);
    await store.restart(store.now() + 16 * hourMs);
  }
  expect(store.of(written)).toBe(30 * dayMs);
  expect([store.isOver(30 * dayMs, written), store.isOver(30 * dayMs - 1, written)]).toEqual([false, true]);
  expect(store.isOver(dayMs, store.now())).toBe(false);
});

test("a clock that is years ahead for one start makes nothing old, and what it dated does not stay for years", async () => {
  const store = await machine();
  const before = store.now();
  store.run(2 * hourMs);
  await store.restart(before + 4 * yearMs);
  const ahead = store.now();
  store.run(5 * hourMs);
  expect(store.of(before)).toBe(7 * hourMs);
  expect(store.isOver(8 * hourMs, before)).toBe(false);
  // Right again, an hour after it was switched off.
  await store.restart(before + 8 * hourMs);
  expect(store.of(before)).toBe(8 * hourMs);
  expect(store.of(ahead)).toBe(6 * hourMs);
  store.run(90 * dayMs);
  expect(store.of(before)).toBe(90 * dayMs + 8 * hourMs);
  expect(store.of(ahead)).toBe(90 * dayMs + 6 * hourMs);
  for (const written of [before, ahead])
    expect([store.isOver(90 * dayMs, written), store.isOver(91 * dayMs, written)]).toEqual([true, false]);
});

test("a clock that goes back, or is set while the program runs, keeps nothing for ever", async () => {
  const store = await machine();
  store.set(start + 10 * yearMs);
  store.run(hourMs);
  const ahead = store.now();
  store.set(start - 30 * yearMs); // as of a machine without a battery
  store.run(hourMs);
  const behind = store.now();
  store.set(start + 2 * hourMs);
  store.run(dayMs);
  expect([store.of(ahead), store.of(behind)].map((ms) => Math.round(ms / hourMs))).toEqual([25, 24]);
  expect([store.isOver(23 * hourMs, ahead), store.isOver(23 * hourMs, behind)]).toEqual([true, true]);
  expect([store.isOver(26 * hourMs, ahead), store.isOver(26 * hourMs, behind)]).toEqual([false, false]);
});

test("a store that was off for weeks keeps its records for longer, and removes them in the end", async () => {
  const store = await machine();
  const written = store.now();
  await store.restart(written + 40 * dayMs);
  expect(store.of(written)).toBe(0);
  store.run(8 * dayMs);
  expect([store.isOver(7 * dayMs, written), store.isOver(9 * dayMs, written)]).toEqual([true, false]);
});

test("what nobody knows the age of, and what a damaged note knew, counts from the first start on", async () => {
  const store = await machine();
  for (const written of [0, start - yearMs, start + 7 * yearMs]) expect(store.of(written)).toBe(0);
  store.run(3 * dayMs);
  await store.close();
  await writeFile(join(store.dataDir, "ages.json"), '{"lived": 1e300}');
  await store.openAgain();
  expect(store.isOver(dayMs, start)).toBe(false);
  store.run(2 * dayMs);
  for (const written of [0, start, start + 7 * yearMs])
    expect([store.isOver(dayMs, written), store.isOver(3 * dayMs, written)]).toEqual([true, false]);
});

test("a machine whose clock begins anew with each start keeps nothing for ever either", async () => {
  const store = await machine();
  const written = store.now();
  for (let day = 0; day < 200; day += 1) {
    await store.restart(start - 20 * yearMs);
    store.run(hourMs);
    store.set(start + day * dayMs + 2 * hourMs);
    store.run(hourMs);
  }
  expect(store.isOver(90 * dayMs, written)).toBe(true);
  // Each start wrote at the same times: the last one counts.
  store.run(101 * dayMs);
  expect(store.isOver(100 * dayMs, start - 20 * yearMs)).toBe(true);
});

test("rows and single records are judged alike, whatever the clock did, and nothing is older than the time that passed", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: -4_000, max: 4_000 }), fc.integer({ min: 1, max: 20 })), { maxLength: 8 }),
      async (leaps) => {
        const store = await machine();
        let total = 0;
        const written: { at: number; total: number }[] = [];
        for (const [days, hours] of leaps) {
          written.push({ at: store.now(), total });
          store.run(hours * hourMs);
          total += hours * hourMs;
          // A leap of less than a day may be a night.
          if (Math.abs(days) > 1) store.set(store.now() + days * dayMs);
          store.of(0);
        }
        for (const { at, total: then } of written) {
          expect(store.of(at)).toBeLessThanOrEqual(total - then + dayMs * leaps.length);
          for (const ageMs of [hourMs, 10 * hourMs, dayMs]) {
            const age = store.of(at);
            if (Math.abs(age - ageMs) > 1) expect(store.isOver(ageMs, at)).toBe(age > ageMs);
          }
        }
      },
    ),
    { numRuns: 60 },
  ));
