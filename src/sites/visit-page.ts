import { ApiError } from "../domain/errors.ts";
import type { SitePage } from "../domain/records.ts";
import type { FetchedFile } from "../ingest/fetch/contract.ts";
import type { Crawl } from "./crawl.ts";
import { listSitePages } from "./list-site-pages.ts";
import { isSameSite, pageAddress } from "./page-address.ts";
import { putPage } from "./put-page.ts";
import { readOnThread } from "./site-thread.ts";

const accept = "text/html,application/xhtml+xml;q=0.9,application/xml;q=0.8,text/plain;q=0.8,*/*;q=0.5";
const htmlTypes = ["text/html", "application/xhtml+xml"];
const ingestedTypes = [...htmlTypes, "text/plain", "text/markdown", "application/pdf"];

/**
 * Fetches a page and ingests it where it is new or changed.
 * @returns where its links lead; of a sitemap, the pages that it lists
 * @throws ApiError where it cannot be fetched
 */
export const visitPage = async (crawl: Crawl, url: string, depth: number): Promise<string[]> => {
  const { site, known, queue, counts } = crawl;
  const row = await known.current(url);
  const fetched = await fetchPage(crawl, url, row);
  counts.visited += 1;
  if (fetched.isNotModified) return row?.links ?? [];
  const final = pageAddress(fetched.finalUrl) ?? url;
  if (url === site.url) {
    crawl.origin = new URL(final).origin;
    const listed = await listSitePages(crawl, final, fetched);
    crawl.isSitemap = listed !== null;
    if (listed !== null) return listed;
  }
  if (final === url) return await takePage(crawl, url, depth, fetched, row);
  // The page has moved: the document of the old address is removed.
  await forgetPage(crawl, url);
  if (!queue.claim(final)) return [];
  const links = await takePage(crawl, final, depth, fetched, await known.current(final));
  const moved = known.get(final);
  if (url === site.url && moved !== undefined) await known.remember({ ...moved, url, etag: null, lastModified: null });
  return links;
};

/** Removes a page that is gone, with its document. */
export const forgetPage = async ({ known, counts }: Crawl, url: string): Promise<void> => {
  if (await known.forget(url)) counts.removed += 1;
};

const fetchPage = async (
  { site, origin, deps, signal }: Crawl,
  url: string,
  row: SitePage | undefined,
): Promise<FetchedFile> => {
  const isFirst = url === site.url;
  return await deps.fetcher.fetchPage(url, {
    signal,
    accept,
    ...(row === undefined ? {} : { known: { etag: row.etag, lastModified: row.lastModified } }),
    async checkHop(hop) {
      if (isFirst || isSameSite(hop.href, origin)) return;
      throw new ApiError("fetch_failed", `${url} leads to another site.`);
    },
  });
};

/** Ingests a fetched page where its content is new. @returns where its links lead */
const takePage = async (
  { deps, site, known, counts, isSitemap, signal }: Crawl,
  url: string,
  depth: number,
  fetched: FetchedFile,
  row: SitePage | undefined,
): Promise<string[]> => {
  const { work, fetcher, principal } = deps;
  const { bytes, mimeType, etag, lastModified, finalUrl } = fetched;
  const sha256 = await hashOf(bytes);
  const isHtml = mimeType === null || htmlTypes.includes(mimeType);
  const links = isHtml ? await readOnThread({ kind: "links", bytes, base: finalUrl }, signal) : [];
  const page = { url, depth, etag, lastModified, sha256, links };
  if (row !== undefined && row.sha256 === sha256) await known.remember({ ...page, documentId: row.documentId });
  else if (isSitemap || mimeType === null || ingestedTypes.includes(mimeType)) {
    fetcher.handOver(url, fetched);
    const { document } = await putPage(work, principal, url, { partition: site.partition }, "later", signal);
    counts.changed += 1;
    await known.remember({ ...page, documentId: document.id });
  }
  return links;
};

/** SHA-256 in hex, computed on a thread of the runtime's own: a page may be large. */
const hashOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toString("hex");
