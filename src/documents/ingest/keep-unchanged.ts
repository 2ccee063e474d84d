import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import { relabelDocument } from "../relabel-document.ts";
import type { Ingested, IngestPlan } from "./ingest-plan.ts";
import type { IngestWork } from "./ingest-work.ts";

/**
 * Ends an upsert whose content is stored already: nothing is embedded; name, metadata and partition change where they
 * are given.
 * @returns null where the document was removed meanwhile
 */
export const keepUnchanged = async (
  work: IngestWork,
  tenant: Tenant,
  existing: DocumentRecord,
  { request, choice }: IngestPlan,
): Promise<Ingested | null> =>
  work.claims.withPartition(tenant, choice, async (partitionId) => {
    const document = await relabelDocument(work, tenant, existing, {
      name: request.name ?? undefined,
      metadata: request.metadata ?? undefined,
      partitionId: choice.kind === "unnamed" ? undefined : partitionId,
    });
    if (document === null) return null;
    return { document, text: await work.store.documents.getText(document), unchanged: true, takesFile: false };
  });

/**
 * `keepUnchanged` for an upsert without an external id: the processed document of the same partition with this text.
 * The caller holds `contentLock` for the text.
 * @returns null where there is none
 */
export const keepSameText = async (
  work: IngestWork,
  tenant: Tenant,
  plan: IngestPlan,
  textHash: string,
): Promise<Ingested | null> => {
  const { store } = work;
  const { choice } = plan;
  const partition = choice.kind === "byName" ? await store.partitions.getByName(tenant, choice.name) : null;
  const partitionId = choice.kind === "existing" ? choice.id : (partition?.id ?? null);
  if (choice.kind === "byName" && partitionId === null) return null;
  const existing = await store.documents.getByTextHash(tenant, textHash, partitionId);
  return existing === null ? null : await keepUnchanged(work, tenant, existing, plan);
};
