import { ApiError } from "../domain/errors.ts";
import type { WebhookDelivery } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";
import { announceDocuments } from "./announce-documents.ts";
import { createDeliveryUpkeep } from "./delivery-upkeep.ts";
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

interface WebhooksOptions {
  endpoints: readonly WebhookEndpoint[];
  store: Store;
  /** Address under which clients reach the server: events link to documents with it. */
  baseUrl: string;
  /** See `OutboxOptions`. */
  areEmbeddedAtOnce: boolean;
  log: Logger;
}

/** Sends the events of documents to the configured addresses. Until `start`, events are stored and not sent. */
export const createWebhooks = ({ endpoints, store, log, ...options }: WebhooksOptions): Webhooks => {
  const { deliveries } = store;
  let { baseUrl } = options;

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
      createSender({ endpoint, deliveries, ages: store.ages, isPrepared: outbox.isPrepared, log }),
    ]),
  );

  const upkeep = createDeliveryUpkeep(deliveries, log);

  return {
    store: endpoints.length === 0 ? store : { ...store, documents: announceDocuments(store.documents, outbox) },
    async start(address) {
      baseUrl = address;
      await settlePrepared(deliveries, store.documents);
      await upkeep.abandonOthers([...senders.keys()]);
      for (const sender of senders.values()) sender.start();
      upkeep.start();
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
      await Promise.all([upkeep.stop(), ...[...senders.values()].map((sender) => sender.close())]);
    },
  };
};
