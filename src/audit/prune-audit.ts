import type { Logger } from "../log.ts";
import type { Store } from "../store/contract.ts";

const hourMs = 3_600_000;
/** How long entries are kept. */
const keptMs = 90 * 24 * hourMs;

/** Removes old entries of the audit log, now and every hour. */
export const pruneAudit = (store: Pick<Store, "audit">, log: Logger): { close(): Promise<void> } => {
  const prune = (): Promise<void> =>
    store.audit
      .removeOlder(keptMs)
      .catch((err: unknown) => log.warn({ err }, "old entries of the audit log could not be removed"));
  let pruning = prune();
  const timer = setInterval(() => {
    pruning = pruning.then(prune);
  }, hourMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await pruning;
    },
  };
};
