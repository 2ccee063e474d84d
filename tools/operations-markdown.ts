import type { TSchema } from "@sinclair/typebox";
import { errorTable } from "../src/domain/errors.ts";
import type { Endpoint } from "../src/http/endpoint.ts";
import { pathsOf } from "../src/http/path-lookup.ts";
import { describeType } from "../src/http/schema/describe-fault.ts";

/** `docs/api.md` from here on: every operation with its fields, answers and errors, by tag. */
export function operationsMarkdown(endpoints: readonly Endpoint[]): string {
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  return tags
    .map((tag) => {
      const operations = endpoints.filter((endpoint) => endpoint.tag === tag);
      return [`## ${tag}`, "", ...operations.map(operation)].join("\n");
    })
    .join("\n");
}

const callers: Record<Endpoint["access"], string> = {
  open: "No key needed.",
  visitor: "Any key; without a key on public chats.",
  reader: "Any key.",
  writer: "Key of role `writer` or `admin`.",
  admin: "Key of role `admin`.",
};

function operation(endpoint: Endpoint): string {
  const { method, summary, description, access, example, query, headers, body, rawBody, acceptsFile } = endpoint;
  const [path, ...aliases] = pathsOf(endpoint);
  return [
    `### ${summary}`,
    "",
    `\`${method} ${path}\`${aliases.map((alias) => `, also \`${alias}\``).join("")}. ${callers[access]}`,
    "",
    ...(description ? [description, ""] : []),
    ...fields("Query", query),
    ...fields("Header", headers),
    ...fields("Body", body),
    ...(acceptsFile ? ["In `multipart/form-data`, a part named `file` holds the file.", ""] : []),
    ...(rawBody ? [`Body: \`${rawBody.mediaType}\`. ${rawBody.description}`, ""] : []),
    `Answers: ${answers(endpoint)}.${errors(endpoint)}`,
    "",
    ...(example === undefined ? [] : exampleBlock(example)),
  ].join("\n");
}

function fields(place: string, schema: TSchema | undefined): string[] {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, TSchema>);
  if (properties.length === 0) return [];
  const required = new Set<string>((schema?.required ?? []) as string[]);
  return [
    `| ${place} | | |`,
    "|---|---|---|",
    ...properties.map(([name, property]) => {
      const first = property.default === undefined ? "" : ` Default \`${JSON.stringify(property.default)}\`.`;
      const text = descriptionOf(property) + first;
      return `| \`${name}\`${required.has(name) ? " (required)" : ""} | ${describeType(property)} | ${cell(text)} |`;
    }),
    "",
  ];
}

/** A field that may be null carries its description on the member that is not. */
const descriptionOf = (schema: TSchema): string =>
  schema.description ??
  ((schema.anyOf ?? []) as TSchema[]).map(({ description }) => description).find((one) => one !== undefined) ??
  "";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const answers = ({ responses }: Endpoint): string =>
  Object.entries(responses)
    .map(([status, answer]) => ("mediaType" in answer ? `${status} \`${answer.mediaType}\`` : `${status} JSON`))
    .join(", ");

function errors({ errors: codes }: Endpoint): string {
  if (codes.length === 0) return "";
  return ` Errors of its own: ${codes.map((code) => `${errorTable[code].status} \`${code}\``).join(", ")}.`;
}

function exampleBlock({ request, response }: NonNullable<Endpoint["example"]>): string[] {
  const block = (value: unknown) =>
    typeof value === "string"
      ? ["```", value.trimEnd(), "```", ""]
      : ["```json", JSON.stringify(value, null, 2), "```", ""];
  return [...(request === undefined ? [] : block(request)), ...block(response)];
}
