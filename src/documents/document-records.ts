import { ApiError } from "../domain/errors.ts";
import { isRecordId, notFound, requireRecordId } from "../domain/ids.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { IngestQueue } from "../ingest/queue/queue.ts";
import { parseMetadataFilter } from "../retrieval/metadata-filter.ts";
import type { Page, Paging, Store } from "../store/contract.ts";
import { readAnswerTexts, type TextCount } from "./answer-texts.ts";

/** The document of this id. @throws ApiError document_not_found */
export const findDocument = async (
  { documents }: Pick<Store, "documents">,
  tenant: Tenant,
  id: string,
): Promise<DocumentRecord> => {
  const document = await documents.get(tenant, requireRecordId(id, "document_not_found"));
  if (document === null) throw notFound("document_not_found");
  return document;
};

/** The result of work on a document; `otherwise` where the document was deleted meanwhile. */
export const unlessGone = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ApiError && error.code === "document_not_found") return otherwise;
    throw error;
  }
};

/** Which documents are listed, and with what. */
interface DocumentListRequest extends Paging {
  /** Comma-separated identifiers. */
  ids?: string | undefined;
  partitionId?: string | undefined;
  status?: DocumentRecord["status"] | undefined;
  /** Text that the name contains. */
  searchValue?: string | undefined;
  /** A filter as `parseMetadataFilter` takes it. */
  metadata?: unknown;
  includesTexts: boolean;
}

/** One page of documents, and their texts where requested (otherwise an empty map). */
interface DocumentPage extends Page<DocumentRecord> {
  texts: Map<string, string>;
}

/** @throws ApiError invalid_request for a wrong filter, partition_not_found, answer_too_large, overloaded */
export const listDocuments = async (
  { documents, partitions }: Pick<Store, "documents" | "partitions">,
  tenant: Tenant,
  request: DocumentListRequest,
  held: TextCount,
): Promise<DocumentPage> => {
  const { ids, partitionId, status, searchValue, includesTexts, limit, skip, sortOrder } = request;
  const metadata = parseMetadataFilter(request.metadata);
  if (partitionId !== undefined) {
    const partition = await partitions.get(tenant, requireRecordId(partitionId, "partition_not_found", "partitionId"));
    if (partition === null) throw notFound("partition_not_found", "partitionId");
  }
  const page = await documents.list(
    tenant,
    {
      ...(ids === undefined ? {} : { ids: readIds(ids) }),
      ...(partitionId === undefined ? {} : { partitionId }),
      ...(status === undefined ? {} : { status }),
      ...(searchValue === undefined || searchValue === "" ? {} : { searchValue }),
      ...(metadata === null ? {} : { metadata }),
    },
    { limit, skip, sortOrder },
  );
  const texts = includesTexts ? await readAnswerTexts({ documents }, page.items, held) : new Map<string, string>();
  return { ...page, texts };
};

/** What cannot be an identifier has no document. */
const readIds = (text: string): string[] =>
  text
    .split(",")
    .map((id) => id.trim())
    .filter(isRecordId);

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
