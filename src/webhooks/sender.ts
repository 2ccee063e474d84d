import type { WebhookDelivery } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import type { DeliveryStore } from "../store/contract.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { type Attempt, postDelivery } from "./post.ts";
import { pauseBeforeAttempt } from "./retry.ts";

/** Sends what one address is to be told, again and again until it takes it or a day has passed. In no set order. */
export interface Sender {
  readonly endpoint: WebhookEndpoint;
  /** Begins to send, with what an earlier run left. */
  start(): void;
  /** Sends a stored delivery now. */
  accept(delivery: WebhookDelivery): void;
  /** Calls off what runs; it stays stored and is sent after the next start. */
  close(): Promise<void>;
}

export interface SenderOptions {
  endpoint: WebhookEndpoint;
  deliveries: DeliveryStore;
  /** True for a delivery of an event that is not done yet. */
  isPrepared(id: string): boolean;
  log: Logger;
  /** Deliveries held in memory, the rest waits in the store; 5,000 unless given. */
  mostHeld?: number;
}

const MOST_AT_ONCE = 8;
const MOST_HELD = 5_000;
/** Of these, the ones that need not be read from the store again. */
const MOST_HELD_WHOLE = 500;
/** Outcomes being written down: enough for the store to commit them in groups. */
const MOST_WRITES = 200;
/** Where the store cannot be read or written. */
const STORE_PAUSE_MS = 10_000;
/** The longest that a timer waits: what it is set for is looked at anew. */
const LONGEST_TIMER_MS = 3_600_000;

export const createSender = ({
  endpoint,
  deliveries,
  isPrepared,
  log,
  mostHeld = MOST_HELD,
}: SenderOptions): Sender => {
  const { origin } = endpoint;
  const ready = new Map<string, WebhookDelivery | null>();
  const later = new Map<string, { dueAt: number; noAnswer: boolean }>();
  const running = new Map<string, Promise<void>>();
  const writing = new Map<string, Promise<void>>();
  /** Written down since a refill began: what the refill read of them is out of date. */
  const writtenMeanwhile = new Set<string>();
  let heldWhole = 0;
  const stop = new AbortController();
  let state: "new" | "working" | "closed" = "new";
  /** The store holds more than is held here. */
  let more = false;
  let refilling = false;
  let failing = false;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const held = () => ready.size + later.size + running.size;

  const putReady = (id: string, whole: WebhookDelivery | null): void => {
    later.delete(id);
    if (ready.get(id) !== null && ready.has(id)) heldWhole -= 1;
    const kept = heldWhole < MOST_HELD_WHOLE ? whole : null;
    if (kept !== null) heldWhole += 1;
    ready.set(id, kept);
  };

  const pump = (): void => {
    if (state !== "working") return;
    for (const [id, whole] of ready) {
      if (running.size >= MOST_AT_ONCE || writing.size >= MOST_WRITES) break;
      ready.delete(id);
      if (whole !== null) heldWhole -= 1;
      const done = send(id, whole)
        .catch((error: unknown) => tryLater(id, error))
        .finally(() => {
          running.delete(id);
          pump();
        });
      running.set(id, done);
    }
    if (more && !refilling && held() <= mostHeld / 2) void refill();
    setTimer();
  };

  /** The store failed: what came of the attempt is not known to it. */
  const tryLater = (id: string, error: unknown): void => {
    if (stop.signal.aborted) return;
    log.error(
      { err: error, webhook: origin, deliveryId: id },
      "a webhook's delivery could not be read or written down",
    );
    later.set(id, { dueAt: Date.now() + STORE_PAUSE_MS, noAnswer: false });
  };

  /** Writes down what came of an attempt, beside the next ones. */
  const write = (delivery: WebhookDelivery, durable: boolean): void => {
    const written = deliveries
      .put(delivery, durable)
      .catch((error: unknown) => tryLater(delivery.id, error))
      .finally(() => {
        if (writing.get(delivery.id) === written) writing.delete(delivery.id);
        if (refilling) writtenMeanwhile.add(delivery.id);
        pump();
      });
    writing.set(delivery.id, written);
  };

  const setTimer = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (later.size === 0 || state !== "working") return;
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of later.values()) next = Math.min(next, dueAt);
    timer = setTimeout(wake, Math.min(Math.max(next - Date.now(), 0), LONGEST_TIMER_MS));
    timer.unref();
  };

  /** Makes ready what is due; `all`: also what waits for a receiver that was not there. */
  const wake = (all?: "all"): void => {
    const now = Date.now();
    for (const [id, { dueAt, noAnswer }] of later) {
      if (dueAt > now && !(all === "all" && noAnswer)) continue;
      putReady(id, null);
    }
    pump();
  };

  const send = async (id: string, whole: WebhookDelivery | null): Promise<void> => {
    // What came of the attempt before is to be read, not what was before that.
    await writing.get(id);
    const delivery = whole ?? (await deliveries.find(id));
    if (delivery === null || delivery.state === "delivered" || delivery.state === "abandoned") return;
    const attempt = await postDelivery(endpoint, delivery, stop.signal);
    const attempts = delivery.attempts + 1;
    const now = Date.now();
    if (attempt.delivered) {
      noteReceiver(attempt);
      // Not waited for: what a power cut takes back is sent twice under one id, which receivers must bear anyway.
      const settled = { state: "delivered", attempts, nextAttemptAt: null, error: null, settledAt: now } as const;
      return write({ ...delivery, ...settled }, false);
    }
    noteReceiver(attempt);
    const pauseMs = pauseBeforeAttempt(attempts, now - delivery.since, Math.random());
    const tried: WebhookDelivery = { ...delivery, attempts, error: attempt.error };
    if (pauseMs === null) {
      const { event, documentId } = delivery;
      log.warn(
        { webhook: origin, deliveryId: id, event, documentId, attempts, reason: attempt.error },
        "a webhook was given up after a day: it can be replayed",
      );
      return write({ ...tried, state: "abandoned", nextAttemptAt: null, settledAt: now }, true);
    }
    write({ ...tried, state: "waiting", nextAttemptAt: now + pauseMs }, false);
    later.set(id, { dueAt: now + pauseMs, noAnswer: attempt.noAnswer });
  };

  /** A line when the receiver begins to fail and one when it takes deliveries again, however many there are. */
  const noteReceiver = (attempt: Attempt): void => {
    if (attempt.delivered) {
      if (failing) {
        log.info({ webhook: origin }, "a webhook's receiver takes deliveries again");
        wake("all");
      }
      failing = false;
      return;
    }
    if (!failing)
      log.warn({ webhook: origin, reason: attempt.error }, "a webhook was not delivered: it is tried again");
    failing = true;
  };

  const refill = async (): Promise<void> => {
    refilling = true;
    more = false;
    writtenMeanwhile.clear();
    try {
      const limit = held() + mostHeld;
      const ids = await deliveries.listUnsettled(endpoint.id, limit);
      if (ids.length === limit) more = true;
      for (const id of ids) {
        const isKnown = [later, running, ready, writing, writtenMeanwhile].some((each) => each.has(id));
        if (!isKnown && !isPrepared(id)) putReady(id, null);
      }
    } catch (error) {
      log.error({ err: error, webhook: origin }, "the webhooks that wait could not be read");
      more = true;
      await Bun.sleep(STORE_PAUSE_MS);
    } finally {
      refilling = false;
      pump();
    }
  };

  return {
    endpoint,
    start() {
      state = "working";
      void refill();
    },
    accept(delivery) {
      const { id } = delivery;
      if (held() >= mostHeld) more = true;
      else if (!running.has(id)) putReady(id, delivery);
      pump();
    },
    async close() {
      state = "closed";
      if (timer !== null) clearTimeout(timer);
      stop.abort();
      await Promise.all(running.values());
      await Promise.all(writing.values());
    },
  };
};
