import type { Logger } from "../../log/log.ts";
import type { Store } from "../../store/contract.ts";
import type { Backlog } from "./backlog.ts";

const pageSize = 500;
const pauseAfterFailureMs = 1_000;

interface RefillDependencies {
  store: Pick<Store, "documents">;
  backlog: Backlog;
  /** Whether the queue has this document already. */
  isKnown(id: string): boolean;
  /** Called at the end of each refill. */
  onEnd(): void;
  log: Logger;
}

/**
 * Makes a function that reads the waiting documents of an organization from the store into the backlog, where more were
 * accepted than fit into memory. It never throws, and runs once at a time for each organization.
 */
export const createRefill = ({ store, backlog, isKnown, onEnd, log }: RefillDependencies) => {
  const refilling = new Set<string>();

  const readPages = async (organizationId: string): Promise<void> => {
    let found = 0;
    for (let skip = 0; found === 0; skip += pageSize) {
      const page = await store.documents.list(
        { organizationId, partitionId: null },
        { status: "pending" },
        { limit: pageSize, skip, sortOrder: "asc" },
      );
      for (const { id } of page.items) {
        if (isKnown(id)) continue;
        backlog.add({ id, organizationId });
        found += 1;
      }
      if (page.items.length < pageSize) break;
      if (found > 0) backlog.setMore(organizationId, true);
    }
  };

  return async (organizationId: string): Promise<void> => {
    if (refilling.has(organizationId)) return;
    refilling.add(organizationId);
    backlog.setMore(organizationId, false);
    try {
      await readPages(organizationId);
    } catch (error) {
      log.error({ error }, "the queue could not be read from the store");
      backlog.setMore(organizationId, true);
      await Bun.sleep(pauseAfterFailureMs);
    } finally {
      refilling.delete(organizationId);
      onEnd();
    }
  };
};
