import { createHash } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import { parseDuration } from "../../config/values.ts";
import { pauseUntil } from "../async/waiting.ts";
import { messageOf } from "../domain/errors.ts";
import { AnsweredStatusError } from "../ingest/fetch/contract.ts";
import {
  type Crawl,
  type CrawlCounts,
  type CrawlDependencies,
  createCrawlQueue,
  type FollowedSite,
  loadKnownPages,
  noteFailure,
  type PageCopy,
} from "./crawl.ts";
import { isSameSite, looksLikePage, pageAddress } from "./page-address.ts";
import { createPageFilter, createSiteHeaders } from "./site-settings.ts";
import { forgetPage, keepAsCopy, visitPage } from "./visit-page.ts";

interface ConfiguredSitesOptions extends Omit<CrawlDependencies, "maxPages" | "maxDepth"> {
  config: Pick<Config, "sites" | "scan">;
}

/** Pause after a crawl that failed. */
const retryMs = 15 * 60 * 1_000;

/** Crawls the sites of the configuration, each on its schedule, until `close`. */
export const followConfiguredSites = (options: ConfiguredSitesOptions): { close(): Promise<void> } => {
  const { config, log, work, ...rest } = options;
  const { maxPages, maxDepth } = config.scan;
  const deps: CrawlDependencies = { ...rest, work, log, maxPages, maxDepth };
  const { sitePages } = work.store;
  const stop = new AbortController();

  const follow = async (site: FollowedSite, everyMs: number): Promise<void> => {
    const { origin, pathname } = new URL(site.url);
    // What comes after the path may be a secret.
    const shown = `${origin}${pathname}`;
    const [first] = (await sitePages.list(site.id)).filter(({ url }) => url === site.url);
    // A visit that a wrong clock dated years ahead delays the next one by no more than that.
    let dueAt = Math.min((first?.visitedAt ?? 0) + everyMs, Date.now() + everyMs);
    while (!stop.signal.aborted) {
      await pauseUntil(dueAt, stop.signal);
      if (stop.signal.aborted) return;
      const startedAt = Date.now();
      try {
        const counts = await crawlSite(deps, site, stop.signal);
        log.info({ site: shown, ...counts }, "a site was crawled");
        dueAt = startedAt + everyMs;
      } catch (error) {
        if (stop.signal.aborted) return;
        const reason = messageOf(error);
        log.warn({ site: shown, reason }, "a site could not be crawled: nothing is deleted, it is tried again");
        dueAt = Date.now() + Math.min(everyMs, retryMs);
      }
    }
  };

  const sites = config.sites.flatMap(({ url, partition, depth, every, exclude, headers }) => {
    const address = pageAddress(url);
    const everyMs = parseDuration(every);
    if (address === null || everyMs === null) return [];
    const id = createHash("sha256")
      .update(JSON.stringify([address, partition, depth]))
      .digest("hex")
      .slice(0, 16);
    const filter = { isLeftOut: createPageFilter(exclude), headersFor: createSiteHeaders(address, headers) };
    return [{ site: { id, url: address, partition, depth, ...filter }, everyMs }];
  });

  const followed = (async () => {
    await sitePages.removeOthers(sites.map(({ site }) => site.id));
    await Promise.all(sites.map(({ site, everyMs }) => follow(site, everyMs)));
  })().catch((error: unknown) => {
    if (!stop.signal.aborted) log.error({ err: error }, "the sites are no longer followed");
  });

  return {
    async close() {
      stop.abort();
      await followed;
    },
  };
};

/**
 * Crawls a site once: a page and what its links lead to on the same origin, or what a sitemap lists, and every page
 * that was known before. New and changed pages are ingested, those that their server says are gone are removed.
 * @throws ApiError where the first page cannot be fetched: nothing is removed then; the signal's reason
 */
export const crawlSite = async (
  deps: CrawlDependencies,
  site: FollowedSite,
  signal: AbortSignal,
): Promise<CrawlCounts> => {
  const known = await loadKnownPages(deps.work, deps.principal, site.id);
  const first = known.get(site.url);
  const crawl: Crawl = {
    deps,
    site,
    known,
    queue: createCrawlQueue(site.url, deps.maxPages),
    counts: { visited: 0, changed: 0, removed: 0, failed: 0 },
    copies: [],
    originals: new Set(),
    texts: new Map(),
    origin: new URL(site.url).origin,
    // A sitemap that did not change is not read again: its row, which has no document, tells what it is.
    isSitemap: first !== undefined && first.documentId === null,
    signal,
  };
  const { queue } = crawl;
  for (const { url } of [...known.all()]) if (url !== site.url && site.isLeftOut?.(url)) await forgetPage(crawl, url);
  for (let next = queue.next(); next !== undefined; next = queue.next()) {
    await visitAndFollow(crawl, next.url, next.depth);
    // A known page that no link leads to any more may be gone, or may just not be linked: its server is asked.
    if (queue.isEmpty) for (const { url, depth } of known.all()) enqueue(crawl, url, Math.max(depth, 1));
    if (queue.isEmpty) await settleCopies(crawl);
  }
  await known.markVisited(site.url);
  return crawl.counts;
};

const visitAndFollow = async (crawl: Crawl, url: string, depth: number): Promise<void> => {
  const { site, signal } = crawl;
  try {
    const links = await visitPage(crawl, url, depth);
    const isFollowed = crawl.isSitemap ? url === site.url : depth < site.depth;
    if (isFollowed) for (const link of links) enqueue(crawl, link, depth + 1, url);
  } catch (error) {
    signal.throwIfAborted();
    if (url === site.url) throw error;
    crawl.queue.fail(url);
    if (error instanceof AnsweredStatusError && [404, 410].includes(error.answered)) await forgetPage(crawl, url);
    else noteFailure(crawl, url, error);
  }
};

/** Has a page visited where it belongs to the site. @param from the page that links to it */
const enqueue = ({ queue, known, site, origin, isSitemap }: Crawl, url: string, depth: number, from?: string): void => {
  const belongs = isSitemap ? isSameSite(url, origin) : new URL(url).origin === origin && looksLikePage(url);
  if (!belongs || site.isLeftOut?.(url)) return;
  // Under the form of its address that has a document; the other one is tried where that is gone.
  const form = known.formOf(url);
  if (form !== undefined) queue.add(form, depth, from);
  if (form !== url) queue.add(url, depth, from);
};

/**
 * Ends the visits of pages that name another page as their own, now that this one was visited too: its document is
 * theirs. Where it has none, they are visited again as pages of their own.
 */
const settleCopies = async (crawl: Crawl): Promise<void> => {
  const { known, queue, originals } = crawl;
  let left = crawl.copies.splice(0);
  for (let before = left.length + 1; left.length < before; ) {
    before = left.length;
    const waiting: PageCopy[] = [];
    for (const copy of left) {
      const of = known.get(known.formOf(copy.of) ?? copy.of);
      const isUnsettled = left.some(({ url }) => url === of?.url);
      if (of === undefined || of.documentId === null || isUnsettled) waiting.push(copy);
      else await keepAsCopy(crawl, copy, of.documentId);
    }
    left = waiting;
  }
  for (const { url, depth } of left) {
    originals.add(url);
    queue.again(url, depth);
  }
};
