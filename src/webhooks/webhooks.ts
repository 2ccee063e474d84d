import { ApiError } from "../domain/errors.ts";
import type { WebhookDelivery } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { DeliveryStore, DocumentStore, Store } from "../store/contract.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { createOutbox, type Outbox, settlePrepared } from "./outbox.ts";
import { createSender } from "./sender.ts";

/** Wraps the document store: whatever way a document is processed, fails or is deleted, the outbox gets the event. */
const announceDocuments = (documents: DocumentStore, outbox: Outbox): DocumentStore => ({
  ...documents,
  add(document, text) {
    const add = () => documents.add(document, text);
    return document.status === "failed" ? outbox.around("document.failed", document, add) : add();
  },
  async patch(tenant, id, change, pendingText) {
    const patch = () => documents.patch(tenant, id, change, pendingText);
    const { status } = change;
    const isFinal = status === "failed" || status === "processed";
    const before = isFinal ? await documents.get(tenant, id) : null;
    if (!isFinal || before === null) return await patch();
    return await outbox.around(`document.${status}`, { ...before, ...change }, patch, (changed) => changed !== null);
  },
  publish: (document, text, snippets) =>
    outbox.around("document.processed", document, () => documents.publish(document, text, snippets)),
  publishNew: (publications) =>
    outbox.around(
      "document.processed",
      publications.map(({ document }) => document),
      () => documents.publishNew(publications),
    ),
  async remove(tenant, id) {
    const before = await documents.get(tenant, id);
    if (before === null) return false;
    return await outbox.around("document.deleted", before, () => documents.remove(tenant, id), Boolean);
  },
});

/** How long settled deliveries are kept, to be listed and replayed … */
const keptMs = 7 * 24 * 60 * 60 * 1_000;
/** … and how many of them at most. */
const maxKept = 100_000;
const sweepEveryMs = 60 * 60 * 1_000;
const pageSize = 500;

/** Ends deliveries that nobody sends any more, and removes old ones. */
interface DeliveryUpkeep {
  /**
   * Gives up deliveries to addresses that left the configuration: they can be replayed once the address is back in it.
   * @param endpointIds those of the configuration
   */
  abandonOthers(endpointIds: readonly string[]): Promise<void>;
  /** Removes old settled deliveries, now and every hour. */
  start(): void;
  /** Waits for the removal under way. */
  stop(): Promise<void>;
}

const createDeliveryUpkeep = (deliveries: DeliveryStore, log: Logger): DeliveryUpkeep => {
  let sweeping: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setInterval> | null = null;

  const sweep = async (): Promise<void> => {
    try {
      while ((await deliveries.removeSettled({ olderThanMs: keptMs, most: maxKept })) > 0);
    } catch (error) {
      log.warn({ err: error }, "old webhook deliveries could not be removed");
    }
  };

  return {
    async abandonOthers(endpointIds) {
      for (;;) {
        const others = await deliveries.listOthers(endpointIds, pageSize);
        if (others.length === 0) return;
        log.warn({ deliveries: others.length }, "webhooks to an address that is no longer configured were given up");
        const settled = { state: "abandoned", nextAttemptAt: null, settledAt: Date.now() } as const;
        const error = "the address is no longer configured";
        await Promise.all(others.map((delivery) => deliveries.put({ ...delivery, ...settled, error })));
      }
    },
    start() {
      sweeping = sweep();
      timer = setInterval(() => {
        sweeping = sweeping.then(sweep);
      }, sweepEveryMs);
      timer.unref();
    },
    async stop() {
      if (timer !== null) clearInterval(timer);
      await sweeping;
    },
  };
};

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
