import type { TSchema } from "@sinclair/typebox";
import type { Tenant } from "../../domain/records.ts";
import { isJsonObject } from "../../text/json-object.ts";
import { alternatives } from "./schema-alternatives.ts";

/** Marks the fields of a schema that name a scope (`scopeField` in fields.ts). A symbol: the API page does not show it. */
export const scopeMark: unique symbol = Symbol("scope");

/** Whether a field of a body or query names a partition or document that narrows the operation. */
export const isScopeField = (schema: TSchema): boolean =>
  [schema, ...alternatives(schema)].some((one) => scopeMark in one);

/**
 * What a caller sent, with the scope fields as they apply to a key limited to a partition: `""` names nothing, as null does. The use
 * cases then take the key's own partition where none is named. Other keys and other fields stay as they are: there
 * `""` is an id that no record has.
 *
 * Every body, query and batch line passes through here before it is validated.
 */
export const ownScope = (schema: TSchema, tenant: Pick<Tenant, "partitionId"> | null, value: unknown): unknown => {
  if (tenant === null || tenant.partitionId === null || !isJsonObject(value)) return value;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  const emptied = properties.filter(([name, field]) => isScopeField(field) && value[name] === "");
  if (emptied.length === 0) return value;
  return { ...value, ...Object.fromEntries(emptied.map(([name]) => [name, null])) };
};
