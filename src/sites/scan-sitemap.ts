import type { DocumentStatus, Principal } from "../domain/records.ts";
import { choosePartition } from "../ingest/partition-choice.ts";
import type { IngestWork } from "../ingest/work.ts";
import { type FindLimits, findPages } from "./find-pages.ts";
import type { PageFetcher } from "./page-fetcher.ts";
import { putPage } from "./put-page.ts";

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
