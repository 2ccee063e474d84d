import type { Logger } from "../log/log.ts";
import type { DeliveryStore } from "../store/contract.ts";

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

export const createDeliveryUpkeep = (deliveries: DeliveryStore, log: Logger): DeliveryUpkeep => {
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
