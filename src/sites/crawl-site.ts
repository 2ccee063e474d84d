import type { IngestWork } from "../documents/ingest/ingest-work.ts";
import { removeDocument } from "../documents/remove-document.ts";
import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/principal.ts";
import type { SitePage } from "../domain/records.ts";
import type { FetchedFile } from "../ingest/fetch/contract.ts";
import { AnsweredStatusError } from "../ingest/fetch/failure.ts";
import type { Logger } from "../log.ts";
import { isSameSite, looksLikePage, pageAddress } from "./page-address.ts";
import type { PageFetcher } from "./page-fetcher.ts";
import { putPage } from "./put-page.ts";
import { readOnThread } from "./site-thread.ts";

/** A site that is kept in step. */
export interface FollowedSite {
  id: string;
  /** As `pageAddress` gives it: of a page or of a sitemap. */
  url: string;
  partition: string | null;
  depth: number;
}

export interface CrawlDependencies {
  work: IngestWork;
  fetcher: PageFetcher;
  /** In whose name. */
  principal: Principal;
  maxPages: number;
  /** How deep indexes of sitemaps are followed. */
  maxDepth: number;
  log: Logger;
}

/** What a crawl came to. */
export interface CrawlCounts {
  visited: number;
  /** New, or with another content than before. */
  changed: number;
  removed: number;
  failed: number;
}

const ACCEPT = "text/html,application/xhtml+xml;q=0.9,application/xml;q=0.8,text/plain;q=0.8,*/*;q=0.5";
/** Files of an index of sitemaps that are read. */
const MOST_SITEMAPS = 200;
const htmlTypes = ["text/html", "application/xhtml+xml"];
const takenTypes = [...htmlTypes, "text/plain", "text/markdown", "application/pdf"];

/** SHA-256 in hex, computed on a thread of the runtime's own: a page may be large. */
const hashOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toString("hex");

/**
 * Goes through a site once: a page and what its links lead to on the same origin, or what a sitemap lists, and every
 * page that was known before. New and changed pages are ingested, those that their server says are gone are removed.
 * @throws ApiError where the first page cannot be fetched: nothing is removed then; the signal's reason
 */
export const crawlSite = async (
  deps: CrawlDependencies,
  site: FollowedSite,
  signal: AbortSignal,
): Promise<CrawlCounts> => {
  const { work, fetcher, principal, maxPages, maxDepth, log } = deps;
  const { sitePages, documents } = work.store;
  const known = new Map((await sitePages.list(site.id)).map((page) => [page.url, page]));
  const counts: CrawlCounts = { visited: 0, changed: 0, removed: 0, failed: 0 };
  const seen = new Set([site.url]);
  const waiting: { url: string; depth: number }[] = [{ url: site.url, depth: 0 }];
  let origin = new URL(site.url).origin;
  let isSitemap = false;

  const add = (url: string, depth: number): void => {
    if (seen.has(url) || seen.size >= maxPages) return;
    const belongs = isSitemap ? isSameSite(url, origin) : new URL(url).origin === origin && looksLikePage(url);
    if (!belongs) return;
    seen.add(url);
    waiting.push({ url, depth });
  };

  const remember = async (page: Omit<SitePage, "id" | "siteId" | "visitedAt">): Promise<void> => {
    const visitedAt = known.get(page.url)?.visitedAt ?? 0;
    const row: SitePage = { ...page, id: `${site.id} ${page.url}`, siteId: site.id, visitedAt };
    known.set(page.url, row);
    await sitePages.put(row);
  };

  const fetchPage = async (url: string, row: SitePage | undefined): Promise<FetchedFile> => {
    const isFirst = url === site.url;
    return await fetcher.fetchPage(url, {
      signal,
      accept: ACCEPT,
      ...(row === undefined ? {} : { known: { etag: row.etag, lastModified: row.lastModified } }),
      async checkHop(hop) {
        if (isFirst || isSameSite(hop.href, origin)) return;
        throw new ApiError("fetch_failed", `${url} leads to another site.`);
      },
    });
  };

  /** What is known of the page, where its document is still there: else it is fetched as if it were new. */
  const rowOf = async (url: string): Promise<SitePage | undefined> => {
    const row = known.get(url);
    if (row === undefined || row.documentId === null) return row;
    return (await documents.get(principal, row.documentId)) === null ? undefined : row;
  };

  const forget = async (url: string): Promise<void> => {
    const row = known.get(url);
    if (row === undefined) return;
    const document = row.documentId === null ? null : await documents.get(principal, row.documentId);
    if (document !== null && document.originalUrl === url) {
      await removeDocument(work, principal, document.id);
      counts.removed += 1;
    }
    known.delete(url);
    await sitePages.remove(row);
  };

  /** Ingests a page that was fetched. @returns where its links lead */
  const takePage = async (url: string, depth: number, fetched: FetchedFile, row: SitePage | undefined) => {
    const { bytes, mimeType, etag, lastModified, finalUrl } = fetched;
    const sha256 = await hashOf(bytes);
    const isHtml = mimeType === null || htmlTypes.includes(mimeType);
    const links = isHtml ? await readOnThread({ kind: "links", bytes, base: finalUrl }, signal) : [];
    const page = { url, depth, etag, lastModified, sha256, links };
    if (row !== undefined && row.sha256 === sha256) await remember({ ...page, documentId: row.documentId });
    else if (isSitemap || mimeType === null || takenTypes.includes(mimeType)) {
      fetcher.handOver(url, fetched);
      const { document } = await putPage(work, principal, url, { partition: site.partition }, "later", signal);
      counts.changed += 1;
      await remember({ ...page, documentId: document.id });
    }
    return links;
  };

  /** @returns where its links lead */
  const visit = async (url: string, depth: number): Promise<string[]> => {
    const row = await rowOf(url);
    const fetched = await fetchPage(url, row);
    counts.visited += 1;
    if (fetched.notModified) return row?.links ?? [];
    const final = pageAddress(fetched.finalUrl) ?? url;
    if (url === site.url) {
      origin = new URL(final).origin;
      const listed = await readFirstAsSitemap(final, fetched);
      isSitemap = listed !== null;
      if (listed !== null) return listed;
    }
    if (final === url) return await takePage(url, depth, fetched, row);
    // The page has moved: its document goes with its address.
    await forget(url);
    if (seen.has(final)) return [];
    seen.add(final);
    const links = await takePage(final, depth, fetched, await rowOf(final));
    const moved = known.get(final);
    if (url === site.url && moved !== undefined) await remember({ ...moved, url, etag: null, lastModified: null });
    return links;
  };

  /** The pages that a sitemap lists, where the site was named by one; null for a page. */
  const readFirstAsSitemap = async (url: string, { bytes, etag, lastModified }: FetchedFile) => {
    const first = await readOnThread({ kind: "sitemap", bytes, base: url, site: url }, signal);
    if (first === null) return null;
    const listed = first.pages;
    let inner = first.sitemaps;
    const read = new Set([url]);
    for (let depth = 1; inner.length > 0 && listed.length < maxPages; depth++) {
      if (depth > maxDepth) break;
      const next: string[] = [];
      for (const address of inner) {
        if (listed.length >= maxPages || read.size > MOST_SITEMAPS) break;
        if (read.has(address)) continue;
        read.add(address);
        try {
          const { bytes } = await fetcher.fetchSitemap(address, { signal });
          const sitemap = await readOnThread({ kind: "sitemap", bytes, base: address, site: url }, signal);
          for (const page of sitemap?.pages ?? []) listed.push(page);
          for (const one of sitemap?.sitemaps ?? []) if (next.length < MOST_SITEMAPS) next.push(one);
        } catch (error) {
          noteFailure(address, error);
        }
      }
      inner = next;
    }
    const pages = listed.slice(0, maxPages);
    // An index says nothing of the files that it names: it is read anew each time.
    const validators = first.sitemaps.length > 0 ? { etag: null, lastModified: null } : { etag, lastModified };
    await remember({ url: site.url, depth: 0, documentId: null, ...validators, sha256: "", links: pages });
    return pages;
  };

  const noteFailure = (url: string, error: unknown): void => {
    signal.throwIfAborted();
    if (!(error instanceof ApiError)) throw error;
    counts.failed += 1;
    log.debug({ url, reason: error.message }, "a page of a site was not taken");
  };

  const first = known.get(site.url);
  // Of a sitemap that did not change it is only known by its row what it is.
  isSitemap = first !== undefined && first.documentId === null;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { url, depth } = next;
    try {
      const links = await visit(url, depth);
      if (isSitemap ? url === site.url : depth < site.depth) for (const link of links) add(link, depth + 1);
    } catch (error) {
      signal.throwIfAborted();
      if (url === site.url) throw error;
      if (error instanceof AnsweredStatusError && [404, 410].includes(error.answered)) await forget(url);
      else noteFailure(url, error);
    }
    // What nothing leads to any more may be gone, or may only not be linked: its server knows.
    if (waiting.length === 0) {
      for (const page of known.values()) add(page.url, Math.max(page.depth, 1));
    }
  }
  const done = known.get(site.url);
  if (done !== undefined) await sitePages.put({ ...done, visitedAt: Date.now() });
  return counts;
};
