import type { Logger } from "../../log.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { MetaEntry } from "../search/index-rows.ts";
import { createErasureNotes } from "./erasure-notes.ts";

/**
 * Erases removed rows from the disk within a minute: LanceDB only marks them as removed, and keeps old versions. The
 * tables that have such rows are noted in the store before the first row is removed, so that after a crash or a stop
 * the next start erases them. Removals of the same minute share one pass.
 */
export interface Erasures {
  /** Rows of this table are about to be removed. */
  note(table: string): Promise<void>;
  /** The table is open: `erase` erases its removed rows (see `eraseRemovedRows`). */
  attach(table: string, erase: (onBegin: () => void, signal: AbortSignal) => Promise<boolean>): void;
  /** The table is removed. */
  detach(table: string): Promise<void>;
  /**
   * Starts passes; tables noted by an earlier run come soon.
   * @param prepare runs before each pass, with the noted tables
   */
  start(prepare: (tables: ReadonlySet<string>) => Promise<void>): void;
  /** Waits for the running pass; the next start does the rest. */
  stop(): Promise<void>;
}

/** From the first removal to the end of its pass. A minute is promised: half of it is left for a busy machine. */
export const eraseWithinMs = 30_000;
/** Removals within this time share a pass. */
const minDelayMs = 2_000;
/** After a pass comes a rest of this many times its length: removals and updates wait during a pass. */
const restPerPass = 2;
const retryMs = 5_000;
const afterStartMs = 1_000;

/** @param withinMs see `eraseWithinMs`; shorter in tests */
export const createErasures = async (
  meta: StoreTable<MetaEntry>,
  log: Logger,
  withinMs: number = eraseWithinMs,
): Promise<Erasures> => {
  const notes = await createErasureNotes(meta, log);
  const attached = new Map<string, (onBegin: () => void, signal: AbortSignal) => Promise<boolean>>();
  const stopping = new AbortController();
  let prepare: ((tables: ReadonlySet<string>) => Promise<void>) | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<void> | null = null;
  let tookMs = 0;
  let endedAt = Number.NEGATIVE_INFINITY;

  const erase = async (table: string): Promise<boolean> => {
    const work = attached.get(table);
    if (work === undefined) return true; // the table is not open: no rows of it can be removed
    // A removal that comes during the pass needs another one.
    let covered = notes.removals(table);
    const isDone = await work(() => {
      covered = notes.removals(table);
    }, stopping.signal);
    if (isDone && notes.removals(table) === covered) await notes.remove(table);
    return isDone;
  };

  const pass = async (): Promise<void> => {
    const startedAt = performance.now();
    let isDone = true;
    try {
      await prepare?.(new Set(notes.tables()));
      for (const table of notes.tables()) {
        if (stopping.signal.aborted) return;
        isDone = (await erase(table)) && isDone;
      }
    } catch (error) {
      isDone = false;
      log.warn({ error: String(error) }, "removed data could not be erased from the disk: it is tried again");
    }
    endedAt = performance.now();
    tookMs = endedAt - startedAt;
    log.debug({ ms: Math.round(tookMs) }, "removed data was erased from the disk");
    if (!isDone) schedule(retryMs);
    else if (notes.tables().some((table) => attached.has(table))) schedule(delay());
  };

  const delay = (): number => {
    const rest = endedAt + restPerPass * tookMs - performance.now();
    return Math.max(Math.min(minDelayMs, withinMs), withinMs - 2 * tookMs, rest);
  };

  const schedule = (ms: number): void => {
    if (timer !== null || prepare === null || stopping.signal.aborted) return;
    timer = setTimeout(() => {
      timer = null;
      running = pass().finally(() => {
        running = null;
      });
    }, ms);
    timer.unref();
  };

  return {
    async note(table) {
      await notes.add(table);
      if (running === null) schedule(delay());
    },
    attach: (table, work) => void attached.set(table, work),
    async detach(table) {
      attached.delete(table);
      if (notes.has(table)) await notes.remove(table);
    },
    start(work) {
      prepare = work;
      if (notes.size > 0) schedule(Math.min(afterStartMs, withinMs));
    },
    async stop() {
      stopping.abort();
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
};
