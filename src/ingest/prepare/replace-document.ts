import type { PageReached } from "../../../providers/contract.ts";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { Store } from "../../store/contract.ts";
import type { IndexedText } from "../index/index-text.ts";
import type { IngestPipeline } from "./contract.ts";

/** The state of a document that its watchers get. */
export interface IngestState extends Pick<DocumentRecord, "status" | "error" | "errorReason" | "progress"> {
  /** The page that is being read. In memory alone: a record of the store has none. */
  reading?: PageReached | null;
}

/** Clients that follow documents. */
export interface Watchers {
  /** @returns ends the subscription */
  subscribe(documentId: string, listener: (state: IngestState) => void): () => void;
  /** Passes the state to everybody who follows the document. */
  notify(documentId: string, state: IngestState): void;
}

export const createWatchers = (): Watchers => {
  const listeners = new Map<string, Set<(state: IngestState) => void>>();
  return {
    subscribe(documentId, listener) {
      const subscribed = listeners.get(documentId) ?? new Set();
      subscribed.add(listener);
      listeners.set(documentId, subscribed);
      return () => {
        subscribed.delete(listener);
        if (subscribed.size === 0 && listeners.get(documentId) === subscribed) listeners.delete(documentId);
      };
    },
    notify(documentId, state) {
      for (const listener of [...(listeners.get(documentId) ?? [])]) listener(state);
    },
  };
};

interface ReplacementDependencies extends Pick<Watchers, "notify"> {
  store: Pick<Store, "documents">;
  pipeline: Pick<IngestPipeline, "publish">;
}

interface Replacement {
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
