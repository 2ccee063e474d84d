import type { Logger } from "../log.ts";
import type { Store } from "../store/contract.ts";

const dayMs = 86_400_000;
/** How long entries are kept. */
export const keptMs = 90 * dayMs;

/** Removes old entries of the audit log, now and every day. */
export const pruneAudit = (store: Pick<Store, "audit">, log: Logger): { close(): Promise<void> } => {
  const prune = (): Promise<void> =>
    store.audit
      .removeBefore(Date.now() - keptMs)
      .catch((err: unknown) => log.warn({ err }, "old entries of the audit log could not be removed"));
  let pruning = prune();
  const timer = setInterval(() => {
    pruning = pruning.then(prune);
  }, dayMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await pruning;
    },
  };
};
