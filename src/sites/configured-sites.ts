import { createHash } from "node:crypto";
import type { Config } from "../../config/schema.ts";
import { parseDuration } from "../../config/values.ts";
import { pauseUntil } from "../async/waiting.ts";
import { messageOf } from "../domain/errors.ts";
import type { CrawlDependencies, FollowedSite } from "./crawl.ts";
import { crawlSite } from "./crawl-site.ts";
import { pageAddress } from "./page-address.ts";
import { createPageFilter, createSiteHeaders } from "./site-settings.ts";

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
