import { createWatchedThread } from "../async/threads/watched-thread.ts";
import { ApiError } from "../domain/errors.ts";

/** For one file of a site, including the wait for others. */
const maxMs = 30_000;
/** Between two pieces of a file other requests have their turn: no piece may take longer. */
const maxSliceMs = 10_000;

const tookTooLong = () =>
  new ApiError("fetch_failed", `What the site sent could not be read within ${maxMs / 1_000} s.`);

/** One for the process, started with the first request. */
const thread = createWatchedThread<SiteRequest, SiteAnswers[SiteRequest["kind"]]>({
  path: "src/sites/site-worker.ts",
  name: "sites",
  maxSliceMs,
  tookTooLong,
});

/**
 * Reads what a site sent on a thread of its own, so that a hostile site delays nobody else.
 * @throws ApiError fetch_failed where it takes too long; the signal's reason
 */
export const readOnThread = async <Asked extends SiteRequest>(
  request: Asked,
  signal: AbortSignal,
): Promise<SiteAnswers[Asked["kind"]]> => {
  const limit = AbortSignal.timeout(maxMs);
  try {
    return (await thread.ask(request, AbortSignal.any([signal, limit]))) as SiteAnswers[Asked["kind"]];
  } catch (error) {
    signal.throwIfAborted();
    throw limit.aborted ? tookTooLong() : error;
  }
};

/** A request to the thread that reads files of sites. */
export type SiteRequest = SitemapRequest | LinksRequest | RobotsRequest | AllowedRequest;

export interface SitemapRequest {
  kind: "sitemap";
  bytes: Uint8Array;
  /** Address of the file. */
  base: string;
  /** An address of the site: pages of others are left out. */
  site: string;
}

/** What a sitemap file lists, as `pageAddress` gives it. */
export interface ListedPages {
  pages: string[];
  /** Further sitemap files, of an index. */
  sitemaps: string[];
  /** Addresses that are no page, or of another site, were left out. */
  hasForeign: boolean;
}

interface LinksRequest {
  kind: "links";
  bytes: Uint8Array;
  /** Address of the page, after redirects. */
  base: string;
}

/** What a page's markup says about it. */
export interface PageSigns {
  /** Where its links lead, as `pageAddress` gives it. */
  links: string[];
  /** The address that it names as its own (`rel=canonical`); null where it names none. */
  canonical: string | null;
  asksPassword: boolean;
}

export interface RobotsRequest {
  kind: "robots";
  address: string;
  text: string;
}

/** What a robots.txt says besides its rules. */
export interface RobotsFacts {
  crawlDelayMs: number;
  sitemaps: string[];
}

export interface AllowedRequest {
  kind: "allowed";
  /** Address of the robots.txt. */
  address: string;
  text: string;
  pages: readonly string[];
}

/** The answer to each kind of request. */
export interface SiteAnswers {
  /** Null for what is no sitemap. */
  sitemap: ListedPages | null;
  links: PageSigns;
  robots: RobotsFacts;
  /** In the order of the pages; null where the rules take too long to apply. */
  allowed: boolean[] | null;
}
