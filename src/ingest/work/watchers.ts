import type { DocumentRecord } from "../../domain/records.ts";

/** What a client that follows a document is told. */
export type IngestState = Pick<DocumentRecord, "status" | "error" | "errorReason" | "progress">;

export interface Watchers {
  /** @returns ends the subscription */
  subscribe(documentId: string, listener: (state: IngestState) => void): () => void;
  tell(documentId: string, state: IngestState): void;
}

export const createWatchers = (): Watchers => {
  const listeners = new Map<string, Set<(state: IngestState) => void>>();
  return {
    subscribe(documentId, listener) {
      const those = listeners.get(documentId) ?? new Set();
      those.add(listener);
      listeners.set(documentId, those);
      return () => {
        those.delete(listener);
        if (those.size === 0 && listeners.get(documentId) === those) listeners.delete(documentId);
      };
    },
    tell(documentId, state) {
      for (const listener of [...(listeners.get(documentId) ?? [])]) listener(state);
    },
  };
};
