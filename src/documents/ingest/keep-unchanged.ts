import type { DocumentRecord, JsonObject, Tenant } from "../../domain/records.ts";
import { analyzeName } from "../../ingest/index/analyzed-text.ts";
import type { Ingested, IngestPlan } from "./ingest.ts";
import type { IngestWork } from "./ingest-work.ts";

/** What of a document may change without its text. */
export interface Labels {
  name?: string | undefined;
  metadata?: JsonObject | null | undefined;
  partitionId?: string | null | undefined;
}

/** Other changes of a document that are to be made in the same step. */
export interface FurtherChange {
  fields: Partial<DocumentRecord>;
  pendingText?: string;
}

/**
 * Changes name, metadata and partition where they are given and differ; its snippets and text stay as they are.
 * @param more is changed with them, in one step
 * @returns the record as it stands then; null where the document is gone
 */
export const relabel = async (
  { store }: Pick<IngestWork, "store">,
  tenant: Tenant,
  document: DocumentRecord,
  { name, metadata, partitionId }: Labels,
  more?: FurtherChange,
): Promise<DocumentRecord | null> => {
  const change = {
    ...(name === undefined || name === document.name ? {} : { name: { name, titleTerms: analyzeName(name).terms } }),
    ...(metadata === undefined || Bun.deepEquals(metadata, document.metadata) ? {} : { metadata }),
    ...(partitionId === undefined || partitionId === document.partitionId ? {} : { partitionId }),
  };
  if (Object.keys(change).length > 0) return await store.documents.relabel(tenant, document.id, change, more);
  return more === undefined
    ? document
    : await store.documents.patch(tenant, document.id, more.fields, more.pendingText);
};

/**
 * Answers an upsert whose content is there already: nothing is embedded, name, metadata and partition are taken over
 * where they are given.
 * @returns null where the document was removed meanwhile
 */
export const keepUnchanged = async (
  work: IngestWork,
  tenant: Tenant,
  existing: DocumentRecord,
  { request, choice }: IngestPlan,
): Promise<Ingested | null> =>
  work.claims.withPartition(tenant, choice, async (partitionId) => {
    const document = await relabel(work, tenant, existing, {
      name: request.name ?? undefined,
      metadata: request.metadata ?? undefined,
      partitionId: choice.kind === "unnamed" ? undefined : partitionId,
    });
    if (document === null) return null;
    return { document, text: await work.store.documents.getText(document), unchanged: true, takesFile: false };
  });
