import type { Logger } from "../log/log.ts";
import type { DeliveryStore } from "../store/contract.ts";
import type { WebhookEndpoint } from "./endpoint.ts";

/** Reads deliveries that wait in the store once there is room for them in memory. */
interface Refill {
  /** The store holds more than memory does. */
  noteMore(): void;
  /** A delivery was written: what a read under way knows of it is out of date. */
  noteWritten(id: string): void;
  /** Reads if more waits in the store and at most half of what may be held is. @param heldCount deliveries held now */
  runIfNeeded(heldCount: number): void;
}

interface RefillOptions {
  endpoint: WebhookEndpoint;
  deliveries: Pick<DeliveryStore, "listUnsettled">;
  maxHeld: number;
  /** Takes a delivery that was read and not written meanwhile. */
  add(id: string): void;
  /** Called after each read. */
  onEnd(): void;
  log: Logger;
}

/** Pause after the store could not be read. */
const pauseMs = 10_000;

/** The first run reads what an earlier run of the program left. */
export const createRefill = ({ endpoint, deliveries, maxHeld, add, onEnd, log }: RefillOptions): Refill => {
  let hasMore = true;
  let isRunning = false;
  const writtenMeanwhile = new Set<string>();

  const run = async (heldCount: number): Promise<void> => {
    isRunning = true;
    hasMore = false;
    writtenMeanwhile.clear();
    try {
      const limit = heldCount + maxHeld;
      const ids = await deliveries.listUnsettled(endpoint.id, limit);
      if (ids.length === limit) hasMore = true;
      for (const id of ids) if (!writtenMeanwhile.has(id)) add(id);
    } catch (error) {
      log.error({ err: error, webhook: endpoint.origin }, "the webhooks that wait could not be read");
      hasMore = true;
      await Bun.sleep(pauseMs);
    } finally {
      isRunning = false;
      onEnd();
    }
  };

  return {
    noteMore() {
      hasMore = true;
    },
    noteWritten(id) {
      if (isRunning) writtenMeanwhile.add(id);
    },
    runIfNeeded(heldCount) {
      if (hasMore && !isRunning && heldCount <= maxHeld / 2) void run(heldCount);
    },
  };
};
