import type { WebhookDelivery } from "../domain/records.ts";
import type { Attempt } from "./post.ts";
import { pauseBeforeAttempt } from "./retry.ts";

/** The delivery as it is to be stored after an attempt. @param triedForMs time since its first attempt was due */
export const deliveryAfter = (
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
