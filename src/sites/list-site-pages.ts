import type { FetchedFile } from "../ingest/fetch/contract.ts";
import { type Crawl, noteFailure } from "./crawl.ts";
import type { ListedPages } from "./site-requests.ts";
import { readOnThread } from "./site-thread.ts";
import { maxSitemaps } from "./sitemap.ts";

/**
 * Reads a site's first address as a sitemap, with the sitemaps that it names.
 * @param url of the file, after redirects
 * @returns the pages listed; null where the file is no sitemap
 */
export const listSitePages = async (
  crawl: Crawl,
  url: string,
  { bytes, etag, lastModified }: FetchedFile,
): Promise<string[] | null> => {
  const { site, known, deps, signal } = crawl;
  const first = await readOnThread({ kind: "sitemap", bytes, base: url, site: url }, signal);
  if (first === null) return null;
  await readInner(crawl, url, first);
  const pages = first.pages.slice(0, deps.maxPages);
  // An index says nothing about the files that it names: it is read again each time.
  const validators = first.sitemaps.length > 0 ? { etag: null, lastModified: null } : { etag, lastModified };
  await known.remember({ url: site.url, depth: 0, documentId: null, ...validators, sha256: "", links: pages });
  return pages;
};

/** Adds the pages of the sitemaps that `first` names, level by level. */
const readInner = async (crawl: Crawl, url: string, first: ListedPages): Promise<void> => {
  const { maxPages, maxDepth, fetcher } = crawl.deps;
  const { signal } = crawl;
  const read = new Set([url]);
  let level = first.sitemaps;
  for (let depth = 1; depth <= maxDepth && level.length > 0 && first.pages.length < maxPages; depth++) {
    const next: string[] = [];
    for (const address of level) {
      if (first.pages.length >= maxPages || read.size > maxSitemaps) break;
      if (read.has(address)) continue;
      read.add(address);
      try {
        const { bytes } = await fetcher.fetchSitemap(address, { signal, headersFor: crawl.site.headersFor });
        const sitemap = await readOnThread({ kind: "sitemap", bytes, base: address, site: url }, signal);
        for (const page of sitemap?.pages ?? []) first.pages.push(page);
        for (const inner of sitemap?.sitemaps ?? []) if (next.length < maxSitemaps) next.push(inner);
      } catch (error) {
        noteFailure(crawl, address, error);
      }
    }
    level = next;
  }
};
