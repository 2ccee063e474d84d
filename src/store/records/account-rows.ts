import type { KeyRecord, Organization, Partition } from "../../domain/records.ts";
import { float, nullableFloat, nullableText, oneOf, text } from "../engine/columns.ts";
import { defineTable } from "../engine/table-definition.ts";

export const organizationRows = defineTable<Organization>({
  name: "organizations",
  key: "id",
  indexes: {},
  columns: { id: text, name: text, createdAt: float },
});

export const keyRows = defineTable<KeyRecord>({
  name: "keys",
  key: "id",
  indexes: {},
  columns: {
    id: text,
    organizationId: text,
    userId: text,
    name: text,
    role: oneOf("reader", "writer", "admin"),
    partitionId: nullableText,
    hash: text,
    createdAt: float,
    expiresAt: nullableFloat,
  },
});

export const partitionRows = defineTable<Partition>({
  name: "partitions",
  key: "id",
  indexes: {},
  columns: { id: text, organizationId: text, name: text, createdAt: float },
});
