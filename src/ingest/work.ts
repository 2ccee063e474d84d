import { createKeyedMutex, type KeyedMutex } from "../async/keyed-mutex.ts";
import type { Quotas } from "../limits/quotas.ts";
import type { Store } from "../store/contract.ts";
import { createPartitionClaims, type PartitionClaims } from "./partition-choice.ts";
import type { PreparationDependencies } from "./prepare/prepare-document.ts";
import type { IngestQueue } from "./queue/queue.ts";

/** What the use cases that write documents share. Made once, because locks only help if all callers share them. */
export interface IngestWork extends PreparationDependencies {
  store: Store;
  /** Processes documents later, and lets others write under a document exclusively. */
  ingest: IngestQueue;
  claims: PartitionClaims;
  quotas: Quotas;
  /** Serializes "is this content stored already?" and the write that follows, by content. */
  contentLock: KeyedMutex;
}

export const createIngestWork = (
  deps: PreparationDependencies & Pick<IngestWork, "store" | "ingest" | "quotas">,
): IngestWork => ({
  ...deps,
  claims: createPartitionClaims(deps.store, deps.log),
  contentLock: createKeyedMutex(),
});
