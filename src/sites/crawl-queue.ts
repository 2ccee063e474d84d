import { pageKey } from "./page-address.ts";

/** The pages that a crawl has still to visit. Each enters once, under the first form of its address that comes. */
export interface CrawlQueue {
  readonly isEmpty: boolean;
  /**
   * Adds a page unless it was added before or the crawl has as many as it may visit.
   * @param from the page that links to it; left out: it is known from elsewhere
   */
  add(url: string, depth: number, from?: string): void;
  next(): { url: string; depth: number } | undefined;
  /**
   * Takes an address that is visited without waiting, since another one redirects to it.
   * @returns false where it was taken before, unless it is a form of that other address
   */
  claim(url: string, from?: string): boolean;
  /** A page could not be fetched under the form that came first: another form of its address is tried. */
  fail(url: string): void;
  /** Has a page visited once more. */
  again(url: string, depth: number): void;
}

/**
 * Pages that are found only from pages of the same shape, as the months of a calendar are: a site that makes them up has
 * no end of them.
 */
const maxAlike = 50;

/** An address without its numbers: that of each month, or each page of a list, is the same. */
const shapeOf = (url: string): string => url.replace(/\d+/g, "0");

export const createCrawlQueue = (start: string, maxPages: number): CrawlQueue => {
  /** By their key, with the form that is visited. */
  const seen = new Map([[pageKey(start), start]]);
  const waiting = [{ url: start, depth: 0 }];
  const otherForms = new Map<string, { url: string; depth: number }>();
  const failed = new Set<string>();
  const alike = new Map<string, number>();

  const isOneTooMany = (url: string, from: string | undefined): boolean => {
    if (from === undefined) return false;
    const shape = shapeOf(url);
    if (shape !== shapeOf(from)) return false;
    const count = alike.get(shape) ?? 0;
    if (count < maxAlike) alike.set(shape, count + 1);
    return count >= maxAlike;
  };

  return {
    get isEmpty() {
      return waiting.length === 0;
    },
    add(url, depth, from) {
      const key = pageKey(url);
      const form = seen.get(key);
      if (form === url) return;
      if (form !== undefined) {
        if (!otherForms.has(key)) otherForms.set(key, { url, depth });
        if (failed.has(key)) this.fail(form);
        return;
      }
      if (seen.size >= maxPages || isOneTooMany(url, from)) return;
      seen.set(key, url);
      waiting.push({ url, depth });
    },
    next: () => waiting.shift(),
    claim(url, from) {
      const key = pageKey(url);
      const isOtherForm = from !== undefined && pageKey(from) === key && seen.get(key) !== url;
      if (seen.has(key) && !isOtherForm) return false;
      seen.set(key, url);
      return true;
    },
    fail(url) {
      const key = pageKey(url);
      failed.add(key);
      const other = otherForms.get(key);
      if (other === undefined || other.url === seen.get(key)) return;
      seen.set(key, other.url);
      waiting.push(other);
    },
    again: (url, depth) => void waiting.push({ url, depth }),
  };
};
