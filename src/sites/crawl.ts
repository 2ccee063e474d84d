import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/records.ts";
import type { HeadersFor } from "../ingest/fetch/contract.ts";
import type { IngestWork } from "../ingest/work.ts";
import type { Logger } from "../log/log.ts";
import type { CrawlQueue } from "./crawl-queue.ts";
import type { KnownPages } from "./known-pages.ts";
import type { PageFetcher } from "./page-fetcher.ts";

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
