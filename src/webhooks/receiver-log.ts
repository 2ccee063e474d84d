import type { Logger } from "../log/log.ts";
import type { Attempt } from "./post.ts";

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
