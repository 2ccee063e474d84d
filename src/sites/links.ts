import { Parser } from "htmlparser2";
import type { Pause } from "../async/threads/serve-requests.ts";
import { isSameSite, pageAddress } from "./page-address.ts";
import type { ListedPages, PageSigns, SitemapRequest } from "./site-thread.ts";
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
