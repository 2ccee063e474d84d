import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import type { Store } from "../store/contract.ts";
import { findDocument } from "./find-document.ts";

/** The document; null where its record is damaged: what is left of it can be removed. @throws ApiError document_not_found */
export const findForDeletion = (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  id: string,
): Promise<DocumentRecord | null> =>
  findDocument(store, tenant, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "data_damaged") return null;
    throw error;
  });

/**
 * Removes a document with its snippets and its file. A running job of it is aborted first.
 * @throws ApiError document_not_found; data_damaged where the record is damaged and it cannot be told whose it was
 */
export const deleteDocument = async (
  { store, ingest }: { store: Store; ingest: IngestQueue },
  tenant: Tenant,
  id: string,
): Promise<void> => {
  const document = await findForDeletion(store, tenant, id);
  if (document === null) {
    if (await store.documents.remove(tenant, id)) return;
    throw await store.damage.error(`The record of the document ${id} is damaged`);
  }
  const removed = await ingest.exclusively(tenant, id, () => store.documents.remove(tenant, id));
  if (!removed) throw notFound("document_not_found");
  ingest.notify(id, { status: "failed", error: "deleted", errorReason: null, progress: document.progress });
};
