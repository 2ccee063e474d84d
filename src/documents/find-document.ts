import { ApiError } from "../domain/errors.ts";
import { notFound, requireRecordId } from "../domain/ids.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

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
