import { ApiError, invalidField } from "../errors.ts";
import { isSameSite, pageAddress } from "./page-address.ts";
import type { PageFetcher } from "./page-fetcher.ts";
import type { RobotsRules } from "./robots.ts";
import { readSitemap, type Sitemap } from "./sitemap.ts";

export interface FoundPages {
  /** As `pageAddress` gives them, each once; none that robots.txt forbids. */
  pages: string[];
  /** What was left out, and why. */
  warnings: string[];
}

export interface FindLimits {
  maxPages: number;
  /** How deep indexes of sitemaps are followed. */
  maxDepth: number;
}

const MOST_SITEMAPS = 200;
const SITEMAP_ACCEPT = "application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5";

/**
 * The pages that a site's sitemap lists. It is looked for where robots.txt says, then at `/sitemap.xml`; an address
 * that is a sitemap's own is taken as such.
 * @param rootDomain a host, with or without scheme and path
 * @throws ApiError invalid_request; fetch_failed also where there is no sitemap; fetch_timeout, address_refused
 */
export const findPages = async (
  fetcher: PageFetcher,
  rootDomain: string,
  limits: FindLimits,
  signal: AbortSignal,
): Promise<FoundPages> => {
  const [first, second] = rootsOf(rootDomain);
  if (first === undefined) throw invalidField("rootDomain", "must be a host such as example.com, or its address");
  try {
    return await findAt(fetcher, first, limits, signal);
  } catch (error) {
    // Of a host without a scheme it is not known that it speaks https.
    const mayTryOther = error instanceof ApiError && ["fetch_failed", "fetch_timeout"].includes(error.code);
    if (second === undefined || !mayTryOther) throw error;
    return await findAt(fetcher, second, limits, signal).catch(() => {
      throw error;
    });
  }
};

const rootsOf = (rootDomain: string): string[] => {
  const text = rootDomain.trim();
  const candidates = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? [text] : [`https://${text}`, `http://${text}`];
  return candidates.map((candidate) => pageAddress(candidate)).filter((address) => address !== null);
};

const isSitemapAddress = (address: string): boolean => /\.(xml|xml\.gz|txt)$/i.test(new URL(address).pathname);

const findAt = async (
  fetcher: PageFetcher,
  root: string,
  limits: FindLimits,
  signal: AbortSignal,
): Promise<FoundPages> => {
  const { origin } = new URL(root);
  fetcher.forgetRules(root);
  const rules = await fetcher.rulesFor(root, signal);
  if (isSitemapAddress(root)) return await collect(fetcher, root, [root], rules, limits, signal);
  const named = rules.sitemaps.map((address) => pageAddress(address, origin)).filter((address) => address !== null);
  const usual = `${origin}/sitemap.xml`;
  const starts = [...new Set(named)].filter((address) => address !== usual);
  if (starts.length > 0) {
    const all = named.includes(usual) ? [...starts, usual] : starts;
    const found = await collect(fetcher, root, all, rules, limits, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ApiError) return null;
      throw error;
    });
    if (found !== null) return found;
  }
  return await collect(fetcher, root, [usual], rules, limits, signal);
};

/** Reads sitemaps and those that they name. @throws ApiError fetch_failed where not one of `starts` is a sitemap */
const collect = async (
  fetcher: PageFetcher,
  root: string,
  starts: readonly string[],
  rules: RobotsRules,
  { maxPages, maxDepth }: FindLimits,
  signal: AbortSignal,
): Promise<FoundPages> => {
  const warnings = new Set<string>();
  const pages = new Set<string>();
  const seen = new Set(starts);
  const waiting = starts.map((address) => ({ address, depth: 0 }));
  let failure: unknown = null;
  let read = 0;

  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { address, depth } = next;
    if (read >= MOST_SITEMAPS) {
      warnings.add(`Only ${MOST_SITEMAPS} sitemap files were read.`);
      break;
    }
    let sitemap: Sitemap | null = null;
    try {
      const { bytes } = await fetcher.fetchSitemap(address, { signal, accept: SITEMAP_ACCEPT, field: "rootDomain" });
      sitemap = await readSitemap(bytes);
      if (sitemap === null) throw new ApiError("fetch_failed", `${address} is no sitemap.`);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      failure ??= error;
      warnings.add(error.message);
      continue;
    }
    read += 1;
    for (const inner of sitemap.sitemaps) {
      const resolved = pageAddress(inner, address);
      if (resolved === null || seen.has(resolved)) continue;
      seen.add(resolved);
      if (depth < maxDepth) waiting.push({ address: resolved, depth: depth + 1 });
      else warnings.add(`Sitemaps more than ${maxDepth} deep were left out (scan.maxDepth).`);
    }
    for (const listed of sitemap.pages) {
      const page = pageAddress(listed, address);
      if (page === null || !isSameSite(page, root)) warnings.add("Addresses that are not of this site were left out.");
      else if (!allows(rules, root, page)) warnings.add("Pages that robots.txt forbids were left out.");
      else if (pages.size >= maxPages && !pages.has(page))
        warnings.add(`Only ${maxPages} pages were taken (scan.maxPages).`);
      else pages.add(page);
    }
  }
  if (read === 0) throw noSitemap(root, failure);
  return { pages: [...pages], warnings: [...warnings] };
};

/** Rules are of one origin: those of the site's other origin are asked when the page is fetched. */
const allows = (rules: RobotsRules, root: string, page: string): boolean =>
  new URL(root).origin !== new URL(page).origin || rules.allows(page);

const noSitemap = (root: string, failure: unknown): ApiError => {
  if (failure instanceof ApiError && failure.code !== "fetch_failed") return failure;
  const reason = failure instanceof ApiError ? ` (${failure.message.replace(/\.$/, "")})` : "";
  return new ApiError(
    "fetch_failed",
    `No sitemap was found of ${new URL(root).host}: its robots.txt leads to none, and /sitemap.xml is none${reason}. Ingest single pages with scanPageContent, or name the site under \`sites\` to follow its links.`,
  );
};
