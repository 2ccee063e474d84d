import { expect } from "bun:test";
import { type Answer, callServer } from "../call-server.ts";

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
}

export interface OpenApi {
  paths: Record<
    string,
    Record<
      string,
      {
        requestBody?: { content: Record<string, { schema: Schema }> };
        responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;

/** The schema itself, where another one's name stands. */
export const named = (openapi: OpenApi, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (openapi.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/** Where and how a value differs from a schema of the kinds this document uses. */
const faults = (openapi: OpenApi, schema: Schema, value: unknown, at: string): string[] => {
  const { anyOf, items, properties, required = [] } = schema;
  if (schema.$ref !== undefined) return faults(openapi, named(openapi, schema), value, at);
  if (anyOf !== undefined)
    return anyOf.some((one) => faults(openapi, one, value, at).length === 0) ? [] : [`${at}: none of its alternatives`];
  if (schema.const !== undefined && value !== schema.const) return [`${at}: not ${String(schema.const)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: not one of ${schema.enum.join()}`];
  const type = typeOf(value);
  if (schema.type !== undefined && schema.type !== type && !(schema.type === "number" && type === "integer"))
    return [`${at}: ${type} for ${schema.type}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => (items ? faults(openapi, items, item, `${at}[${index}]`) : []));
  if (properties === undefined || typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  return [
    ...required.filter((name) => !Object.hasOwn(fields, name)).map((name) => `${at}.${name}: missing`),
    ...Object.entries(fields).flatMap(([name, inner]) => {
      const property = properties[name];
      if (property !== undefined) return faults(openapi, property, inner, `${at}.${name}`);
      return Object.keys(properties).length === 0 ? [] : [`${at}.${name}: not documented`];
    }),
  ];
};

/** The documented path that an address is one of; the one with the fewest parameters where several fit. */
const pathOf = ({ paths }: OpenApi, address: string): string | undefined => {
  const asked = address.split("?", 1)[0]?.replace(/(.)\/$/, "$1") ?? "";
  const parameters = (path: string): number => path.split("{").length;
  return Object.keys(paths)
    .filter((path) => new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(asked))
    .toSorted((one, other) => parameters(one) - parameters(other))[0];
};

/**
 * What is really answered is to fit what /openapi.full.json says of it: every field documented, every documented field
 * there.
 * @returns checks an answer that is JSON
 */
export const openDocumented = async (url: string) => {
  const openapi: OpenApi = (await callServer(url, "GET", "/openapi.full.json")).body;
  return {
    openapi,
    check(method: string, address: string, answer: Answer): void {
      const path = pathOf(openapi, address);
      const operation = openapi.paths[path ?? ""]?.[method.toLowerCase()];
      if (operation === undefined || answer.body === null) return;
      const what = `${method} ${path} ${answer.status}: ${answer.text.slice(0, 200)}`;
      const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
      const schema = operation.responses[String(answer.status)]?.content?.[type]?.schema;
      expect([what, schema !== undefined]).toEqual([what, true]);
      expect([what, faults(openapi, schema ?? {}, answer.body, "answer")]).toEqual([what, []]);
    },
  };
};
