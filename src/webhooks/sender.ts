import { createDueTimer } from "../async/waiting.ts";
import type { WebhookDelivery } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Ages, DeliveryStore } from "../store/contract.ts";
import { attemptDelivery, createDeliveryWriter, createReceiverLog } from "./attempt-delivery.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { createHeldDeliveries } from "./held-deliveries.ts";

/** Reads deliveries that wait in the store once there is room for them in memory. */
interface Refill {
  /** The store holds more than memory does. */
  noteMore(): void;
  /** A delivery was written: what a read under way knows of it is out of date. */
  noteWritten(id: string): void;
  /** Reads if more waits in the store and at most half of what may be held is. @param heldCount deliveries held now */
  runIfNeeded(heldCount: number): void;
}

interface RefillOptions {
  endpoint: WebhookEndpoint;
  deliveries: Pick<DeliveryStore, "listUnsettled">;
  maxHeld: number;
  /** Takes a delivery that was read and not written meanwhile. */
  add(id: string): void;
  /** Called after each read. */
  onEnd(): void;
  log: Logger;
}

/** Pause after the store could not be read. */
const pauseMs = 10_000;

/** The first run reads what an earlier run of the program left. */
const createRefill = ({ endpoint, deliveries, maxHeld, add, onEnd, log }: RefillOptions): Refill => {
  let hasMore = true;
  let isRunning = false;
  const writtenMeanwhile = new Set<string>();

  const run = async (heldCount: number): Promise<void> => {
    isRunning = true;
    hasMore = false;
    writtenMeanwhile.clear();
    try {
      const limit = heldCount + maxHeld;
      const ids = await deliveries.listUnsettled(endpoint.id, limit);
      if (ids.length === limit) hasMore = true;
      for (const id of ids) if (!writtenMeanwhile.has(id)) add(id);
    } catch (error) {
      log.error({ err: error, webhook: endpoint.origin }, "the webhooks that wait could not be read");
      hasMore = true;
      await Bun.sleep(pauseMs);
    } finally {
      isRunning = false;
      onEnd();
    }
  };

  return {
    noteMore() {
      hasMore = true;
    },
    noteWritten(id) {
      if (isRunning) writtenMeanwhile.add(id);
    },
    runIfNeeded(heldCount) {
      if (hasMore && !isRunning && heldCount <= maxHeld / 2) void run(heldCount);
    },
  };
};

/** Sends the deliveries of one address, again and again until it takes them or a day has passed. In no set order. */
interface Sender {
  readonly endpoint: WebhookEndpoint;
  /** Begins to send, with what an earlier run left. */
  start(): void;
  /** Sends a stored delivery now. */
  accept(delivery: WebhookDelivery): void;
  /** Cancels what runs; it stays stored and is sent after the next start. */
  close(): Promise<void>;
}

interface SenderOptions {
  endpoint: WebhookEndpoint;
  deliveries: DeliveryStore;
  ages: Ages;
  /** True for a delivery of an event that is not done yet. */
  isPrepared(id: string): boolean;
  log: Logger;
  /** Deliveries held in memory, the rest waits in the store; 5,000 unless given. */
  maxHeld?: number;
}

const maxConcurrent = 8;
const defaultMaxHeld = 5_000;
/** Outcomes being written down: enough for the store to commit them in groups. */
const maxWrites = 200;
/** Pause after the store could not be read or written. */
const storePauseMs = 10_000;

export const createSender = ({
  endpoint,
  deliveries,
  ages,
  isPrepared,
  log,
  maxHeld = defaultMaxHeld,
}: SenderOptions): Sender => {
  const { origin } = endpoint;
  const held = createHeldDeliveries();
  const running = new Map<string, Promise<void>>();
  const isReceiverBack = createReceiverLog(log, origin);
  const stop = new AbortController();
  let state: "new" | "working" | "closed" = "new";
  const timer = createDueTimer(() => wake(false));

  const count = (): number => held.size + running.size;

  /** The store failed: the attempt's outcome is not stored. */
  const tryLater = (id: string, error: unknown): void => {
    if (stop.signal.aborted) return;
    log.error(
      { err: error, webhook: origin, deliveryId: id },
      "a webhook's delivery could not be read or written down",
    );
    held.addWaiting(id, { dueAt: Date.now() + storePauseMs, gotNoAnswer: false });
  };

  const writer = createDeliveryWriter({
    deliveries,
    onFailure: tryLater,
    onEnd(id) {
      refill.noteWritten(id);
      pump();
    },
  });
  const refill = createRefill({
    endpoint,
    deliveries,
    maxHeld,
    add(id) {
      const isKnown = held.has(id) || running.has(id) || writer.has(id);
      if (!isKnown && !isPrepared(id)) held.addReady(id, null);
    },
    onEnd: () => pump(),
    log,
  });

  /** Sends as much of what is ready as may run at once. */
  const pump = (): void => {
    if (state !== "working") return;
    while (running.size < maxConcurrent && writer.size < maxWrites) {
      const next = held.takeReady();
      if (next === null) break;
      const { id, record } = next;
      const done = send(id, record)
        .catch((error: unknown) => tryLater(id, error))
        .finally(() => {
          running.delete(id);
          pump();
        });
      running.set(id, done);
    }
    refill.runIfNeeded(count());
    timer.set(held.nextDueAt(Date.now()));
  };

  const wake = (isBack: boolean): void => {
    held.readyDue(Date.now(), isBack);
    pump();
  };

  const send = async (id: string, record: WebhookDelivery | null): Promise<void> => {
    const tried = await attemptDelivery({ endpoint, deliveries, writer, ages, log }, id, record, stop.signal);
    if (tried === null) return;
    if (isReceiverBack(tried.attempt)) wake(true);
    if (tried.next !== null) held.addWaiting(id, tried.next);
  };

  return {
    endpoint,
    start() {
      state = "working";
      pump();
    },
    accept(delivery) {
      const { id } = delivery;
      if (count() >= maxHeld) refill.noteMore();
      else if (!running.has(id)) held.addReady(id, delivery);
      pump();
    },
    async close() {
      state = "closed";
      timer.set(null);
      stop.abort();
      await Promise.all(running.values());
      await writer.allSettled();
    },
  };
};
