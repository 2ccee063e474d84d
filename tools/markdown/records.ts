import type { TSchema } from "@sinclair/typebox";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { createFieldTables, type Field, fieldsOf, isRecord, recordsIn } from "./fields.ts";

/** The records that operations answer with, each with its fields from its schema and an example. */
export const recordsMarkdown = (endpoints: readonly Endpoint[]): string[] => {
  const schemas = new Map(
    endpoints.flatMap(jsonAnswers).flatMap((answer) => recordsIn(answer).map((record) => [record.$id ?? "", record])),
  );
  const fieldTable = createFieldTables();
  return [
    "## Records",
    "",
    "What the operations answer with.",
    "",
    ...smallestFirst([...schemas.values()]).flatMap((schema) => {
      const name = schema.$id ?? "";
      const table = fieldTable("Fields", name, fieldsOf(schema).map(withoutRequired));
      // A record that adds to another one needs no example of its own.
      const isOwn = table[0]?.startsWith("|") === true;
      const example = isOwn ? exampleOf(endpoints, name) : undefined;
      return [
        `### ${name}`,
        "",
        ...(schema.description === undefined ? [] : [schema.description, ""]),
        ...table,
        ...(example === undefined ? [] : jsonBlock(example)),
      ];
    }),
  ];
};

/** Whether an operation answers with records alone: their examples stand beside their fields. */
export const isOfRecords = (endpoint: Endpoint): boolean => {
  const answers = jsonAnswers(endpoint);
  return answers.length > 0 && answers.every((answer) => isRecord(itemOf(answer)));
};

export const jsonBlock = (value: unknown): string[] =>
  typeof value === "string"
    ? ["```", value.trimEnd(), "```", ""]
    : ["```json", JSON.stringify(value, null, 2), "```", ""];

const jsonAnswers = ({ responses }: Endpoint): TSchema[] =>
  Object.values(responses).flatMap((answer) => ("mediaType" in answer ? [] : [answer as TSchema]));

const itemOf = (schema: TSchema): TSchema => (schema.type === "array" ? (schema.items as TSchema) : schema);

/** Answers need no word on what is required: all of it is there. */
const withoutRequired = ({ name, row }: Field): Field => ({ name, row: row.replace("` (required) |", "` |") });

/** The order stays, but a record comes after those whose fields it has all. */
const smallestFirst = (schemas: readonly TSchema[]): TSchema[] => {
  const names = (schema: TSchema) => new Set(Object.keys((schema.properties ?? {}) as object));
  const sorted: TSchema[] = [];
  const add = (schema: TSchema): void => {
    if (sorted.includes(schema)) return;
    for (const other of schemas) {
      if (names(other).size < names(schema).size && names(other).isSubsetOf(names(schema))) add(other);
    }
    sorted.push(schema);
  };
  for (const schema of schemas) add(schema);
  return sorted;
};

const exampleOf = (endpoints: readonly Endpoint[], name: string): unknown => {
  for (const { responses, example } of endpoints) {
    const [answer] = Object.values(responses);
    if (example === undefined || answer === undefined || "mediaType" in answer) continue;
    if (itemOf(answer as TSchema).$id !== name) continue;
    return Array.isArray(example.response) ? example.response[0] : example.response;
  }
  return undefined;
};
