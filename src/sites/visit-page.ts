import { ApiError } from "../domain/errors.ts";
import type { SitePage } from "../domain/records.ts";
import type { FetchedFile } from "../ingest/fetch/contract.ts";
import { hashText } from "../ingest/index/analyzed-text.ts";
import { type Crawl, noteFailure } from "./crawl.ts";
import { isSameSite, pageAddress, pageKey } from "./page-address.ts";
import { putPage } from "./put-page.ts";
import type { ListedPages, PageSigns } from "./site-thread.ts";
import { readOnThread } from "./site-thread.ts";
import { maxSitemaps } from "./sitemap.ts";

/**
 * Reads a site's first address as a sitemap, with the sitemaps that it names.
 * @param url of the file, after redirects
 * @returns the pages listed; null where the file is no sitemap
 */
const listSitePages = async (
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
  if (!queue.claim(final, url) || (final !== site.url && site.isLeftOut?.(final))) return [];
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
    headersFor: site.headersFor,
    ...(row === undefined ? {} : { known: { etag: row.etag, lastModified: row.lastModified } }),
    async checkHop(hop) {
      if (isFirst || isSameSite(hop.href, origin)) return;
      throw new ApiError("fetch_failed", `${url} leads to another site.`);
    },
  });
};

/** Ingests a fetched page where its content is new. @returns where its links lead */
const takePage = async (
  crawl: Crawl,
  url: string,
  depth: number,
  fetched: FetchedFile,
  row: SitePage | undefined,
): Promise<string[]> => {
  const { deps, site, known, counts, isSitemap, signal } = crawl;
  const { work, fetcher, principal } = deps;
  const { bytes, mimeType, etag, lastModified, finalUrl } = fetched;
  const sha256 = await hashOf(bytes);
  const isHtml = mimeType === null || htmlTypes.includes(mimeType);
  const signs = isHtml ? await readOnThread({ kind: "links", bytes, base: finalUrl }, signal) : noSigns;
  const { links } = signs;
  const page = { url, depth, etag, lastModified, sha256, links };
  if (row !== undefined && row.sha256 === sha256) {
    await known.remember({ ...page, documentId: row.documentId });
    return links;
  }
  if (!isSitemap && mimeType !== null && !ingestedTypes.includes(mimeType)) return links;
  const of = crawl.originals.has(url) ? null : otherAddress(url, signs.canonical);
  if (of !== null) {
    crawl.copies.push({ url, depth, links, of });
    if (new URL(of).origin === crawl.origin && !site.isLeftOut?.(of)) crawl.queue.add(known.formOf(of) ?? of, depth);
    return links;
  }
  fetcher.handOver(url, fetched);
  const text = isHtml ? await textOf(crawl, url) : null;
  if (text !== null && signs.asksPassword && url !== site.url && isLogin(url, text)) {
    await forgetPage(crawl, url);
    await known.remember({ ...page, documentId: null });
    return [];
  }
  const textHash = text === null ? null : hashText(text);
  const same = textHash === null ? null : await documentOfText(crawl, url, textHash);
  if (same !== null) {
    await keepAsCopy(crawl, { url, depth, links }, same);
    return links;
  }
  fetcher.handOver(url, fetched);
  // Its job would fetch a page that was pushed out meanwhile again, without the headers of the site.
  const mode = site.headersFor !== undefined && isHtml ? "now" : "later";
  const { document } = await putPage(work, principal, url, { partition: site.partition }, mode, signal);
  counts.changed += 1;
  if (textHash !== null) crawl.texts.set(textHash, { url, documentId: document.id });
  await known.remember({ ...page, documentId: document.id });
  return links;
};

const noSigns: PageSigns = { links: [], canonical: null, asksPassword: false };

/**
 * The other address on the same host that a page names as its own; null where there is none. That every page is the
 * front page is a common mistake of sites, and not believed.
 */
const otherAddress = (url: string, canonical: string | null): string | null => {
  if (canonical === null) return null;
  const named = new URL(canonical);
  if (named.host !== new URL(url).host || named.pathname === "/") return null;
  named.protocol = new URL(url).protocol;
  return pageKey(named.href) === pageKey(url) ? null : named.href;
};

/** Notes that a page is no document of its own, since the document of another page has its text. It is always read again. */
export const keepAsCopy = async (
  crawl: Crawl,
  { url, depth, links }: { url: string; depth: number; links: string[] },
  documentId: string,
): Promise<void> => {
  if (crawl.known.get(url)?.documentId !== documentId) await forgetPage(crawl, url);
  await crawl.known.remember({ url, depth, links, documentId, etag: null, lastModified: null, sha256: "" });
};

/** The text that the page's document would have; null where it cannot be read. */
const textOf = async ({ deps, signal }: Crawl, url: string): Promise<string | null> => {
  const source = { kind: "website", url, isScanned: true } as const;
  try {
    return (await deps.work.pipeline.read(source, signal)).text;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) return null; // its job says why
    throw error;
  }
};

/** A form to sign in has little text besides, or says in its address what it is. */
const isLogin = (url: string, text: string): boolean =>
  text.length < 600 || /\/(log[-_]?in|sign[-_]?in|signon|sso|auth|anmelden|wp-login)\b/i.test(new URL(url).pathname);

/** The document of another page of this site that has the text. */
const documentOfText = async ({ deps, known, texts }: Crawl, url: string, hash: string): Promise<string | null> => {
  const taken = texts.get(hash);
  if (taken !== undefined && taken.url !== url) return taken.documentId;
  const found = await deps.work.store.documents.getByTextHash(deps.principal, hash);
  const at = found?.originalUrl ?? null;
  return found !== null && at !== null && at !== url && known.get(at)?.documentId === found.id ? found.id : null;
};

/** SHA-256 in hex, computed on a thread of the runtime's own: a page may be large. */
const hashOf = async (bytes: Uint8Array): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toString("hex");
