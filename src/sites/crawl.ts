import { recordChange } from "../access/record-change.ts";
import { deleteDocument } from "../documents/document-records.ts";
import { ApiError } from "../domain/errors.ts";
import type { Principal, SitePage } from "../domain/records.ts";
import type { HeadersFor } from "../ingest/fetch/contract.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import { pageKey } from "./page-address.ts";
import type { PageFetcher } from "./page-fetcher.ts";

/** What is stored about the pages of one site, kept up to date during a crawl. */
interface KnownPages {
  get(url: string): SitePage | undefined;
  all(): Iterable<SitePage>;
  /** The address of a known page that is another form of this one, or this one. */
  formOf(url: string): string | undefined;
  /** The page where its document still exists: otherwise it is fetched as if it were new. */
  current(url: string): Promise<SitePage | undefined>;
  remember(page: Omit<SitePage, "id" | "siteId" | "visitedAt">): Promise<void>;
  /** Forgets a page and removes its document. @returns whether there was a document */
  forget(url: string): Promise<boolean>;
  /** Notes that a crawl which began at this page is complete. */
  markVisited(url: string): Promise<void>;
}

export const loadKnownPages = async (work: IngestWork, principal: Principal, siteId: string): Promise<KnownPages> => {
  const { sitePages, documents } = work.store;
  const pages = new Map((await sitePages.list(siteId)).map((page) => [page.url, page]));
  const forms = new Map([...pages.keys()].map((url) => [pageKey(url), url]));
  return {
    get: (url) => pages.get(url),
    formOf: (url) => forms.get(pageKey(url)),
    all: () => pages.values(),
    async current(url) {
      const page = pages.get(url);
      if (page === undefined || page.documentId === null) return page;
      return (await documents.get(principal, page.documentId)) === null ? undefined : page;
    },
    async remember(page) {
      const visitedAt = pages.get(page.url)?.visitedAt ?? 0;
      const row: SitePage = { ...page, id: `${siteId} ${page.url}`, siteId, visitedAt };
      pages.set(page.url, row);
      forms.set(pageKey(page.url), page.url);
      await sitePages.put(row);
    },
    async forget(url) {
      const page = pages.get(url);
      if (page === undefined) return false;
      const document = page.documentId === null ? null : await documents.get(principal, page.documentId);
      const isOwn = document !== null && document.originalUrl === url;
      if (isOwn) {
        const maker = { principal, actor: "site", address: "local", requestId: null } as const;
        const change = { action: "document.deleted", targetId: document.id } as const;
        await recordChange(work, maker, change, () => deleteDocument(work, principal, document.id));
      }
      pages.delete(url);
      if (forms.get(pageKey(url)) === url) forms.delete(pageKey(url));
      await sitePages.remove(page);
      return isOwn;
    },
    async markVisited(url) {
      const page = pages.get(url);
      if (page !== undefined) await sitePages.put({ ...page, visitedAt: Date.now() });
    },
  };
};

/** The pages that a crawl has still to visit. Each enters once, under the first form of its address that comes. */
interface CrawlQueue {
  readonly isEmpty: boolean;
  /**
   * Adds a page unless it was added before or the crawl has as many as it may visit.
   * @param from the page that links to it; left out: it is known from elsewhere
   */
  add(url: string, depth: number, from?: string): void;
  next(): { url: string; depth: number } | undefined;
  /**
   * Takes an address that is visited without waiting, since another one redirects to it.
   * @returns false where it was taken before, unless it is a form of that other address
   */
  claim(url: string, from?: string): boolean;
  /** A page could not be fetched under the form that came first: another form of its address is tried. */
  fail(url: string): void;
  /** Has a page visited once more. */
  again(url: string, depth: number): void;
}

/**
 * Pages that are found only from pages of the same shape, as the months of a calendar are: a site that makes them up has
 * no end of them.
 */
const maxAlike = 50;

/** An address without its numbers: that of each month, or each page of a list, is the same. */
const shapeOf = (url: string): string => url.replace(/\d+/g, "0");

export const createCrawlQueue = (start: string, maxPages: number): CrawlQueue => {
  /** By their key, with the form that is visited. */
  const seen = new Map([[pageKey(start), start]]);
  const waiting = [{ url: start, depth: 0 }];
  const otherForms = new Map<string, { url: string; depth: number }>();
  const failed = new Set<string>();
  const alike = new Map<string, number>();

  const isOneTooMany = (url: string, from: string | undefined): boolean => {
    if (from === undefined) return false;
    const shape = shapeOf(url);
    if (shape !== shapeOf(from)) return false;
    const count = alike.get(shape) ?? 0;
    if (count < maxAlike) alike.set(shape, count + 1);
    return count >= maxAlike;
  };

  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    add(url, depth, from) {
      const key = pageKey(url);
      const form = seen.get(key);
      if (form === url) return;
      if (form !== undefined) {
        if (!otherForms.has(key)) otherForms.set(key, { url, depth });
        if (failed.has(key)) this.fail(form);
        return;
      }
      if (seen.size >= maxPages || isOneTooMany(url, from)) return;
      seen.set(key, url);
      waiting.push({ url, depth });
    },
    next: () => waiting.shift(),
    claim(url, from) {
      const key = pageKey(url);
      const isOtherForm = from !== undefined && pageKey(from) === key && seen.get(key) !== url;
      if (seen.has(key) && !isOtherForm) return false;
      seen.set(key, url);
      return true;
    },
    fail(url) {
      const key = pageKey(url);
      failed.add(key);
      const other = otherForms.get(key);
      if (other === undefined || other.url === seen.get(key)) return;
      seen.set(key, other.url);
      waiting.push(other);
    },
    again: (url, depth) => void waiting.push({ url, depth }),
  };
};

/** A site whose documents follow its pages. */
export interface FollowedSite {
  id: string;
  /** As `pageAddress` gives it: of a page or of a sitemap. */
  url: string;
  partition: string | null;
  depth: number;
  /** Whether a page is left out; none is unless given. */
  isLeftOut?(url: string): boolean;
  /** Headers for the site itself. */
  headersFor?: HeadersFor | undefined;
}

export interface CrawlDependencies {
  work: IngestWork;
  fetcher: PageFetcher;
  /** Owner of the documents. */
  principal: Principal;
  maxPages: number;
  /** How deep indexes of sitemaps are followed. */
  maxDepth: number;
  log: Logger;
}

/** Result of a crawl. */
export interface CrawlCounts {
  visited: number;
  /** New, or with another content than before. */
  changed: number;
  removed: number;
  failed: number;
}

/** A page that is no document of its own, since another page has its text. */
export interface PageCopy {
  url: string;
  depth: number;
  links: string[];
  /** Address of the other page. */
  of: string;
}

/** One crawl under way. */
export interface Crawl {
  readonly deps: CrawlDependencies;
  readonly site: FollowedSite;
  readonly known: KnownPages;
  readonly queue: CrawlQueue;
  readonly counts: CrawlCounts;
  /** Pages that name another address as their own, until that one was visited. */
  readonly copies: PageCopy[];
  /** Pages whose named address was of no use: they are pages of their own. */
  readonly originals: Set<string>;
  /** The documents of the pages that this crawl ingested, by the hash of their text. */
  readonly texts: Map<string, { url: string; documentId: string }>;
  /** Of the first page, after redirects. */
  origin: string;
  /** The site was named by its sitemap: its pages are those listed there, and links are not followed. */
  isSitemap: boolean;
  readonly signal: AbortSignal;
}

/** Counts a page that could not be ingested. @throws the signal's reason, or an error that is not the page's */
export const noteFailure = ({ deps, counts, signal }: Crawl, url: string, error: unknown): void => {
  signal.throwIfAborted();
  if (!(error instanceof ApiError)) throw error;
  counts.failed += 1;
  deps.log.debug({ url, reason: error.message }, "a page of a site was not ingested");
};
