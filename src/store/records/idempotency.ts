import type { IdempotentRequest } from "../../domain/records.ts";
import type { Ages } from "../contract/keeping.ts";
import type { IdempotencyStore } from "../contract/records.ts";
import { float, nullableText, text } from "../engine/columns.ts";
import { equals } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";
import { removeAged } from "./ages.ts";

export const idempotencyRows = defineTable<IdempotentRequest>({
  name: "idempotency",
  key: "id",
  indexes: { id: "btree" },
  columns: { id: text, requestHash: text, documentId: text, answer: nullableText, createdAt: float },
});

export const createIdempotencyStore = (table: StoreTable<IdempotentRequest>, ages: Ages): IdempotencyStore => ({
  get: async (id) => (await table.find({ where: equals("id", id), limit: 1 }))[0] ?? null,
  put: (request) => table.upsert(request.id, [request]),
  remove: (id) => table.remove(id, "id", [id]),
  removeOlder: (ageMs) => removeAged(table, ages, ageMs),
});
