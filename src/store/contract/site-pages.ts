import type { SitePage } from "../../domain/records.ts";

/** Pages of the sites that are synchronized: what was found at the last visit. */
export interface SitePageStore {
  list(siteId: string): Promise<SitePage[]>;
  put(page: SitePage): Promise<void>;
  remove(page: SitePage): Promise<void>;
  /** Removes the pages of all sites but these; their documents stay. */
  removeOthers(siteIds: readonly string[]): Promise<void>;
}
