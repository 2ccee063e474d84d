import type { WebhookDelivery } from "../domain/records.ts";

/** Deliveries of one receiver that are held in memory: ready to be sent, or waiting for their next attempt. */
interface HeldDeliveries {
  readonly size: number;
  has(id: string): boolean;
  /** @param record spares a read from the store where there is room for it; null where only the id is known */
  addReady(id: string, record: WebhookDelivery | null): void;
  addWaiting(id: string, wait: Wait): void;
  /** Takes the next delivery that is ready. @returns null where none is */
  takeReady(): { id: string; record: WebhookDelivery | null } | null;
  /**
   * Makes ready what is due.
   * @param isReceiverBack deliveries that wait because the receiver did not answer are due too
   */
  readyDue(now: number, isReceiverBack: boolean): void;
  /** When the next one is due; null where none waits. */
  nextDueAt(now: number): number | null;
}

export interface Wait {
  dueAt: number;
  /** The receiver could not be reached at the last attempt. */
  gotNoAnswer: boolean;
}

/** Of the deliveries held, these need not be read from the store again. */
const maxRecords = 500;

const isDue = (dueAt: number, now: number): boolean => dueAt <= now || dueAt > now + longestPauseMs;

export const createHeldDeliveries = (): HeldDeliveries => {
  const ready = new Map<string, WebhookDelivery | null>();
  const waiting = new Map<string, Wait>();
  let records = 0;

  const removeReady = (id: string): WebhookDelivery | null => {
    const record = ready.get(id) ?? null;
    ready.delete(id);
    if (record !== null) records -= 1;
    return record;
  };

  const addReady: HeldDeliveries["addReady"] = (id, record) => {
    waiting.delete(id);
    removeReady(id);
    const kept = records < maxRecords ? record : null;
    if (kept !== null) records += 1;
    ready.set(id, kept);
  };

  return {
    get size() {
      return ready.size + waiting.size;
    },
    has: (id) => ready.has(id) || waiting.has(id),
    addReady,
    addWaiting: (id, wait) => void waiting.set(id, wait),
    takeReady() {
      for (const id of ready.keys()) return { id, record: removeReady(id) };
      return null;
    },
    readyDue(now, isReceiverBack) {
      for (const [id, { dueAt, gotNoAnswer }] of waiting)
        if (isDue(dueAt, now) || (isReceiverBack && gotNoAnswer)) addReady(id, null);
    },
    nextDueAt(now) {
      let next: number | null = null;
      for (const { dueAt } of waiting.values()) {
        if (isDue(dueAt, now)) return now;
        next = Math.min(next ?? dueAt, dueAt);
      }
      return next;
    },
  };
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long a delivery is tried. */
const giveUpAfterMs = 24 * hourMs;

/** Pauses between attempts; the last one is repeated. */
const pausesMs = [
  2 * secondMs,
  5 * secondMs,
  15 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
];

/** No delivery waits longer: a moment that is further away was set by a clock that was wrong. */
const longestPauseMs = Math.max(...pausesMs);

/**
 * How long to wait before a failed delivery is tried again.
 * @param attempts how often it was tried, this time included
 * @param sinceMs time since the first attempt was due
 * @param random in [0, 1): spreads deliveries that failed together
 * @returns the pause in milliseconds; null where the delivery is given up
 */
export const pauseBeforeAttempt = (attempts: number, sinceMs: number, random: number): number | null => {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;
  const spreadMs = pauseMs * (0.75 + random / 4);
  return sinceMs + spreadMs > giveUpAfterMs ? null : spreadMs;
};
