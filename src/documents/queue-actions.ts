import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import { type DocumentRecord, type DocumentStatus, type Tenant, waitingFields } from "../domain/records.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { Store } from "../store/contract.ts";
import { findDocument } from "./document-records.ts";

interface QueueDependencies {
  store: Store;
  ingest: IngestQueue;
}

/**
 * Has a failed document processed again.
 * @throws ApiError document_not_found; document_busy where it is not failed
 */
export const retryDocument = (deps: QueueDependencies, tenant: Tenant, id: string): Promise<DocumentRecord> =>
  changeInQueue(deps, tenant, id, {
    from: ["failed"],
    rule: "Only a failed document can be retried",
    refusesRunning: true,
    to: async () => ({ fields: waitingFields }),
  });

/**
 * Cancels a waiting document: it is `failed` with the error `cancelled`, and can be retried.
 * @throws ApiError document_not_found; document_busy where it is not waiting
 */
export const cancelDocument = (deps: QueueDependencies, tenant: Tenant, id: string): Promise<DocumentRecord> =>
  changeInQueue(deps, tenant, id, {
    from: ["pending"],
    rule: "Only a pending document can be canceled",
    refusesRunning: true,
    to: async () => ({ fields: { status: "failed", error: "cancelled", nextAttemptAt: null } }),
  });

/** A change of a document's state in the queue. */
interface QueueChange {
  /** The states that it may be in. */
  from: readonly DocumentStatus[];
  /** What is told where it is in another state. */
  rule: string;
  /** Whether a job under way refuses the change whatever the record says: it may not have been marked yet. */
  refusesRunning: boolean;
  /** Made from the record as it is now, while nothing else writes under the document. */
  to(current: DocumentRecord): Promise<{ fields: Partial<DocumentRecord>; pendingText?: string }>;
}

/**
 * Changes a document's state; one that is `pending` afterwards is processed. It is stored when the promise resolves.
 * @throws ApiError document_not_found; document_busy; what `to` throws, and then nothing is changed
 */
export const changeInQueue = async (
  { store, ingest }: QueueDependencies,
  tenant: Tenant,
  id: string,
  { from, rule, refusesRunning, to }: QueueChange,
): Promise<DocumentRecord> => {
  const check = ({ status }: Pick<DocumentRecord, "status">): void => {
    if (!from.includes(status)) throw new ApiError("document_busy", `${rule}; this one is ${status}.`);
  };
  check(await findDocument(store, tenant, id));
  if (refusesRunning && ingest.isRunning(id)) check({ status: "processing" });
  return await ingest.exclusively(tenant, id, async () => {
    const current = await store.documents.get(tenant, id);
    if (current === null) throw notFound("document_not_found");
    check(current);
    const { fields, pendingText } = await to(current);
    const changed = await store.documents.patch(tenant, id, { ...fields, updatedAt: Date.now() }, pendingText);
    if (changed === null) throw notFound("document_not_found");
    ingest.notify(id, changed);
    if (changed.status === "pending") ingest.enqueue({ id, organizationId: changed.organizationId });
    return changed;
  });
};
