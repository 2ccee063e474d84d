import { ApiError } from "../domain/errors.ts";
import type { WebhookDelivery } from "../domain/records.ts";
import type { Logger } from "../log.ts";
import type { Store } from "../store/contract.ts";
import { announceDocuments } from "./announce-documents.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { createOutbox, settlePrepared } from "./outbox.ts";
import { createSender } from "./sender.ts";

export interface Webhooks {
  /** The store whose changes of documents are told. With no address to tell it is the one that was given. */
  readonly store: Store;
  /** Begins to send, with what an earlier run left. @param baseUrl as in the options, now that it is known for sure */
  start(baseUrl: string): Promise<void>;
  /**
   * Sends a delivery (again), now and for another day.
   * @throws ApiError webhook_gone
   */
  replay(delivery: WebhookDelivery): Promise<WebhookDelivery>;
  /** Calls off what runs; it stays stored and is sent after the next start. */
  close(): Promise<void>;
}

export interface WebhooksOptions {
  endpoints: readonly WebhookEndpoint[];
  store: Store;
  /** Address under which clients reach the server: it stands in what is sent. */
  baseUrl: string;
  log: Logger;
}

/** Settled deliveries are kept for so long, to be looked at and replayed … */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;
/** … and no more than so many. */
const MOST_KEPT = 100_000;
const SWEEP_EVERY_MS = 60 * 60 * 1_000;
const PAGE = 500;

/** Tells the configured addresses of what becomes of documents. Until `start`, events are written down and not sent. */
export const createWebhooks = ({ endpoints, store, log, ...options }: WebhooksOptions): Webhooks => {
  const { deliveries } = store;
  let { baseUrl } = options;
  let sweeping: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setInterval> | null = null;

  const outbox = createOutbox({
    endpoints,
    deliveries,
    baseUrl: () => baseUrl,
    onReady: (delivery) => senders.get(delivery.endpoint)?.accept(delivery),
  });
  const senders = new Map(
    endpoints.map((endpoint) => [
      endpoint.id,
      createSender({ endpoint, deliveries, isPrepared: outbox.isPrepared, log }),
    ]),
  );

  /** Those of addresses that left the configuration can only be replayed when they are back in it. */
  const abandonOthers = async (): Promise<void> => {
    for (;;) {
      const others = await deliveries.listOthers([...senders.keys()], PAGE);
      if (others.length === 0) return;
      log.warn({ deliveries: others.length }, "webhooks to an address that is no longer configured were given up");
      const settled = { state: "abandoned", nextAttemptAt: null, settledAt: Date.now() } as const;
      const error = "the address is no longer configured";
      await Promise.all(others.map((delivery) => deliveries.put({ ...delivery, ...settled, error })));
    }
  };

  const sweep = async (): Promise<void> => {
    try {
      while ((await deliveries.removeSettled({ before: Date.now() - KEPT_MS, most: MOST_KEPT })) > 0);
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
      }, SWEEP_EVERY_MS);
      timer.unref();
    },
    async replay(delivery) {
      const sender = senders.get(delivery.endpoint);
      if (sender === undefined) {
        throw new ApiError(
          "webhook_gone",
          "The address that this was for is no longer among the webhooks of the configuration.",
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
