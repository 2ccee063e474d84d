import type { WebhookDelivery } from "../domain/records.ts";
import { codeOf } from "../domain/thrown.ts";
import { version } from "../domain/version.ts";
import type { WebhookEndpoint } from "./endpoint.ts";

/**
 * Outcome of one attempt. `gotNoAnswer`: the receiver could not be reached, so other deliveries failed in the same way.
 */
export type Attempt = { delivered: true } | { delivered: false; error: string; gotNoAnswer: boolean };

const timeoutMs = 15_000;

/**
 * Sends a delivery once, signed with the current time. Anything but a 2xx is a failure, a redirect too: what is signed
 * for one address is sent to no other.
 * @param signal cancels the attempt
 * @throws the signal's reason
 */
export const postDelivery = async (
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
