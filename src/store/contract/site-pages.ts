import type { SitePage } from "../../domain/records.ts";

/** What is known of the pages of sites that are kept in step. */
export interface SitePageStore {
  list(siteId: string): Promise<SitePage[]>;
  put(page: SitePage): Promise<void>;
  remove(page: SitePage): Promise<void>;
  /** Forgets the pages of all sites but these; their documents stay. */
  removeOthers(siteIds: readonly string[]): Promise<void>;
}
