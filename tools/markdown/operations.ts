import type { TSchema } from "@sinclair/typebox";
import { type ErrorCode, errorTable } from "../../src/domain/errors.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { pathsOf } from "../../src/http/path-lookup.ts";
import { createFieldTables, fieldsOf, linkTo, listed, typeOf } from "./fields.ts";
import { isOfRecords, jsonBlock, recordsMarkdown } from "./records.ts";

/** `docs/api.md` from here on: every operation by tag, then the records that they answer with. */
export const operationsMarkdown = (endpoints: readonly Endpoint[]): string => {
  const write = createOperationWriter();
  const tags = [...new Set(endpoints.map(({ tag }) => tag))];
  const operations = tags.flatMap((tag) => [
    `## ${tag}`,
    "",
    ...bySummary(endpoints.filter((endpoint) => endpoint.tag === tag)).flatMap((group) => [
      `### ${group[0]?.summary}`,
      "",
      ...group.flatMap((endpoint, at) => write(endpoint, group.slice(0, at))),
    ]),
  ]);
  return [...operations, ...recordsMarkdown(endpoints)].join("\n");
};

/** Operations that do the same under several paths stand under one heading. */
const bySummary = (endpoints: readonly Endpoint[]): Endpoint[][] => [
  ...Map.groupBy(endpoints, ({ summary }) => summary).values(),
];

const callers: Record<Endpoint["access"], string> = {
  open: "No key needed.",
  visitor: "Any key; without a key on public chats.",
  reader: "Any key.",
  writer: "Key of role `writer` or `admin`.",
  admin: "Key of role `admin`.",
};

/** @returns the lines of an operation; `before` are those above it under the same heading */
const createOperationWriter = () => {
  const fieldTable = createFieldTables();
  const errorList = createErrorList();

  return (endpoint: Endpoint, before: readonly Endpoint[]): string[] => {
    const { method, summary, description = "", access, example, query, headers, body, rawBody, acceptsFile } = endpoint;
    const [path, ...aliases] = pathsOf(endpoint);
    const isSaid = description === "" || before.some((one) => one.description?.startsWith(description));
    const isShown = before.some((one) => Bun.deepEquals(one.example?.request, example?.request));
    return [
      `\`${method} ${path}\`${aliases.map((alias) => `, also \`${alias}\``).join("")}. ${callers[access]}`,
      "",
      ...(isSaid ? [] : [description, ""]),
      ...fieldTable("Query", summary, fieldsOf(query)),
      ...fieldTable("Header", summary, fieldsOf(headers)),
      ...fieldTable("Body", summary, fieldsOf(body)),
      ...(acceptsFile ? ["In `multipart/form-data`, a part named `file` holds the file.", ""] : []),
      ...(rawBody ? [`Body: \`${rawBody.mediaType}\`. ${rawBody.description}`, ""] : []),
      `Answers: ${answers(endpoint)}.${errorList(endpoint)}`,
      "",
      ...(example?.request === undefined || isShown ? [] : jsonBlock(example.request)),
      ...(example === undefined || isOfRecords(endpoint) ? [] : jsonBlock(example.response)),
    ];
  };
};

/** Statuses with what they carry: `200 or 202 [Document](#document)`. */
const answers = ({ responses }: Endpoint): string => {
  const byContent = Map.groupBy(Object.entries(responses), ([, answer]) =>
    "mediaType" in answer ? `\`${answer.mediaType}\`` : typeOfAnswer(answer as TSchema),
  );
  return [...byContent]
    .map(([content, statuses]) => `${statuses.map(([status]) => status).join(" or ")} ${content}`)
    .join(", ");
};

const typeOfAnswer = (schema: TSchema): string =>
  schema.$id === undefined && schema.type !== "array" ? "JSON" : typeOf(schema);

/** Writes an operation's own errors; those that an earlier operation has too are left to it where that is shorter. */
const createErrorList = () => {
  const earlier: Pick<Endpoint, "tag" | "summary" | "errors">[] = [];

  return ({ tag, summary, errors }: Endpoint): string => {
    if (errors.length === 0) return "";
    const all = earlier
      .filter((one) => one.tag === tag)
      .map((one) => ({ ...one, ...compared(errors, one.errors) }))
      .filter(({ own, missing }) => errors.length >= 5 && own.length <= 1 && missing.length < errors.length / 2)
      .toSorted((a, b) => a.own.length + a.missing.length - b.own.length - b.missing.length);
    const closest = all[0];
    if (closest === undefined) {
      earlier.push({ tag, summary, errors });
      return ` Errors of its own: ${withStatus(errors)}.`;
    }
    const { own, missing } = closest;
    const without = missing.length === 0 ? "" : ` without ${listed(missing.map((name) => ({ name })))}`;
    const more = own.length === 0 ? "" : `, and ${withStatus(own)}`;
    return ` Errors of its own: those of ${linkTo(closest.summary)}${without}${more}.`;
  };
};

const compared = (errors: readonly ErrorCode[], earlier: readonly ErrorCode[]) => ({
  own: errors.filter((code) => !earlier.includes(code)),
  missing: earlier.filter((code) => !errors.includes(code)),
});

const withStatus = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `${errorTable[code].status} \`${code}\``).join(", ");
