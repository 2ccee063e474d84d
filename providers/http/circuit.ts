import { setTimeout } from "node:timers/promises";
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleWhen } from "cockatiel";
import { ProviderError } from "../contract.ts";
import type { Destination } from "./destination.ts";

/**
 * A server that failed this many times in a row is not called, at first for two seconds, then for longer and longer.
 */
const maxFailures = 3;
const restMs = { initialDelay: 2_000, maxDelay: 60_000 };
/** How often, and for how long, a patient call checks whether the rest is over. */
const lookMs = 250;
const maxWaitMs = 8_000;

const restsTheServer = (error: unknown): boolean =>
  error instanceof ProviderError && (error.kind === "unreachable" || error.kind === "timeout");

/** Stops calls to a failing server for a while. */
interface Circuit {
  /**
   * Does the work unless the server rests.
   * @param mayWait asked again and again: whether this call waits for the end of a short rest
   * @throws ProviderError `unreachable` while the server rests; what the work throws
   */
  run<T>(work: () => Promise<T>, mayWait: () => boolean, signal: AbortSignal): Promise<T>;
}

export const createCircuit = (destination: Destination): Circuit => {
  const { service, configKey } = destination;
  const breaker = circuitBreaker(handleWhen(restsTheServer), {
    halfOpenAfter: new ExponentialBackoff(restMs),
    breaker: new ConsecutiveBreaker(maxFailures),
  });
  const lastFailure = (): string => {
    const reason = breaker.lastFailure;
    return reason !== undefined && "error" in reason && reason.error instanceof Error ? reason.error.message : "";
  };
  return {
    async run(work, mayWait, signal) {
      const giveUpAt = Date.now() + Math.min(destination.timeoutMs, maxWaitMs);
      for (;;) {
        try {
          return await breaker.execute(work);
        } catch (error) {
          if (!(error instanceof BrokenCircuitError)) throw error;
        }
        if (!mayWait() || Date.now() >= giveUpAt || signal.aborted) break;
        await setTimeout(lookMs, undefined, { signal }).catch(() => undefined);
      }
      throw new ProviderError(
        service,
        "unreachable",
        `${configKey}: the server failed ${maxFailures} times in a row and is not called for a moment; its last failure: ${lastFailure()}`,
        { retryAfterMs: restMs.initialDelay },
      );
    },
  };
};
