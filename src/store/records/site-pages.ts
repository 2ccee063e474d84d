import type { SitePage } from "../../domain/records.ts";
import type { SitePageStore } from "../contract/records.ts";
import { isStrings } from "../engine/cells.ts";
import { float, integer, json, nullableText, text } from "../engine/columns.ts";
import { equals, isOneOf } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";

export const sitePageRows = defineTable<SitePage>({
  name: "site_pages",
  key: "id",
  indexes: { siteId: "bitmap" },
  columns: {
    id: text,
    siteId: text,
    url: text,
    depth: integer,
    documentId: nullableText,
    etag: nullableText,
    lastModified: nullableText,
    sha256: text,
    links: json(isStrings),
    visitedAt: float,
  },
});

export const createSitePageStore = (table: StoreTable<SitePage>): SitePageStore => ({
  list: (siteId) => table.find({ where: equals("siteId", siteId) }),
  // Not durable: a page that is lost is fetched again.
  put: (page) => table.upsert(page.id, [page], false),
  remove: ({ id }) => table.remove(id, "id", [id], false),
  async removeOthers(siteIds) {
    const where = siteIds.length === 0 ? "true" : `NOT (${isOneOf("siteId", siteIds)})`;
    const others = await table.scan(["siteId"], { where }, (row) => row.string("siteId"));
    await table.remove("others", "siteId", [...new Set(others)]);
  },
});
