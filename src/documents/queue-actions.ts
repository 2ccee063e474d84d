import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { IngestQueue } from "../ingest/work/queue.ts";
import type { Store } from "../store/contract.ts";
import { findDocument } from "./find-document.ts";

interface Deps {
  store: Store;
  ingest: IngestQueue;
}

/**
 * Has a failed document processed again.
 * @throws ApiError document_not_found; document_busy where it is not failed
 */
export const retryDocument = (deps: Deps, tenant: Tenant, id: string): Promise<DocumentRecord> =>
  change(deps, tenant, id, "failed", "Only a failed document can be retried", {
    status: "pending",
    error: null,
    attempts: 0,
    nextAttemptAt: null,
    begun: 0,
  });

/**
 * Cancels a waiting document: it is `failed` with the error `cancelled`, and can be retried.
 * @throws ApiError document_not_found; document_busy where it is not waiting
 */
export const cancelDocument = (deps: Deps, tenant: Tenant, id: string): Promise<DocumentRecord> =>
  change(deps, tenant, id, "pending", "Only a pending document can be canceled", {
    status: "failed",
    error: "cancelled",
    nextAttemptAt: null,
  });

const change = async (
  { store, ingest }: Deps,
  tenant: Tenant,
  id: string,
  from: DocumentRecord["status"],
  rule: string,
  to: Partial<DocumentRecord>,
): Promise<DocumentRecord> => {
  const refuse = (status: string) => new ApiError("document_busy", `${rule}; this one is ${status}.`);
  const document = await findDocument(store, tenant, id);
  if (document.status !== from) throw refuse(document.status);
  if (ingest.isRunning(id)) throw refuse("processing");
  return await ingest.exclusively(tenant, id, async () => {
    const current = await store.documents.get(tenant, id);
    if (current === null) throw notFound("document_not_found");
    if (current.status !== from) throw refuse(current.status);
    const changed = await store.documents.patch(tenant, id, { ...to, updatedAt: Date.now() });
    if (changed === null) throw notFound("document_not_found");
    ingest.notify(id, changed);
    if (changed.status === "pending") ingest.enqueue({ id, organizationId: changed.organizationId });
    return changed;
  });
};
