import { messageOf } from "../../domain/errors.ts";
import type { Logger } from "../../log/log.ts";
import type { RemovedRows } from "../engine/maintained-tables.ts";
import type { MetaEntry } from "../engine/meta-rows.ts";
import type { StoreTable } from "../engine/store-table.ts";

const notePrefix = "erase:";

/** The entry that notes that a table has rows to erase. */
const erasureNote = (table: string): MetaEntry => ({ id: notePrefix + table, value: "" });

/** The tables that have removed rows, as noted in the store. */
interface ErasureNotes {
  readonly size: number;
  tables(): string[];
  has(table: string): boolean;
  /** Removals since the table was noted, 0 for one that an earlier run noted; undefined: it is not noted. */
  removals(table: string): number | undefined;
  /**
   * Counts a removal. Resolves when the table is noted in the store.
   * @throws what the store fails with: nothing may be removed, for after a crash nobody would know of the bytes
   */
  add(table: string): Promise<void>;
  remove(table: string): Promise<void>;
}

export const createErasureNotes = async (meta: StoreTable<MetaEntry>, log: Logger): Promise<ErasureNotes> => {
  const noted = new Map<string, number>();
  const writing = new Map<string, Promise<void>>();
  for (const { id } of await meta.find({})) {
    if (id.startsWith(notePrefix)) noted.set(id.slice(notePrefix.length), 0);
  }

  const write = async (table: string): Promise<void> => {
    const note = erasureNote(table);
    const put = (): Promise<void> => meta.upsert(note.id, [note]);
    try {
      await put().catch(put); // the first attempt may be the one that has the reserve of the disk given up
    } catch (error) {
      noted.delete(table);
      writing.delete(table);
      log.warn({ table, error: String(error) }, "a removal could not be noted for erasure: it is refused");
      throw error;
    }
  };

  return {
    get size() {
      return noted.size;
    },
    tables: () => [...noted.keys()],
    has: (table) => noted.has(table),
    removals: (table) => noted.get(table),
    async add(table) {
      const isNew = !noted.has(table);
      noted.set(table, (noted.get(table) ?? 0) + 1);
      if (isNew) writing.set(table, write(table));
      await writing.get(table);
    },
    async remove(table) {
      noted.delete(table);
      writing.delete(table);
      const { id } = erasureNote(table);
      await meta.remove(id, "id", [id]);
    },
  };
};

/**
 * Erases removed rows from the disk within a minute: LanceDB only marks them as removed, and keeps old versions. The
 * tables that have such rows are noted in the store before the first row is removed, so that after a crash or a stop
 * the next start erases them. Removals of the same minute share one pass.
 */
export interface Erasures extends RemovedRows {
  /**
   * Starts passes; tables noted by an earlier run come soon.
   * @param sweeps run before each pass
   */
  start(sweeps: readonly Sweep[]): void;
  /** Something that was removed is still to be swept: a pass comes, also where no table is noted. */
  again(): void;
  /** Tables and sweeps that failed in several passes one after the other. The others go on. */
  failing(): readonly string[];
  /** Waits for the running pass; the next start does the rest. */
  stop(): Promise<void>;
}

/** Removes what the removal of rows leaves elsewhere, before the removed rows are erased. */
export interface Sweep {
  /** It runs if this table is noted, which stays noted until it succeeds; null: with each pass. */
  after: string | null;
  /** Where it removes: a table, as a rule. */
  of: string;
  run(): Promise<void>;
}

/** From the first removal to the end of its pass. A minute is promised: half of it is left for a busy machine. */
export const eraseWithinMs = 30_000;
/** Removals within this time share a pass. */
const minDelayMs = 2_000;
/** After a pass comes a rest of up to this many times its length: removals and updates wait during a pass. */
const restPerPass = 2;
const retryMs = 5_000;
/** After each failed pass comes a rest twice as long, up to this; a removal has its pass in time all the same. */
const maxRetryMs = 60_000;
/** A failure may have a passing reason: it is told of when it comes again. */
const passesUntilTold = 2;
const afterStartMs = 1_000;

/**
 * How long to rest after a pass. What was removed just after it began waits for it, for the rest and for the next one:
 * the rest is shortened so that all three fit into the minute, to the length of a pass at least.
 */
export const restAfterPass = (tookMs: number, withinMs: number): number =>
  Math.min(restPerPass * tookMs, Math.max(tookMs, 1.5 * withinMs - 2 * tookMs));

/** @param withinMs see `eraseWithinMs`; shorter in tests */
export const createErasures = async (
  meta: StoreTable<MetaEntry>,
  log: Logger,
  withinMs: number = eraseWithinMs,
): Promise<Erasures> => {
  const notes = await createErasureNotes(meta, log);
  const attached = new Map<string, (onBegin: () => void, signal: AbortSignal) => Promise<boolean>>();
  const stopping = new AbortController();
  let sweeps: readonly Sweep[] | null = null;
  let timer: { handle: ReturnType<typeof setTimeout>; due: number } | null = null;
  let running: Promise<void> | null = null;
  let tookMs = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let failedPasses = 0;
  /** A removal came during the pass. */
  let isNotedSince = false;
  /** How often each table or sweep failed one time after the other. */
  const failures = new Map<string, number>();
  /** Removals that a table's last pass covered whose note had to stay: only new ones need another pass. */
  const covered = new Map<string, number>();

  const noteFailure = (of: string, error: unknown): void => {
    failures.set(of, (failures.get(of) ?? 0) + 1);
    log.warn({ of, error: messageOf(error) }, "removed data could not be erased from the disk: it is tried again");
  };

  /** @returns whether it was done; a failure of one holds back no other */
  const attempt = async (of: string, work: () => Promise<boolean>): Promise<boolean> => {
    try {
      const isDone = await work();
      failures.delete(of);
      return isDone;
    } catch (error) {
      if (!stopping.signal.aborted) noteFailure(of, error);
      return false;
    }
  };

  /** @param mayEnd whether the note of the table may be removed */
  const erase = async (table: string, mayEnd: boolean): Promise<boolean> => {
    const work = attached.get(table);
    if (work === undefined) return true; // the table is not open: no rows of it can be removed
    // A removal that comes during the pass needs another one.
    let removals = notes.removals(table);
    if (covered.get(table) !== removals) {
      const begin = (): void => {
        removals = notes.removals(table);
      };
      if (!(await work(begin, stopping.signal))) return false;
    }
    if (notes.removals(table) !== removals) return true;
    covered.delete(table);
    if (mayEnd) await notes.remove(table);
    else if (removals !== undefined) covered.set(table, removals);
    return true;
  };

  const pass = async (): Promise<void> => {
    const startedAt = performance.now();
    const noted = new Set(notes.tables());
    /** Tables whose note stays: a sweep failed, or did not see what was removed since it began. */
    const unswept = new Set<string>();
    const before = new Map([...noted].map((table) => [table, notes.removals(table)]));
    let isDone = true;
    let hasFailed = false;
    isNotedSince = false;
    for (const { after, of, run } of sweeps ?? []) {
      if (after !== null && !noted.has(after)) continue;
      if (stopping.signal.aborted) return;
      if (await attempt(`sweep ${of}`, () => run().then(() => true))) continue;
      hasFailed = true;
      if (after !== null) unswept.add(after);
    }
    for (const { after } of sweeps ?? [])
      if (after !== null && notes.removals(after) !== before.get(after)) unswept.add(after);
    for (const table of notes.tables()) {
      if (stopping.signal.aborted) return;
      const isErased = await attempt(table, () => erase(table, !unswept.has(table)));
      hasFailed ||= failures.has(table);
      isDone = isErased && isDone;
    }
    endedAt = performance.now();
    tookMs = endedAt - startedAt;
    failedPasses = hasFailed ? failedPasses + 1 : 0;
    log.debug({ ms: Math.round(tookMs) }, "removed data was erased from the disk");
    if (hasFailed) schedule(Math.min(retryMs * 2 ** (failedPasses - 1), maxRetryMs));
    else if (!isDone) schedule(retryMs);
    const isLeft = !hasFailed && isDone && notes.tables().some((table) => attached.has(table));
    if (isLeft || isNotedSince) schedule(delay());
  };

  const delay = (): number => {
    const rest = endedAt + restAfterPass(tookMs, withinMs) - performance.now();
    return Math.max(Math.min(minDelayMs, withinMs), withinMs - 2 * tookMs, rest);
  };

  const schedule = (ms: number): void => {
    if (sweeps === null || stopping.signal.aborted) return;
    const due = performance.now() + ms;
    if (timer !== null && timer.due <= due) return;
    if (timer !== null) clearTimeout(timer.handle);
    const handle = setTimeout(() => {
      timer = null;
      running = pass().finally(() => {
        running = null;
      });
    }, ms);
    handle.unref();
    timer = { handle, due };
  };

  return {
    async note(table) {
      await notes.add(table);
      isNotedSince = true;
      if (running === null) schedule(delay());
    },
    attach: (table, work) => void attached.set(table, work),
    async detach(table) {
      attached.delete(table);
      failures.delete(table);
      if (notes.has(table)) await notes.remove(table);
    },
    start(wanted) {
      sweeps = wanted;
      if (notes.size > 0) schedule(Math.min(afterStartMs, withinMs));
    },
    again() {
      if (running === null) schedule(Math.min(retryMs, withinMs));
    },
    failing: () => [...failures].flatMap(([of, passes]) => (passes >= passesUntilTold ? [of] : [])),
    async stop() {
      stopping.abort();
      if (timer !== null) clearTimeout(timer.handle);
      await running;
    },
  };
};
