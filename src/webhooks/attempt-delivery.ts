import type { WebhookDelivery } from "../domain/records.ts";
import type { Logger } from "../log/log.ts";
import type { Ages, DeliveryStore } from "../store/contract.ts";
import { deliveryAfter } from "./attempt-outcome.ts";
import type { DeliveryWriter } from "./delivery-writer.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import type { Wait } from "./held-deliveries.ts";
import { type Attempt, postDelivery } from "./post.ts";

interface AttemptDependencies {
  endpoint: WebhookEndpoint;
  deliveries: Pick<DeliveryStore, "find">;
  writer: DeliveryWriter;
  ages: Ages;
  log: Logger;
}

/**
 * Sends a delivery once, and has the outcome written down.
 * @param record the delivery as stored; null: it is read
 * @returns the attempt, and when the next is due (null: there is none); null where there was nothing to send any more
 * @throws what the store throws
 */
export const attemptDelivery = async (
  { endpoint, deliveries, writer, ages, log }: AttemptDependencies,
  id: string,
  record: WebhookDelivery | null,
  signal: AbortSignal,
): Promise<{ attempt: Attempt; next: Wait | null } | null> => {
  // The outcome of the attempt before this one must be stored before the delivery is read.
  await writer.settled(id);
  const delivery = record ?? (await deliveries.find(id));
  if (delivery === null || delivery.state === "delivered" || delivery.state === "abandoned") return null;
  const attempt = await postDelivery(endpoint, delivery, signal);
  const tried = deliveryAfter(delivery, attempt, Date.now(), ages.of(delivery.since));
  const isAbandoned = tried.state === "abandoned";
  // Not durable otherwise: what a power cut takes back is sent twice under one id, which receivers must bear anyway.
  writer.write(tried, isAbandoned);
  if (isAbandoned) logAbandoned(log, endpoint.origin, tried);
  if (attempt.delivered || tried.nextAttemptAt === null) return { attempt, next: null };
  return { attempt, next: { dueAt: tried.nextAttemptAt, gotNoAnswer: attempt.gotNoAnswer } };
};

const logAbandoned = (log: Logger, origin: string, { id, event, documentId, attempts, error }: WebhookDelivery): void =>
  log.warn(
    { webhook: origin, deliveryId: id, event, documentId, attempts, reason: error },
    "a webhook was given up after a day: it can be replayed",
  );
