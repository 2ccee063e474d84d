import type { PageReached } from "../../../providers/contract.ts";
import type { DocumentRecord } from "../../domain/records.ts";

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
