/** What the thread that reads what sites send is asked. */
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
  /** What is no address of a page, or of a page elsewhere, was left out. */
  hasForeign: boolean;
}

export interface LinksRequest {
  kind: "links";
  bytes: Uint8Array;
  /** Address of the page, after redirects. */
  base: string;
}

export interface RobotsRequest {
  kind: "robots";
  address: string;
  text: string;
}

/** What a robots.txt says beside its rules. */
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

/** Each request with what answers it. */
export interface SiteAnswers {
  /** Null for what is no sitemap. */
  sitemap: ListedPages | null;
  links: string[];
  robots: RobotsFacts;
  /** In the order of the pages; null where the rules take too long to apply. */
  allowed: boolean[] | null;
}
