import type { Embedder } from "../embedder/embedder.ts";
import type { Logger } from "../log/log.ts";
import type { Readings } from "../metrics/reading-gauges.ts";
import type { Store } from "../store/contract.ts";

interface GaugeSources {
  store: Pick<Store, "condition" | "documents">;
  activeRequests: number;
  /** Left out: its metrics are left out. */
  embedder?: Pick<Embedder, "status"> | undefined;
  newestBackupAt?: (() => Promise<number | null>) | undefined;
  log: Pick<Logger, "warn">;
}

/** Reads the current values of the metrics. A value that cannot be read is null, and the others are still returned. */
export const readGauges = async (sources: GaugeSources, now = Date.now()): Promise<Readings> => {
  const { store, embedder, newestBackupAt, log } = sources;
  const { condition } = store;
  const orNull = async <T>(what: string, read: () => Promise<T>): Promise<T | null> => {
    try {
      return await read();
    } catch (error) {
      log.warn({ err: error }, `${what} could not be read for the metrics`);
      return null;
    }
  };
  const [documents, oldestWaitMs, vectors, stored, disk, isWritable, backupAt] = await Promise.all([
    orNull("the documents", () => store.documents.countByStatus()),
    orNull("the queue", () => oldestWait(store, now)),
    embedder === undefined ? null : orNull("the embedder", () => vectorsOf(embedder)),
    orNull("the store", async () => ({
      rows: await condition.rows(),
      unindexedRows: await condition.unindexedRows(),
      bytes: await condition.bytes(),
    })),
    condition.disk(),
    orNull("the state of the store", async () => (await condition.whyReadOnly()) === null),
    newestBackupAt === undefined ? null : orNull("the backups", newestBackupAt),
  ]);
  const { activeRequests } = sources;
  return {
    activeRequests,
    documents,
    oldestWaitMs,
    vectors,
    store: stored,
    disk,
    isWritable,
    newestBackupAt: backupAt,
  };
};

const oldestWait = async ({ documents }: GaugeSources["store"], now: number): Promise<number> => {
  const [oldest] = await documents.listUnfinished(1);
  return oldest === undefined ? 0 : Math.max(0, now - oldest.updatedAt);
};

const vectorsOf = async (embedder: Pick<Embedder, "status">): Promise<Readings["vectors"]> => {
  const { pending, building, error } = await embedder.status();
  return {
    pendingSnippets: pending,
    isStalled: error !== null,
    building: building === null ? null : { done: building.done, total: building.total },
  };
};
