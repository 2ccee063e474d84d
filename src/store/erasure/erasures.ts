import type { Logger } from "../../log.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { MetaEntry } from "../search/index-rows.ts";

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

const notePrefix = "erase:";

/** The entry that notes that a table has rows to erase. */
export const erasureNote = (table: string): MetaEntry => ({ id: notePrefix + table, value: "" });

/** @param withinMs see `eraseWithinMs`; shorter in tests */
export const createErasures = async (
  meta: StoreTable<MetaEntry>,
  log: Logger,
  withinMs: number = eraseWithinMs,
): Promise<Erasures> => {
  /** Tables with removed rows, and the number of removals: one that comes during a pass needs another pass. */
  const noted = new Map<string, number>();
  const writing = new Map<string, Promise<void>>();
  const attached = new Map<string, (onBegin: () => void, signal: AbortSignal) => Promise<boolean>>();
  const stopping = new AbortController();
  let prepare: ((tables: ReadonlySet<string>) => Promise<void>) | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let running: Promise<void> | null = null;
  let tookMs = 0;
  let endedAt = Number.NEGATIVE_INFINITY;

  for (const { id } of await meta.find({})) {
    if (id.startsWith(notePrefix)) noted.set(id.slice(notePrefix.length), 0);
  }

  const write = async (table: string): Promise<void> => {
    const note = erasureNote(table);
    // A removal continues without its note, on a full disk too: only a crash would then leave the bytes.
    await meta
      .upsert(note.id, [note])
      .catch((error: unknown) => log.warn({ table, error: String(error) }, "a removal could not be noted for erasure"));
  };

  const forget = async (table: string): Promise<void> => {
    noted.delete(table);
    writing.delete(table);
    const { id } = erasureNote(table);
    await meta.remove(id, "id", [id]);
  };

  const erase = async (table: string): Promise<boolean> => {
    const work = attached.get(table);
    if (work === undefined) return true; // the table is not open: no rows of it can be removed
    let covered = noted.get(table);
    const isDone = await work(() => {
      covered = noted.get(table);
    }, stopping.signal);
    if (isDone && noted.get(table) === covered) await forget(table);
    return isDone;
  };

  const pass = async (): Promise<void> => {
    const startedAt = performance.now();
    let isDone = true;
    try {
      await prepare?.(new Set(noted.keys()));
      for (const table of [...noted.keys()]) {
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
    else if ([...noted.keys()].some((table) => attached.has(table))) schedule(delay());
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
      const isNew = !noted.has(table);
      noted.set(table, (noted.get(table) ?? 0) + 1);
      if (isNew) writing.set(table, write(table));
      await writing.get(table);
      if (running === null) schedule(delay());
    },
    attach: (table, work) => void attached.set(table, work),
    async detach(table) {
      attached.delete(table);
      if (noted.has(table)) await forget(table);
    },
    start(work) {
      prepare = work;
      if (noted.size > 0) schedule(Math.min(afterStartMs, withinMs));
    },
    async stop() {
      stopping.abort();
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
};
