import type { KeyRecord, Organization, Partition, Role } from "../domain/records.ts";
import { float, nullableFloat, nullableText, schemaOf, type TableDefinition, text } from "./engine/table-definition.ts";

export const organizationRows: TableDefinition<Organization> = {
  name: "organizations",
  schema: schemaOf(text("id"), text("name"), float("createdAt")),
  key: "id",
  indexes: {},
  encode: ({ id, name, createdAt }) => ({ id, name, createdAt }),
  decode: (row) => ({ id: row.string("id"), name: row.string("name"), createdAt: row.number("createdAt") }),
};

const roles: readonly string[] = ["reader", "writer", "admin"] satisfies Role[];
const isRole = (value: string): value is Role => roles.includes(value);

export const keyRows: TableDefinition<KeyRecord> = {
  name: "keys",
  schema: schemaOf(
    text("id"),
    text("organizationId"),
    text("userId"),
    text("name"),
    text("role"),
    nullableText("partitionId"),
    text("hash"),
    float("createdAt"),
    nullableFloat("expiresAt"),
  ),
  key: "id",
  indexes: {},
  encode: (key) => ({
    id: key.id,
    organizationId: key.organizationId,
    userId: key.userId,
    name: key.name,
    role: key.role,
    partitionId: key.partitionId,
    hash: key.hash,
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
  }),
  decode: (row) => {
    const role = row.string("role");
    if (!isRole(role)) throw new Error("a key in the store has a role that is unknown");
    return {
      id: row.string("id"),
      organizationId: row.string("organizationId"),
      userId: row.string("userId"),
      name: row.string("name"),
      role,
      partitionId: row.nullableString("partitionId"),
      hash: row.string("hash"),
      createdAt: row.number("createdAt"),
      expiresAt: row.nullableNumber("expiresAt"),
    };
  },
};

export const partitionRows: TableDefinition<Partition> = {
  name: "partitions",
  schema: schemaOf(text("id"), text("organizationId"), text("name"), float("createdAt")),
  key: "id",
  indexes: {},
  encode: ({ id, organizationId, name, createdAt }) => ({ id, organizationId, name, createdAt }),
  decode: (row) => ({
    id: row.string("id"),
    organizationId: row.string("organizationId"),
    name: row.string("name"),
    createdAt: row.number("createdAt"),
  }),
};
