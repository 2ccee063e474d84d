import { ApiError } from "../domain/errors.ts";
import { notFound, partitionField } from "../domain/ids.ts";
import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { Store } from "../store/contract.ts";

export interface Scope {
  documentId: string | null;
  partitionId: string | null;
}

/**
 * Checks that what a question or chat is about exists for this tenant and does not contradict itself.
 * @returns the document, where the scope names one
 * @throws ApiError document_not_found, partition_not_found, scope_conflict
 */
export const checkScope = async (
  store: Pick<Store, "documents" | "partitions">,
  tenant: Tenant,
  scope: Scope,
): Promise<DocumentRecord | null> => {
  const [document, partition] = await Promise.all([
    scope.documentId === null ? null : store.documents.get(tenant, scope.documentId),
    scope.partitionId === null ? null : store.partitions.get(tenant, scope.partitionId),
  ]);
  if (scope.documentId !== null && document === null) throw notFound("document_not_found", "documentId");
  if (scope.partitionId !== null && partition === null) {
    throw notFound("partition_not_found", partitionField(tenant, scope.partitionId));
  }
  if (document !== null && partition !== null && document.partitionId !== partition.id) {
    throw new ApiError("scope_conflict", "The document is not in that partition: leave one of the two out.", {
      errors: [{ path: "documentId", message: "is not in the partition that partitionId names" }],
    });
  }
  return document;
};
