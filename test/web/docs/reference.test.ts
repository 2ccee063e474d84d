import { expect, test } from "bun:test";
import { openApiText } from "../../../src/commands/openapi.ts";
import {
  acceptsFile,
  codesIn,
  curlExample,
  type OpenApiDocument,
  type Operation,
  readApi,
} from "../../../src/web/browser/docs/api.ts";
import { fieldsOf, typeWords } from "../../../src/web/browser/docs/fields.ts";
import { passageOf } from "../../../src/web/browser/docs/search-entries.ts";

const document = JSON.parse(openApiText({ isWhole: true })) as OpenApiDocument;
const api = readApi(document);
const operation = (id: string): Operation => {
  const found = api.operations.get(id);
  if (found === undefined) throw new Error(`no operation ${id}`);
  return found;
};

test("every operation is listed once, under its first path, with who may call it", () => {
  const listed = api.tags.flatMap(({ operations }) => operations.map(({ operationId }) => operationId));
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.length).toBe(api.operations.size);
  expect(listed.filter((id) => id.includes("Alias"))).toEqual([]);
  for (const each of api.operations.values())
    expect(["open", "visitor", "reader", "writer", "admin"], each.operationId).toContain(each["x-access"] ?? "");
});

test("types of every field are told in words", () => {
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const field of fieldsOf(schema, false)) {
      const words = field.type.map((word) => (typeof word === "string" ? word : word.record)).join("");
      expect({ name, field: field.name, words }).not.toMatchObject({ words: expect.stringMatching(/undefined|^$/) });
      for (const word of field.type) if (typeof word !== "string") expect(api.records).toContain(word.record);
    }
});

test.each([
  [{ type: "integer", minimum: 1, maximum: 100 }, ["an integer from 1 to 100"]],
  [{ type: ["string", "null"], maxLength: 255 }, ["a string of at most 255 characters", " or ", "null"]],
  [{ anyOf: [{ $ref: "#/components/schemas/Key" }, { type: "null" }] }, [{ record: "Key" }, " or ", "null"]],
  [{ type: "array", items: { $ref: "#/components/schemas/Document" } }, ["a list of ", { record: "Document" }]],
  [{ type: "array", items: { type: "string" }, maxItems: 3 }, ["a list of ", "strings", " (at most 3)"]],
  [{ anyOf: [{ const: "a" }, { const: "b" }] }, ["one of a, b"]],
  [{ type: "string", format: "date-time" }, ["a time"]],
])("type %p", (schema, words) => {
  expect(typeWords(schema)).toEqual(words);
});

test("fields of objects inside others stand under dotted names", () => {
  const schema = document.components.schemas.Answer ?? {};
  expect(fieldsOf(schema, false).map(({ name }) => name)).toContain("answer");
  const inner = {
    properties: { a: { type: "array", items: { type: "object", properties: { b: { type: "null" } } } } },
  };
  expect(fieldsOf(inner, true).map(({ name }) => name)).toEqual(["a", "a[].b"]);
});

test("an example calls the operation as it is declared, and the shell reads it as it is meant", async () => {
  const origin = "http://nas:7373";
  expect(curlExample(operation("getLiveness"), origin)).toBe("curl http://nas:7373/health/live");
  expect(curlExample(operation("deleteDocument"), origin)).toStartWith(
    "curl -X DELETE http://nas:7373/api/document/ID",
  );
  expect(curlExample(operation("searchPartitions"), origin)).toContain(
    "'http://nas:7373/api/partition/search?searchValue=",
  );
  expect(curlExample(operation("ingestBatch"), origin)).toContain("--data-binary @records.ndjson");
  expect(acceptsFile(api, operation("ingestDocument"))).toBe(true);
  expect(acceptsFile(api, operation("askQuestion"))).toBe(false);
  // Every example, with a program in place of curl that prints what it was given.
  for (const each of api.operations.values()) {
    const shell = Bun.spawn(["sh", "-c", `curl() { printf '%s\\0' "$@"; }; KEY=k; ${curlExample(each, origin)}`], {
      stdout: "pipe",
    });
    const given = (await new Response(shell.stdout).text()).split("\0");
    const sent = each.requestBody?.content["application/json"]?.example;
    if (sent !== undefined) expect(JSON.parse(given[given.indexOf("-d") + 1] ?? "")).toEqual(sent);
    expect(given.some((argument) => argument.startsWith(`${origin}/`))).toBe(true);
  }
});

test("the codes of errors are read from the answers", () => {
  expect(codesIn("`no_source`: Nothing to ingest. `overloaded`: Too busy.")).toEqual([
    { code: "no_source", title: "Nothing to ingest" },
    { code: "overloaded", title: "Too busy" },
  ]);
  for (const { responses, operationId } of api.operations.values()) {
    const codes = Object.values(responses).flatMap(({ description }) => codesIn(description));
    expect(codes.length, operationId).toBeGreaterThan(0);
  }
});

test("the words that were found are marked where they stand", () => {
  expect(passageOf("Make a Backup of it", ["backup"])).toEqual([
    { text: "Make a ", isMarked: false },
    { text: "Backup", isMarked: true },
    { text: " of it", isMarked: false },
  ]);
  const long = `${"word ".repeat(60)}backup ${"word ".repeat(60)}`;
  const shown = passageOf(long, ["backup"]);
  expect(shown.find(({ isMarked }) => isMarked)?.text).toBe("backup");
  expect(shown.map(({ text }) => text).join("").length).toBeLessThan(160);
  expect(passageOf("text", []).map(({ text }) => text)).toEqual(["text"]);
});
