import { ApiError, invalidField } from "../domain/errors.ts";
import { pageAddress, pageKey } from "./page-address.ts";
import type { PageFetcher } from "./page-fetcher.ts";
import type { RobotsRules } from "./robots.ts";
import type { ListedPages } from "./site-thread.ts";
import { readOnThread } from "./site-thread.ts";
import { maxSitemaps } from "./sitemap.ts";

interface FoundPages {
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

const sitemapAccept = "application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5";

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
  /** By their key: the first form of an address counts. */
  const pages = new Map<string, string>();
  const seen = new Set(starts);
  const waiting = starts.map((address) => ({ address, depth: 0 }));
  let failure: unknown = null;
  let read = 0;
  /** Those that cannot be read count: a site may name any number, each of which takes until its time limit. */
  let tried = 0;

  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { address, depth } = next;
    if (tried >= maxSitemaps) {
      warnings.add(`Only ${maxSitemaps} sitemap files were read.`);
      break;
    }
    tried += 1;
    let sitemap: ListedPages | null = null;
    let allowed: boolean[] = [];
    try {
      const { bytes } = await fetcher.fetchSitemap(address, { signal, accept: sitemapAccept, field: "rootDomain" });
      sitemap = await readOnThread({ kind: "sitemap", bytes, base: address, site: root }, signal);
      if (sitemap === null) throw new ApiError("fetch_failed", `${address} is no sitemap.`);
      allowed = await allowedOf(rules, root, sitemap.pages, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      failure ??= error;
      warnings.add(error.message);
      continue;
    }
    read += 1;
    for (const inner of sitemap.sitemaps) {
      if (seen.has(inner)) continue;
      // Of more than can be read, one is kept waiting, so that the warning is given.
      if (tried + waiting.length > maxSitemaps) break;
      seen.add(inner);
      if (depth < maxDepth) waiting.push({ address: inner, depth: depth + 1 });
      else warnings.add(`Sitemaps more than ${maxDepth} deep were left out (scan.maxDepth).`);
    }
    if (sitemap.hasForeign) warnings.add("Addresses that are not of this site were left out.");
    for (const [index, page] of sitemap.pages.entries()) {
      if (allowed[index] !== true) warnings.add("Pages that robots.txt forbids were left out.");
      else if (pages.has(pageKey(page))) continue;
      else if (pages.size >= maxPages) warnings.add(`Only ${maxPages} pages were taken (scan.maxPages).`);
      else pages.set(pageKey(page), page);
    }
  }
  if (read === 0) throw noSitemap(root, failure);
  return { pages: [...pages.values()], warnings: [...warnings] };
};

/** Rules hold for one origin: those of the site's other origin are checked when the page is fetched. */
const allowedOf = async (
  rules: RobotsRules,
  root: string,
  pages: readonly string[],
  signal: AbortSignal,
): Promise<boolean[]> => {
  const begin = `${new URL(root).origin}/`;
  const own = pages.filter((page) => page.startsWith(begin));
  const allowed = own.length === 0 ? [] : await rules.allowed(own, signal);
  let next = 0;
  return pages.map((page) => !page.startsWith(begin) || allowed[next++] === true);
};

const noSitemap = (root: string, failure: unknown): ApiError => {
  if (failure instanceof ApiError && failure.code !== "fetch_failed") return failure;
  const reason = failure instanceof ApiError ? ` (${failure.message.replace(/\.$/, "")})` : "";
  return new ApiError(
    "fetch_failed",
    `No sitemap was found of ${new URL(root).host}: its robots.txt names none, and /sitemap.xml is none${reason}. Ingest single pages with scanPageContent, or name the site under \`sites\` to follow its links.`,
  );
};
