import { isUnfinished, type JsonObject, type Principal, scannedMetadata } from "../domain/records.ts";
import { ingestDocument } from "../ingest/ingest.ts";
import type { Ingested } from "../ingest/request.ts";
import type { IngestWork } from "../ingest/work.ts";

interface PagePlace {
  partitionId?: string | null;
  partition?: string | null;
  /** Null: from the page. */
  name?: string | null;
  /** Added to the metadata of a scanned page; null keeps what is there. */
  metadata?: JsonObject | null;
  /** Leaves a document of this address that waits for its job as it is. */
  keepsWaiting?: boolean;
}

/**
 * Ingests a page under its address: the document that has it already is replaced, never doubled.
 * @param address as `pageAddress` gives it
 * @throws as `ingestDocument`
 */
export const putPage = async (
  work: IngestWork,
  principal: Principal,
  address: string,
  place: PagePlace,
  mode: "now" | "later",
  signal: AbortSignal,
): Promise<Ingested> => {
  const own = place.metadata ?? null;
  const metadata = { ...scannedMetadata(address), ...own };
  const externalId =
    typeof metadata.externalId === "string" && metadata.externalId !== "" ? metadata.externalId : address;
  const existing = await work.store.documents.getByExternalId(principal, externalId);
  if (place.keepsWaiting === true && existing?.originalUrl === address && isUnfinished(existing))
    return { document: existing, text: null, unchanged: false, takesFile: false };
  return await ingestDocument(
    work,
    principal,
    {
      source: { kind: "website", url: address, isScanned: true },
      mimeType: null,
      name: place.name ?? null,
      partitionId: place.partitionId ?? null,
      partition: place.partition ?? null,
      metadata: { ...(own === null ? existing?.metadata : null), ...metadata, externalId },
      externalId,
      upsert: true,
    },
    mode,
    signal,
  );
};
