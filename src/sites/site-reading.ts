import { Parser } from "htmlparser2";
import robotsParser from "robots-parser";
import type { Pause } from "../async/threads/serve-requests.ts";
import { isSameSite, pageAddress } from "./page-address.ts";
import type {
  AllowedRequest,
  ListedPages,
  PageSigns,
  RobotsFacts,
  RobotsRequest,
  SitemapRequest,
} from "./site-thread.ts";
import { readSitemap, writeInPieces } from "./sitemap.ts";

/** Of a page with more links, the rest is not followed. */
const maxLinks = 2_000;
/** With more elements open at once, finding the one that an end tag closes takes longer than reading the rest. */
const maxOpenElements = 5_000;

class EnoughError extends Error {}

/**
 * Addresses that a page's links lead to, each once, in their order; the one that it says is its own, and whether it asks
 * for a password.
 * @param base address of the page, after redirects
 * @param pause called between the pieces of a large page
 */
export const signsOf = async (bytes: Uint8Array, base: string, pause: Pause): Promise<PageSigns> => {
  const found = new Set<string>();
  let from = base;
  let open = 0;
  let canonical: string | null = null;
  let asksPassword = false;
  const parser = new Parser({
    onclosetag() {
      open -= 1;
    },
    onopentag(name, { href, rel, type }) {
      open += 1;
      if (open > maxOpenElements || found.size >= maxLinks) throw new EnoughError();
      if (name === "input" && type?.toLowerCase() === "password") asksPassword = true;
      if (href === undefined) return;
      if (name === "link" && rel?.toLowerCase().split(/\s+/).includes("canonical"))
        canonical ??= pageAddress(href, from);
      if (name === "base") from = pageAddress(href, base) ?? from;
      if (name !== "a" && name !== "area") return;
      const address = pageAddress(href, from);
      if (address !== null) found.add(address);
    },
  });
  // Whatever the charset: addresses are ASCII, or percent-encoded UTF-8.
  const text = new TextDecoder().decode(bytes);
  try {
    await writeInPieces(parser, text, pause);
  } catch (error) {
    if (!(error instanceof EnoughError)) throw error;
  }
  return { links: [...found], canonical, asksPassword };
};

/** Addresses checked between two pauses. */
const pauseEvery = 1_000;

/** The pages and further files that a sitemap lists, each once. @returns null for what is no sitemap */
export const listedPages = async (
  { bytes, base, site }: Omit<SitemapRequest, "kind">,
  pause: Pause,
): Promise<ListedPages | null> => {
  const sitemap = await readSitemap(bytes, pause);
  if (sitemap === null) return null;
  let looked = 0;
  let hasForeign = false;
  const take = async (addresses: readonly string[], belongs: (address: string) => boolean): Promise<string[]> => {
    const taken = new Set<string>();
    for (const one of addresses) {
      const address = pageAddress(one, base);
      if (address === null || !belongs(address)) hasForeign = true;
      else taken.add(address);
      looked += 1;
      if (looked % pauseEvery === 0) await pause();
    }
    return [...taken];
  };
  const pages = await take(sitemap.pages, (address) => isSameSite(address, site));
  const foundForeign = hasForeign;
  const sitemaps = await take(sitemap.sitemaps, () => true);
  return { pages, sitemaps, hasForeign: foundForeign };
};

/** Name of this crawler in robots.txt. */
const crawlerName = "Carrel";
const maxDelayMs = 30_000;
const maxSitemaps = 1_000;
/** Matching a rule with a `*` costs its length times the address's: files with more of them are not applied. */
const maxWildcardCharacters = 100_000;
/** Each page is compared with each rule, in some 30 ns: 6 s. A sitemap of 50,000 pages may have 4,000 rules. */
const maxComparisons = 200_000_000;
const maxAddressCharacters = 4_096;

/** What a robots.txt says besides its rules. */
export const robotsFacts = ({ address, text }: Omit<RobotsRequest, "kind">): RobotsFacts => {
  const robots = robotsParser(address, withoutOtherCrawlers(text));
  return {
    crawlDelayMs: Math.min((robots.getCrawlDelay(crawlerName) ?? 0) * 1_000, maxDelayMs),
    sitemaps: robots.getSitemaps().slice(0, maxSitemaps),
  };
};

/**
 * Which of the pages a robots.txt allows, in their order; none whose address is too long.
 * @returns null where its rules would take too long to apply
 */
export const allowedPages = async (
  { address, text, pages }: Omit<AllowedRequest, "kind">,
  pause: Pause,
): Promise<boolean[] | null> => {
  const rules = withoutOtherCrawlers(text);
  if (wildcardCharacters(rules) > maxWildcardCharacters) return null;
  if (rules.split("\n").length * pages.length > maxComparisons) return null;
  const robots = robotsParser(address, rules);
  const allowed: boolean[] = [];
  let began = performance.now();
  for (const page of pages) {
    allowed.push(page.length <= maxAddressCharacters && robots.isAllowed(page, crawlerName) !== false);
    if (performance.now() - began < 20) continue;
    await pause();
    began = performance.now();
  }
  return allowed;
};

const wildcardCharacters = (text: string): number => {
  let characters = 0;
  for (const line of text.split("\n")) if (line.includes("*", line.indexOf(":"))) characters += line.length;
  return characters;
};

/**
 * The file with fewer names of crawlers, and the same rules for this one. The parser keeps a rule once for each crawler
 * that it names, so many names over many rules would be too many rules: of names that follow one another, those of
 * other crawlers become one.
 */
const withoutOtherCrawlers = (text: string): string => {
  const kept: string[] = [];
  const named = new Set<string>();
  let wasName = false;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(":");
    const field = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (field === "" || field.startsWith("#")) continue;
    const isName = field === "user-agent";
    if (!isName) {
      kept.push(line.replace(/\*{2,}/g, "*"));
      wasName = false;
      continue;
    }
    if (!wasName) named.clear();
    wasName = true;
    const [stated = ""] = line.slice(colon + 1).split(/[#/]/, 1);
    const name = stated.trim().toLowerCase();
    const own = name === "*" || name === crawlerName.toLowerCase() ? name : "other";
    if (named.has(own)) continue;
    named.add(own);
    kept.push(`User-agent: ${own}`);
  }
  return kept.join("\n");
};
