import { documentJson } from "../documents/document-json.ts";
import type { DocumentRecord, WebhookDelivery, WebhookEvent } from "../domain/records.ts";
import type { DeliveryStore, DocumentStore } from "../store/contract.ts";
import type { WebhookEndpoint } from "./endpoint.ts";

interface OutboxOptions {
  endpoints: readonly WebhookEndpoint[];
  deliveries: DeliveryStore;
  /** Address under which clients reach the server, without a final slash. */
  baseUrl(): string;
  /** Whether a document has all its vectors when it is processed: no model's vectors follow. */
  areEmbeddedAtOnce: boolean;
  /** Called with each delivery that may be sent from now on. */
  onReady(delivery: WebhookDelivery): void;
}

/**
 * Stores an event's deliveries before the change itself, so that no crash loses one: they are sent once the change is
 * made, and removed where it is not.
 */
export interface Outbox {
  /**
   * Runs the work that the event reports, on one document or several, with its deliveries stored around it.
   * @param happened whether the result means that the change was made
   */
  around<T>(
    event: WebhookEvent,
    documents: DocumentRecord | readonly DocumentRecord[],
    work: () => Promise<T>,
    happened?: (result: T) => boolean,
  ): Promise<T>;
  /** True for a delivery whose work is under way. */
  isPrepared(id: string): boolean;
}

export const createOutbox = ({ endpoints, deliveries, onReady, ...options }: OutboxOptions): Outbox => {
  const prepared = new Set<string>();

  const deliveriesOf = (event: WebhookEvent, document: DocumentRecord): WebhookDelivery[] => {
    const now = Date.now();
    const body = JSON.stringify({
      type: event,
      timestamp: new Date(now).toISOString(),
      data: documentJson(document, {
        baseUrl: options.baseUrl(),
        text: null,
        isEmbedded: options.areEmbeddedAtOnce && event === "document.processed",
      }),
    });
    return endpoints
      .filter((endpoint) => endpoint.wants(event))
      .map(
        ({ id, origin }): WebhookDelivery => ({
          id: Bun.randomUUIDv7(),
          endpoint: id,
          origin,
          organizationId: document.organizationId,
          partitionId: document.partitionId,
          documentId: document.id,
          event,
          revision: event === "document.processed" ? document.revision : null,
          body,
          state: "prepared",
          attempts: 0,
          nextAttemptAt: null,
          error: null,
          createdAt: now,
          since: now,
          settledAt: null,
        }),
      );
  };

  const prepare = async (event: WebhookEvent, documents: readonly DocumentRecord[]): Promise<WebhookDelivery[]> => {
    const made = documents.flatMap((document) => deliveriesOf(event, document));
    for (const { id } of made) prepared.add(id);
    try {
      if (made.length > 0) await deliveries.add(made);
    } catch (error) {
      for (const { id } of made) prepared.delete(id);
      throw error;
    }
    return made;
  };

  const drop = async (made: readonly WebhookDelivery[]): Promise<void> => {
    if (made.length === 0) return;
    // If this fails too, the next start finds that the change was not made.
    await deliveries.remove(made.map(({ id }) => id)).catch(() => undefined);
    for (const { id } of made) prepared.delete(id);
  };

  return {
    isPrepared: (id) => prepared.has(id),
    async around(event, documents, work, happened = () => true) {
      const made = await prepare(event, [documents].flat());
      try {
        const result = await work();
        if (!happened(result)) {
          await drop(made);
          return result;
        }
        for (const delivery of made) {
          prepared.delete(delivery.id);
          onReady(delivery);
        }
        return result;
      } catch (error) {
        await drop(made);
        throw error;
      }
    },
  };
};

/** Prepared deliveries settled together. */
const pageSize = 500;

/** Settles what a crash left prepared: a delivery is sent where the documents show that its event happened, else removed. */
export const settlePrepared = async (
  deliveries: DeliveryStore,
  documents: Pick<DocumentStore, "get">,
): Promise<void> => {
  for (;;) {
    const left = await deliveries.listPrepared(pageSize);
    if (left.length === 0) return;
    const checked = await Promise.all(
      left.map(async (delivery) => {
        const { organizationId, documentId } = delivery;
        const document = await documents.get({ organizationId, partitionId: null }, documentId);
        return { delivery, happened: hasHappened(delivery, document) };
      }),
    );
    await deliveries.remove(checked.filter(({ happened }) => !happened).map(({ delivery }) => delivery.id));
    await Promise.all(
      checked.flatMap(({ delivery, happened }) =>
        happened ? [deliveries.put({ ...delivery, state: "waiting" })] : [],
      ),
    );
  }
};

const hasHappened = ({ event, revision }: WebhookDelivery, document: DocumentRecord | null): boolean => {
  if (event === "document.deleted") return document === null;
  if (event === "document.failed") return document?.status === "failed";
  // Revisions are UUIDv7, ordered by time: a later one means that this one was published before.
  if (document?.status !== "processed" || document.revision === null || revision === null) return false;
  return document.revision >= revision;
};
