import { createKeyedMutex, type KeyedMutex } from "../../async/keyed-mutex.ts";
import type { IngestQueue } from "../../ingest/work/queue.ts";
import type { Logger } from "../../log.ts";
import type { Store } from "../../store/contract.ts";
import { createPartitionClaims, type PartitionClaims } from "../partition-choice.ts";

/** What the use cases that write documents share. Made once: the locks only help where everybody holds the same. */
export interface IngestWork {
  store: Store;
  ingest: IngestQueue;
  claims: PartitionClaims;
  /** Serialises "is this content there already?" and the write that follows, by content. */
  contentLock: KeyedMutex;
}

export const createIngestWork = (deps: { store: Store; ingest: IngestQueue; log: Logger }): IngestWork => ({
  store: deps.store,
  ingest: deps.ingest,
  claims: createPartitionClaims(deps.store, deps.log),
  contentLock: createKeyedMutex(),
});
