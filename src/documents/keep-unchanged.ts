import { analyseName } from "../ingest/analysed-text.ts";
import type { DocumentRecord, JsonObject, Tenant } from "../store/records.ts";
import type { Ingested, IngestPlan } from "./ingest.ts";
import type { IngestWork } from "./ingest-work.ts";

/** What of a document may change without its text. */
export interface Labels {
  name?: string | undefined;
  metadata?: JsonObject | null | undefined;
  partitionId?: string | null | undefined;
}

/**
 * Changes name, metadata and partition where they are given and differ; its snippets and text stay as they are.
 * @returns the record as it stands then; null where the document is gone
 */
export const relabel = async (
  { store }: Pick<IngestWork, "store">,
  tenant: Tenant,
  document: DocumentRecord,
  { name, metadata, partitionId }: Labels,
): Promise<DocumentRecord | null> => {
  const change = {
    ...(name === undefined || name === document.name ? {} : { name: { name, titleTerms: analyseName(name).terms } }),
    ...(metadata === undefined || Bun.deepEquals(metadata, document.metadata) ? {} : { metadata }),
    ...(partitionId === undefined || partitionId === document.partitionId ? {} : { partitionId }),
  };
  if (Object.keys(change).length === 0) return document;
  return await store.documents.relabel(tenant, document.id, change);
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
