/** The pages that a crawl has still to visit. Each address enters once. */
export interface CrawlQueue {
  readonly isEmpty: boolean;
  /** Adds a page unless it was added before or the crawl has as many as it may visit. */
  add(url: string, depth: number): void;
  next(): { url: string; depth: number } | undefined;
  /** Takes an address that is visited without waiting, as a redirect does. @returns false where it was taken before */
  claim(url: string): boolean;
}

export const createCrawlQueue = (start: string, maxPages: number): CrawlQueue => {
  const seen = new Set([start]);
  const waiting = [{ url: start, depth: 0 }];
  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    add(url, depth) {
      if (seen.has(url) || seen.size >= maxPages) return;
      seen.add(url);
      waiting.push({ url, depth });
    },
    next: () => waiting.shift(),
    claim(url) {
      if (seen.has(url)) return false;
      seen.add(url);
      return true;
    },
  };
};
