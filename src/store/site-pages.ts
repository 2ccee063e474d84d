import type { SitePage } from "../domain/records.ts";
import type { SitePageStore } from "./contract.ts";
import { isStrings, parseJson } from "./engine/cells.ts";
import { equals, isOneOf } from "./engine/filters.ts";
import type { StoreTable } from "./engine/store-table.ts";
import { float, integer, nullableText, schemaOf, type TableDefinition, text } from "./engine/table-definition.ts";

export const sitePageRows: TableDefinition<SitePage> = {
  name: "site_pages",
  schema: schemaOf(
    text("id"),
    text("siteId"),
    text("url"),
    integer("depth"),
    nullableText("documentId"),
    nullableText("etag"),
    nullableText("lastModified"),
    text("sha256"),
    text("links"),
    float("visitedAt"),
  ),
  key: "id",
  indexes: { siteId: "bitmap" },
  encode: (page) => ({ ...page, links: JSON.stringify(page.links) }),
  decode: (row) => ({
    id: row.string("id"),
    siteId: row.string("siteId"),
    url: row.string("url"),
    depth: row.number("depth"),
    documentId: row.nullableString("documentId"),
    etag: row.nullableString("etag"),
    lastModified: row.nullableString("lastModified"),
    sha256: row.string("sha256"),
    links: parseJson(row.string("links"), isStrings),
    visitedAt: row.number("visitedAt"),
  }),
};

export const createSitePageStore = (table: StoreTable<SitePage>): SitePageStore => ({
  list: (siteId) => table.find({ where: equals("siteId", siteId) }),
  // Not waited for on the disk: what is lost is fetched once more.
  put: (page) => table.upsert(page.id, [page], false),
  remove: ({ id }) => table.remove(id, "id", [id], false),
  async removeOthers(siteIds) {
    const where = siteIds.length === 0 ? "true" : `NOT (${isOneOf("siteId", siteIds)})`;
    const others = await table.scan(["siteId"], { where }, (row) => row.string("siteId"));
    await table.remove("others", "siteId", [...new Set(others)]);
  },
});
