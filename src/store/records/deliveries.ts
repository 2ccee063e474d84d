import type { WebhookDelivery } from "../../domain/records.ts";
import type { Ages } from "../contract/keeping.ts";
import type { DeliveryStore } from "../contract/records.ts";
import { float, integer, nullableFloat, nullableText, oneOf, text } from "../engine/columns.ts";
import { allOf, equals, isNoneOf, isOneOf, visibleTo } from "../engine/filters.ts";
import { byCreation } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";
import { type IsKnownDocument, withoutDocument } from "./gone-documents.ts";

export const deliveryRows = defineTable<WebhookDelivery>({
  name: "deliveries",
  key: "id",
  indexes: { id: "btree", state: "bitmap" },
  columns: {
    id: text,
    endpoint: text,
    origin: text,
    organizationId: text,
    partitionId: nullableText,
    documentId: text,
    event: oneOf("document.processed", "document.failed", "document.deleted"),
    revision: nullableText,
    body: text,
    state: oneOf("prepared", "waiting", "delivered", "abandoned"),
    attempts: integer,
    nextAttemptAt: nullableFloat,
    error: nullableText,
    createdAt: float,
    since: float,
    settledAt: nullableFloat,
  },
});

/** Rows removed in one commit. */
const pageRows = 1_000;
const settled = isOneOf("state", ["delivered", "abandoned"]);

/** A delivery this young keeps the content of a document that was just removed: most are about the removal. */
const maxFreshMs = 1_000;

/**
 * @param isKnown whether a document with this id exists: deliveries about others lose the content of the document
 */
export const createDeliveryStore = (
  table: StoreTable<WebhookDelivery>,
  isKnown: IsKnownDocument,
  ages: Ages,
): DeliveryStore => {
  const one = async (where: string): Promise<WebhookDelivery | null> =>
    (await table.find({ where, limit: 1 }))[0] ?? null;
  const idsOf = (where: string, options: { ascending: boolean; limit: number; offset?: number }): Promise<string[]> =>
    table.scan(
      ["id", "createdAt"],
      {
        where,
        orderBy: byCreation(options.ascending ? "asc" : "desc"),
        limit: options.limit,
        offset: options.offset ?? 0,
      },
      (row) => row.string("id"),
    );
  const byIds = async (ids: readonly string[]): Promise<WebhookDelivery[]> => {
    if (ids.length === 0) return [];
    const found = new Map((await table.find({ where: isOneOf("id", ids) })).map((delivery) => [delivery.id, delivery]));
    return ids.map((id) => found.get(id)).filter((delivery) => delivery !== undefined);
  };

  return {
    add: (deliveries) => table.add(deliveries[0]?.id ?? "", deliveries),
    find: (id) => one(equals("id", id)),
    get: (tenant, id) => one(allOf(visibleTo(tenant), equals("id", id))),
    async list(tenant, { states: wanted, documentId }, { limit, skip, sortOrder }) {
      const where = allOf(
        visibleTo(tenant),
        wanted !== undefined && isOneOf("state", wanted),
        documentId !== undefined && equals("documentId", documentId),
      );
      const [ids, total] = await Promise.all([
        idsOf(where, { ascending: sortOrder === "asc", limit, offset: skip }),
        table.count(where),
      ]);
      return { items: await byIds(ids), total };
    },
    put: (delivery, durable = true) => {
      // The caller may have read it before the document was removed and a sweep reduced it. No sweep comes sooner than this.
      const isOld = ages.of(delivery.createdAt) > maxFreshMs;
      const isGone = isOld && delivery.state !== "prepared" && !isKnown(delivery.documentId, delivery.organizationId);
      const kept = isGone ? { ...delivery, body: withoutDocument(delivery.body) } : delivery;
      return table.upsert(delivery.id, [kept], durable);
    },
    remove: (ids) => table.remove(ids[0] ?? "", "id", ids),
    listPrepared: async (limit) => byIds(await idsOf(equals("state", "prepared"), { ascending: true, limit })),
    listUnsettled: (endpoint, limit) =>
      idsOf(allOf(equals("endpoint", endpoint), isOneOf("state", ["prepared", "waiting"])), { ascending: true, limit }),
    async listOthers(endpoints, limit) {
      const where = allOf(equals("state", "waiting"), isNoneOf("endpoint", endpoints));
      return byIds(await idsOf(where, { ascending: true, limit }));
    },
    async removeSettled({ olderThanMs, most }) {
      const where = allOf(settled, ages.areOver(olderThanMs, '"createdAt"'));
      const old = await idsOf(where, { ascending: true, limit: pageRows });
      const ids = old.length > 0 ? old : await idsOf(settled, { ascending: false, limit: pageRows, offset: most });
      await table.remove("settled", "id", ids);
      return ids.length;
    },
  };
};
