import type { DocumentRecord, JsonObject, Tenant } from "../../domain/records.ts";
import type { NewName, Store } from "../../store/contract.ts";
import { labelTerms } from "./analyzed-text.ts";

/** What of a document can change without its text. */
export interface Labels {
  name?: string | undefined;
  metadata?: JsonObject | null | undefined;
  partitionId?: string | null | undefined;
}

/** Other changes of a document that are made in the same step. */
interface FurtherChange {
  fields: Partial<DocumentRecord>;
  pendingText?: string;
}

/**
 * Changes name, metadata and partition where they are given and differ; snippets and text stay as they are.
 * @param more changed with them, in one step
 * @returns the record afterwards; null where the document is gone
 */
export const relabelDocument = async (
  { store }: { store: Pick<Store, "documents"> },
  tenant: Tenant,
  document: DocumentRecord,
  { name, metadata, partitionId }: Labels,
  more?: FurtherChange,
): Promise<DocumentRecord | null> => {
  const called = { name: name ?? document.name, metadata: metadata === undefined ? document.metadata : metadata };
  const isGiven = name !== undefined || metadata !== undefined;
  const formerTitleTerms = isGiven ? labelTerms(document) : "";
  const titleTerms = isGiven ? labelTerms(called) : "";
  const isCalledAlike = called.name === document.name && titleTerms === formerTitleTerms;
  const change = {
    ...(isCalledAlike ? {} : { name: { name: called.name, titleTerms, formerTitleTerms } satisfies NewName }),
    ...(metadata === undefined || Bun.deepEquals(metadata, document.metadata) ? {} : { metadata }),
    ...(partitionId === undefined || partitionId === document.partitionId ? {} : { partitionId }),
  };
  if (Object.keys(change).length > 0) return await store.documents.relabel(tenant, document.id, change, more);
  return more === undefined
    ? document
    : await store.documents.patch(tenant, document.id, more.fields, more.pendingText);
};
