import type { Pause } from "../async/threads/serve-requests.ts";
import { isSameSite, pageAddress } from "./page-address.ts";
import type { ListedPages, SitemapRequest } from "./site-requests.ts";
import { readSitemap } from "./sitemap.ts";

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
