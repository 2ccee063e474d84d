import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Logger } from "../../log/log.ts";
import type { Ages } from "../contract/keeping.ts";
import type { StoreTable } from "../engine/store-table.ts";

/** The clock and the time that passes; others in tests. */
export interface Clock {
  now(): number;
  /** Of no known beginning; it is never set, and may stand still while the machine sleeps. */
  passed(): number;
}

/** Machines are off over night: more is taken for a clock that was set. */
const maxAbsenceMs = 86_400_000;
/** A clock that is put right by less runs evenly. */
const maxCorrectionMs = 10 * 60_000;
const lookEveryMs = 10 * 60_000;
const saveEveryMs = 3_600_000;
/** A process that is killed has written records since it last noted the time. */
const unnotedMs = 2 * saveEveryMs;
const maxStretches = 64;

/** The clock ran evenly from one of its times to another (epoch ms): the time lived is its time less the offset. */
const stretch = Type.Object({ offset: Type.Number(), from: Type.Number(), until: Type.Number() });
type Stretch = Static<typeof stretch>;

const notes = Type.Object({
  /** Of the store, in milliseconds. */
  lived: Type.Number(),
  /** Time lived at which records of no known stretch count as written: those from before these notes, or from elsewhere. */
  unknownAt: Type.Number(),
  /** The last one is that of now. */
  stretches: Type.Array(stretch, { minItems: 1 }),
});

const fileName = "ages.json";

const readNotes = async (path: string): Promise<Static<typeof notes> | null> => {
  try {
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    return Value.Check(notes, found) ? found : null;
  } catch {
    return null; // none yet, or damaged: records are kept for longer
  }
};

/** @param isKept whether they are written as time passes: by the process alone that writes the store */
export const openAges = async (
  dataDir: string,
  log: Pick<Logger, "warn">,
  clock: Clock = { now: () => Date.now(), passed: () => performance.now() },
  isKept = true,
): Promise<Ages> => {
  const path = join(dataDir, fileName);
  const found = await readNotes(path);
  let lived = found?.lived ?? 0;
  let unknownAt = found?.unknownAt ?? 0;
  let stretches: Stretch[] = found?.stretches ?? [newStretch(clock.now(), 0)];
  let lookedAt = clock.passed();
  let savedAt = Number.NEGATIVE_INFINITY;
  let saving: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const draft = `${path}.part`;
    try {
      const noted: Static<typeof notes> = { lived, unknownAt, stretches };
      await writeFile(draft, `${JSON.stringify(noted)}\n`, { mode: 0o600 });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      log.warn({ error: String(error) }, "how long the store has lived could not be noted: old records stay longer");
    }
  };
  const save = (): void => {
    if (!isKept) return;
    savedAt = clock.passed();
    saving = saving.then(write);
  };

  const look = (): void => {
    const now = clock.now();
    const passed = clock.passed();
    lived += Math.max(passed - lookedAt, 0);
    lookedAt = passed;
    // The stretch of now is tried first, then the one before it: a clock that was wrong for a while is right again.
    const current = stretches.findLast(({ offset }) => {
      const ahead = now - offset - lived;
      return ahead >= -maxCorrectionMs && ahead <= maxAbsenceMs;
    });
    const isOther = current === undefined || current !== stretches.at(-1);
    const next = current ?? newStretch(now, lived);
    lived = now - next.offset;
    next.until = Math.max(next.until, now);
    if (isOther) {
      stretches = [...stretches.filter((each) => each !== next), next];
      for (const gone of stretches.splice(0, stretches.length - maxStretches))
        unknownAt = Math.max(unknownAt, gone.until - gone.offset);
    }
    if (isOther || passed - savedAt >= saveEveryMs) save();
  };

  look();
  const timer = setInterval(look, lookEveryMs);
  timer.unref();

  return {
    of(writtenAt) {
      look();
      const at = stretches
        .filter(({ from, until }) => writtenAt >= from - unnotedMs && writtenAt <= until + unnotedMs)
        .map(({ offset }) => writtenAt - offset);
      return lived - (at.length === 0 ? unknownAt : Math.max(...at));
    },
    areOver(ageMs, column) {
      look();
      const horizon = lived - ageMs;
      const between = (from: number, before: number): string =>
        `(${column} >= ${Number(from)} AND ${column} < ${Number(before)})`;
      const known = stretches.map(({ offset, from, until }) => ({
        from: from - unnotedMs,
        until: until + unnotedMs + 1,
        horizon: horizon + offset,
      }));
      const young = known
        .filter((each) => each.horizon < each.until)
        .map((each) => between(Math.max(each.from, each.horizon), each.until));
      const old = known
        .filter((each) => each.horizon > each.from)
        .map((each) => between(each.from, Math.min(each.until, each.horizon)));
      const isOld = unknownAt < horizon ? "true" : old.length === 0 ? "false" : `(${old.join(" OR ")})`;
      return young.length === 0 ? isOld : `(${isOld} AND NOT (${young.join(" OR ")}))`;
    },
    async close() {
      clearInterval(timer);
      look();
      save();
      await saving;
    },
  };
};

const newStretch = (now: number, lived: number): Stretch => ({ offset: now - lived, from: now, until: now });

/** Rows removed in one commit. */
const pageRows = 1_000;

/**
 * Removes the first of the rows that are older, by `createdAt`.
 * @returns how many: there may be more unless it is 0
 */
export const removeAged = async <T>(
  table: StoreTable<T>,
  ages: Pick<Ages, "areOver">,
  ageMs: number,
  durable = true,
): Promise<number> => {
  const where = ages.areOver(ageMs, '"createdAt"');
  const ids = await table.scan(["id"], { where, limit: pageRows }, (row) => row.string("id"));
  await table.remove("old", "id", ids, durable);
  return ids.length;
};
