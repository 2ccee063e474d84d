import type { Logger } from "../log/log.ts";
import type { Store } from "../store/contract.ts";

const hourMs = 3_600_000;
/** How long entries of the audit log are kept. */
const auditMs = 90 * 24 * hourMs;

/** Removes old entries of the audit log and old receipts, now and every hour. */
export const pruneOld = (
  store: Pick<Store, "audit" | "receipts">,
  { receiptsMs }: { receiptsMs: number },
  log: Logger,
): { close(): Promise<void> } => {
  const removal = (what: string, work: () => Promise<void>): Promise<void> =>
    work().catch((err: unknown) => log.warn({ err }, `old ${what} could not be removed`));
  const prune = async (): Promise<void> => {
    await removal("entries of the audit log", () => store.audit.removeOlder(auditMs));
    await removal("receipts", () => store.receipts.removeOlder(receiptsMs));
  };
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
