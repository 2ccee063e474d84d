import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Document, Partition } from "../../../../shared/api.ts";
import { client } from "../../../state/session.ts";
import type { Scope } from "./scope.ts";

/** Reads the names of a scope's document and partition, of which an address has the ids alone. */
export const useScopeNames = (scope: Signal<Scope>): void => {
  const documentId = scope.value.document?.name === "" ? scope.value.document.id : null;
  const partitionId = scope.value.partition?.name === "" ? scope.value.partition.id : null;
  useEffect(() => {
    const stop = new AbortController();
    if (documentId !== null)
      client.get<Document[]>("/api/document", { ids: documentId }, stop.signal).then(([document]) => {
        if (document === undefined || scope.peek().document?.id !== documentId) return;
        scope.value = { ...scope.peek(), document: { id: documentId, name: document.name } };
      }, ignore);
    if (partitionId !== null)
      client.get<Partition>(`/api/partition/${encodeURIComponent(partitionId)}`, {}, stop.signal).then(({ name }) => {
        if (scope.peek().partition?.id !== partitionId) return;
        scope.value = { ...scope.peek(), partition: { id: partitionId, name } };
      }, ignore);
    return () => stop.abort();
  }, [documentId, partitionId]);
};

/** Without its name the scope is what it was; the question itself tells what is wrong with it. */
const ignore = (): void => {};
