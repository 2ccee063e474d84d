import { ApiError } from "../domain/errors.ts";
import type { WebhookDelivery } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/contract.ts";
import { announceDocuments } from "./announce-documents.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { createOutbox, settlePrepared } from "./outbox.ts";
import { createSender } from "./sender.ts";

export interface Webhooks {
  /** The store whose changes of documents become events. Without a configured address it is the given store itself. */
  readonly store: Store;
  /** Begins to send, with what an earlier run left. @param baseUrl as in the options, now with the actual port */
  start(baseUrl: string): Promise<void>;
  /**
   * Sends a delivery (again), now and for another day.
   * @throws ApiError webhook_gone
   */
  replay(delivery: WebhookDelivery): Promise<WebhookDelivery>;
  /** Cancels what runs; it stays stored and is sent after the next start. */
  close(): Promise<void>;
}

export interface WebhooksOptions {
  endpoints: readonly WebhookEndpoint[];
  store: Store;
  /** Address under which clients reach the server: events link to documents with it. */
  baseUrl: string;
  /** See `OutboxOptions`. */
  areEmbeddedAtOnce: boolean;
  log: Logger;
}

/** How long settled deliveries are kept, to be listed and replayed … */
const keptMs = 7 * 24 * 60 * 60 * 1_000;
/** … and how many of them at most. */
const maxKept = 100_000;
const sweepEveryMs = 60 * 60 * 1_000;
const pageSize = 500;

/** Sends the events of documents to the configured addresses. Until `start`, events are stored and not sent. */
export const createWebhooks = ({ endpoints, store, log, ...options }: WebhooksOptions): Webhooks => {
  const { deliveries } = store;
  let { baseUrl } = options;
  let sweeping: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setInterval> | null = null;

  const outbox = createOutbox({
    endpoints,
    deliveries,
    baseUrl: () => baseUrl,
    areEmbeddedAtOnce: options.areEmbeddedAtOnce,
    onReady: (delivery) => senders.get(delivery.endpoint)?.accept(delivery),
  });
  const senders = new Map(
    endpoints.map((endpoint) => [
      endpoint.id,
      createSender({ endpoint, deliveries, isPrepared: outbox.isPrepared, log }),
    ]),
  );

  /** Deliveries to addresses that left the configuration: they can be replayed once the address is back in it. */
  const abandonOthers = async (): Promise<void> => {
    for (;;) {
      const others = await deliveries.listOthers([...senders.keys()], pageSize);
      if (others.length === 0) return;
      log.warn({ deliveries: others.length }, "webhooks to an address that is no longer configured were given up");
      const settled = { state: "abandoned", nextAttemptAt: null, settledAt: Date.now() } as const;
      const error = "the address is no longer configured";
      await Promise.all(others.map((delivery) => deliveries.put({ ...delivery, ...settled, error })));
    }
  };

  const sweep = async (): Promise<void> => {
    try {
      while ((await deliveries.removeSettled({ before: Date.now() - keptMs, most: maxKept })) > 0);
    } catch (error) {
      log.warn({ err: error }, "old webhook deliveries could not be removed");
    }
  };

  return {
    store: endpoints.length === 0 ? store : { ...store, documents: announceDocuments(store.documents, outbox) },
    async start(address) {
      baseUrl = address;
      await settlePrepared(deliveries, store.documents);
      await abandonOthers();
      for (const sender of senders.values()) sender.start();
      sweeping = sweep();
      timer = setInterval(() => {
        sweeping = sweeping.then(sweep);
      }, sweepEveryMs);
      timer.unref();
    },
    async replay(delivery) {
      const sender = senders.get(delivery.endpoint);
      if (sender === undefined) {
        throw new ApiError(
          "webhook_gone",
          "The address of this delivery is no longer among the webhooks of the configuration.",
        );
      }
      // One whose event is not done yet is sent as soon as it is.
      if (outbox.isPrepared(delivery.id)) return delivery;
      const now = Date.now();
      const again: WebhookDelivery = {
        ...delivery,
        state: "waiting",
        attempts: 0,
        nextAttemptAt: now,
        error: null,
        since: now,
        settledAt: null,
      };
      await deliveries.put(again);
      sender.accept(again);
      return again;
    },
    async close() {
      if (timer !== null) clearInterval(timer);
      await Promise.all([sweeping, ...[...senders.values()].map((sender) => sender.close())]);
    },
  };
};
