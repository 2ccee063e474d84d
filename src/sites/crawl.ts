import type { IngestWork } from "../documents/ingest/ingest-work.ts";
import { ApiError } from "../domain/errors.ts";
import type { Principal } from "../domain/principal.ts";
import type { Logger } from "../log.ts";
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

/** One crawl under way. */
export interface Crawl {
  readonly deps: CrawlDependencies;
  readonly site: FollowedSite;
  readonly known: KnownPages;
  readonly queue: CrawlQueue;
  readonly counts: CrawlCounts;
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
