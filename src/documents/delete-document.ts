import { ApiError } from "../domain/errors.ts";
import { notFound } from "../domain/ids.ts";
import type { Tenant } from "../domain/records.ts";
import type { IngestQueue } from "../ingest/work/queue.ts";
import type { Store } from "../store/contract.ts";
import { findDocument } from "./find-document.ts";

/**
 * Removes a document with its snippets and its file. A running job of it is aborted first.
 * @throws ApiError document_not_found
 */
export const deleteDocument = async (
  { store, ingest }: { store: Store; ingest: IngestQueue },
  tenant: Tenant,
  id: string,
): Promise<void> => {
  const document = await findDocument(store, tenant, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === "data_damaged") return null;
    throw error;
  });
  if (document === null) {
    // What is left of it can be removed, so that it is not named for ever.
    if (await store.documents.remove(tenant, id)) return;
    throw notFound("document_not_found");
  }
  const removed = await ingest.exclusively(tenant, id, () => store.documents.remove(tenant, id));
  if (!removed) throw notFound("document_not_found");
  ingest.notify(id, { status: "failed", error: "deleted", errorReason: null, progress: document.progress });
};
