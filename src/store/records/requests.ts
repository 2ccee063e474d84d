import { type AuditEntry, auditActions, auditActors, auditOutcomes } from "../../domain/audit.ts";
import type { IdempotentRequest } from "../../domain/records.ts";
import type { Ages } from "../contract/keeping.ts";
import type { AuditStore, IdempotencyStore } from "../contract/records.ts";
import { isObject } from "../engine/cells.ts";
import { float, json, nullableText, oneOf, text } from "../engine/columns.ts";
import { allOf, equals } from "../engine/filters.ts";
import { byCreation } from "../engine/paging.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { defineTable } from "../engine/table-definition.ts";
import { removeAged } from "./ages.ts";

export const auditRows = defineTable<AuditEntry>({
  name: "audit",
  key: "id",
  indexes: {},
  columns: {
    id: text,
    organizationId: text,
    createdAt: float,
    action: oneOf(...auditActions),
    actor: oneOf(...auditActors),
    keyId: nullableText,
    keyName: nullableText,
    userId: text,
    targetId: nullableText,
    details: json(isObject),
    outcome: oneOf(...auditOutcomes),
    address: text,
    requestId: nullableText,
  },
});

const from = (moment: number): string => `"createdAt" >= ${Number(moment)}`;

export const createAuditStore = (table: StoreTable<AuditEntry>, ages: Ages): AuditStore => ({
  // Cheaper than an upsert, which looks for the row first: every change waits for it.
  add: (entry) => table.add(entry.id, [entry], false),
  replace: (entry) => table.upsert(entry.id, [entry], false),
  remove: (id) => table.remove(id, "id", [id], false),
  async list(organizationId, { action, since }, { limit, skip, sortOrder }) {
    const where = allOf(
      equals("organizationId", organizationId),
      since !== undefined && from(since),
      action !== undefined && equals("action", action),
    );
    const [items, total] = await Promise.all([
      table.find({ where, orderBy: byCreation(sortOrder), limit, offset: skip }),
      table.count(where),
    ]);
    return { items, total };
  },
  async removeOlder(ageMs) {
    while ((await removeAged(table, ages, ageMs, false)) > 0);
  },
});

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
