import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { Store } from "../../store/contract.ts";
import type { IngestPipeline } from "../contract.ts";
import type { IndexedText } from "../index/index-text.ts";
import type { Watchers } from "../work/watchers.ts";

interface ReplacementDependencies extends Pick<Watchers, "notify"> {
  store: Pick<Store, "documents">;
  pipeline: Pick<IngestPipeline, "publish">;
}

export interface Replacement {
  tenant: Tenant;
  documentId: string;
  indexed: IndexedText;
  /** See `IngestPipeline.publish`. */
  isPendingText?: boolean;
  signal: AbortSignal;
}

/**
 * Publishes an indexed text under a stored document and notifies its watchers. The caller holds the document's lock.
 * @param change what the record becomes, from the record as it is now: it may have changed since the text was read
 * @returns the record as stored, and as it was before; null where the document is gone
 */
export const replaceDocument = async (
  { store, pipeline, notify }: ReplacementDependencies,
  { tenant, documentId, indexed, isPendingText = false, signal }: Replacement,
  change: (current: DocumentRecord) => DocumentRecord,
): Promise<{ published: DocumentRecord; previous: DocumentRecord } | null> => {
  const previous = await store.documents.get(tenant, documentId);
  if (previous === null) return null;
  signal.throwIfAborted();
  const published = await pipeline.publish(change(previous), indexed, signal, isPendingText);
  notify(published.id, published);
  return { published, previous };
};
