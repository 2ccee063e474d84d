import {
  type DocumentStatus,
  isUnfinished,
  type JsonObject,
  type Principal,
  scannedMetadata,
} from "../domain/records.ts";
import { ingestDocument } from "../ingest/ingest.ts";
import { choosePartition } from "../ingest/partition-choice.ts";
import type { Ingested } from "../ingest/request.ts";
import type { IngestWork } from "../ingest/work.ts";
import { type FindLimits, findPages } from "./find-pages.ts";
import type { PageFetcher } from "./page-fetcher.ts";

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

interface SitemapScan {
  documents: { id: string; url: string; status: DocumentStatus }[];
  warnings: string[];
}

/** Documents stored at once: enough for the store to commit them in groups. */
const maxConcurrent = 32;

/**
 * Ingests every page that a site's sitemap lists, as jobs.
 * @throws ApiError as `findPages`; partition_not_found, partition_conflict
 */
export const scanSitemap = async (
  work: IngestWork,
  fetcher: PageFetcher,
  principal: Principal,
  request: { rootDomain: string; partitionId: string | null; partition: string | null },
  limits: FindLimits,
  signal: AbortSignal,
): Promise<SitemapScan> => {
  const { rootDomain, ...place } = request;
  await choosePartition(work.store, principal, place);
  const { pages, warnings } = await findPages(fetcher, rootDomain, limits, signal);
  const documents: SitemapScan["documents"] = [];
  for (let start = 0; start < pages.length; start += maxConcurrent) {
    const stored = await Promise.all(
      pages.slice(start, start + maxConcurrent).map(async (url) => {
        const { document } = await putPage(work, principal, url, { ...place, keepsWaiting: true }, "later", signal);
        return { id: document.id, url, status: document.status };
      }),
    );
    documents.push(...stored);
  }
  return { documents, warnings };
};
