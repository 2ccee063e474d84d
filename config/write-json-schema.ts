import { configSchema } from "./schema.ts";

/**
 * JSON Schema of `carrel.yaml` for editors. Keys with a default are not required; text is accepted in place of numbers
 * and booleans if it takes them from the environment (`"${NAME}"`).
 */
export const writeJsonSchema = (): string => {
  const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Carrel", ...relaxed(configSchema) };
  return `${JSON.stringify(schema, null, 2)}\n`;
};

type Schema = { [key: string]: unknown };

/** Marks of the schema that editors do not know. */
const withoutMarks = (key: string, value: unknown): unknown => (key === "secrecy" ? undefined : value);

const fromEnvironment = { type: "string", pattern: "\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}" };

/** TypeBox's schema as JSON; `required` lists only keys without a default. */
const relaxed = (schema: object): Schema => {
  const { required, properties, items, ...rest } = JSON.parse(JSON.stringify(schema, withoutMarks)) as Schema & {
    required?: string[];
    properties?: Record<string, Schema>;
    items?: Schema;
  };
  if (properties !== undefined) {
    const needed = (required ?? []).filter((name) => {
      const property = properties[name];
      return property !== undefined && property.default === undefined && property.type !== "object";
    });
    const inner = Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, relaxed(property)]));
    return { ...rest, properties: inner, ...(needed.length > 0 ? { required: needed } : {}) };
  }
  if (items !== undefined) return { ...rest, items: relaxed(items) };
  if (rest.type === "object" || (rest.type === "string" && rest.pattern === undefined)) return rest;
  const { description, default: initial, ...bare } = rest;
  return { description, default: initial, anyOf: [bare, fromEnvironment] };
};
