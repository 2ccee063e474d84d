import type { IdempotentRequest } from "../domain/records.ts";
import type { IdempotencyStore } from "./contract.ts";
import { equals } from "./engine/filters.ts";
import type { StoreTable } from "./engine/store-table.ts";
import { float, nullableText, schemaOf, type TableDefinition, text } from "./engine/table-definition.ts";

export const idempotencyRows: TableDefinition<IdempotentRequest> = {
  name: "idempotency",
  schema: schemaOf(text("id"), text("requestHash"), text("documentId"), nullableText("answer"), float("createdAt")),
  key: "id",
  indexes: { id: "btree" },
  encode: ({ id, requestHash, documentId, answer, createdAt }) => ({ id, requestHash, documentId, answer, createdAt }),
  decode: (row) => ({
    id: row.string("id"),
    requestHash: row.string("requestHash"),
    documentId: row.string("documentId"),
    answer: row.nullableString("answer"),
    createdAt: row.number("createdAt"),
  }),
};

/** Rows looked for at a time when old ones are removed. */
const page = 1_000;

export const createIdempotencyStore = (table: StoreTable<IdempotentRequest>): IdempotencyStore => ({
  get: async (id) => (await table.find({ where: equals("id", id), limit: 1 }))[0] ?? null,
  put: (request) => table.upsert(request.id, [request]),
  remove: (id) => table.remove(id, "id", [id]),
  async removeBefore(createdAt) {
    const where = `"createdAt" < ${Number(createdAt)}`;
    const ids = await table.scan(["id"], { where, limit: page }, (row) => row.string("id"));
    await table.remove("old", "id", ids);
    return ids.length;
  },
});
