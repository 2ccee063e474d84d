import { codeOf } from "../domain/errors.ts";
import type { WebhookDelivery } from "../domain/records.ts";
import { version } from "../domain/version.ts";
import type { Logger } from "../log/log.ts";
import type { Ages, DeliveryStore } from "../store/contract.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import { pauseBeforeAttempt, type Wait } from "./held-deliveries.ts";

/**
 * Outcome of one attempt. `gotNoAnswer`: the receiver could not be reached, so other deliveries failed in the same way.
 */
type Attempt = { delivered: true } | { delivered: false; error: string; gotNoAnswer: boolean };

const timeoutMs = 15_000;

/**
 * Sends a delivery once, signed with the current time. Anything but a 2xx is a failure, a redirect too: what is signed
 * for one address is sent to no other.
 * @param signal cancels the attempt
 * @throws the signal's reason
 */
const postDelivery = async (
  { url, signer }: WebhookEndpoint,
  { id, body }: Pick<WebhookDelivery, "id" | "body">,
  signal: AbortSignal,
): Promise<Attempt> => {
  const now = new Date();
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `Carrel/${version}`,
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1_000)),
        "webhook-signature": signer.sign(id, now, body),
      },
      body,
      redirect: "manual",
      // A receiver that was restarted has lost its earlier connections.
      keepalive: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    if (response.ok) return { delivered: true };
    const gotNoAnswer = [502, 503, 504].includes(response.status);
    return { delivered: false, error: `the receiver answered ${response.status}`, gotNoAnswer };
  } catch (error) {
    signal.throwIfAborted();
    return { delivered: false, error: reasonOf(error), gotNoAnswer: true };
  }
};

/** Describes the failure without any part of the address. */
const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === "TimeoutError") {
    return `the receiver did not answer within ${timeoutMs / 1_000} s`;
  }
  const code = codeOf(error);
  return code === null ? "the receiver cannot be reached" : `the receiver cannot be reached (${code})`;
};

/** The delivery as it is to be stored after an attempt. @param triedForMs time since its first attempt was due */
const deliveryAfter = (
  delivery: WebhookDelivery,
  attempt: Attempt,
  now: number,
  triedForMs: number,
): WebhookDelivery => {
  const attempts = delivery.attempts + 1;
  if (attempt.delivered)
    return { ...delivery, state: "delivered", attempts, nextAttemptAt: null, error: null, settledAt: now };
  const failed = { ...delivery, attempts, error: attempt.error };
  const pauseMs = pauseBeforeAttempt(attempts, triedForMs, Math.random());
  return pauseMs === null
    ? { ...failed, state: "abandoned", nextAttemptAt: null, settledAt: now }
    : { ...failed, state: "waiting", nextAttemptAt: now + pauseMs };
};

/**
 * Logs a line when a receiver begins to fail and one when it takes deliveries again, however many there are.
 * @param origin what may be shown of its address
 * @returns takes each attempt; true for the first that is delivered after failed ones
 */
export const createReceiverLog = (log: Logger, origin: string): ((attempt: Attempt) => boolean) => {
  let isFailing = false;
  return (attempt) => {
    const wasFailing = isFailing;
    isFailing = !attempt.delivered;
    if (!attempt.delivered && !wasFailing)
      log.warn({ webhook: origin, reason: attempt.error }, "a webhook was not delivered: it is tried again");
    if (attempt.delivered && wasFailing) log.info({ webhook: origin }, "a webhook's receiver takes deliveries again");
    return attempt.delivered && wasFailing;
  };
};

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

/** Writes deliveries to the store in the background, so that the next ones are sent meanwhile. */
interface DeliveryWriter {
  /** Writes under way. */
  readonly size: number;
  has(id: string): boolean;
  /** @param isDurable whether a power cut may not take it back */
  write(delivery: WebhookDelivery, isDurable: boolean): void;
  /** Waits for the last write of this delivery. */
  settled(id: string): Promise<void>;
  allSettled(): Promise<void>;
}

interface DeliveryWriterOptions {
  deliveries: Pick<DeliveryStore, "put">;
  onFailure(id: string, error: unknown): void;
  /** Called after each write, also after one that failed. */
  onEnd(id: string): void;
}

export const createDeliveryWriter = ({ deliveries, onFailure, onEnd }: DeliveryWriterOptions): DeliveryWriter => {
  const running = new Map<string, Promise<void>>();
  return {
    get size() {
      return running.size;
    },
    has: (id) => running.has(id),
    write(delivery, isDurable) {
      const { id } = delivery;
      const written = deliveries
        .put(delivery, isDurable)
        .catch((error: unknown) => onFailure(id, error))
        .finally(() => {
          if (running.get(id) === written) running.delete(id);
          onEnd(id);
        });
      running.set(id, written);
    },
    settled: async (id) => await running.get(id),
    allSettled: async () => void (await Promise.all(running.values())),
  };
};
