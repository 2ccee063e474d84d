import { describe, expect, test } from "bun:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import { type TSchema, Type } from "@sinclair/typebox";
import packageDescription from "../../../package.json" with { type: "json" };
import { openApiText } from "../../../src/commands/openapi.ts";
import { errorTable } from "../../../src/domain/errors.ts";
import { createApiReference } from "../../../src/http/docs/api-reference.ts";
import { errorEntries, errorsMarkdown } from "../../../src/http/docs/error-page.ts";
import { createRequestHandler } from "../../../src/http/handler.ts";
import { pathsOf } from "../../../src/http/path-lookup.ts";
import { createValidator } from "../../../src/http/schema/validate.ts";
import { declaredEndpoints } from "../../../src/program/app.ts";
import { apiMarkdown } from "../../../tools/write-docs.ts";
import { startApp } from "../start-app.ts";

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<
    string,
    {
      description: string;
      headers?: object;
      links?: object;
      content?: Record<string, { schema: object; example?: unknown }>;
    }
  >;
}

const app = await startApp();
const endpoints = declaredEndpoints();
const handle = createRequestHandler(endpoints, app.deps, [createApiReference(endpoints, "0.0.0-test", "")]);

interface OpenApi {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { oneOf?: { title: string }[] }> };
}

const get = (path: string) =>
  handle(new Request(`http://nas${path}`, { headers: { host: "nas" } }), {
    peer: "127.0.0.1",
    operator: null,
    keepOpen: () => {},
  });

const text = await (await get("/openapi.json")).text();
const lean = JSON.parse(text) as OpenApi;
const openapi = (await (await get("/openapi.full.json")).json()) as OpenApi;

describe("/openapi.full.json", () => {
  test("is valid OpenAPI 3.1", async () => {
    expect(openapi.openapi).toBe("3.1.0");
    await SwaggerParser.validate(structuredClone(openapi) as never);
  });

  test("describes every route under every path", () => {
    for (const endpoint of endpoints) {
      for (const path of pathsOf(endpoint).filter((one) => !one.endsWith("*"))) {
        const shown = path.replace(/:(\w+)/g, "{$1}");
        const operation = openapi.paths[shown]?.[endpoint.method.toLowerCase()];
        expect(operation?.summary, `${endpoint.method} ${path}`).toBe(endpoint.summary);
      }
    }
    expect(Object.keys(openapi.paths)).toContainValues([
      "/docs",
      "/openapi.json",
      "/openapi.full.json",
      "/",
      "/docs/errors",
    ]);
  });

  test("with request, answer, errors and example each", () => {
    const ids = new Set<string>();
    const tags = openapi.tags.map(({ name }) => name);
    for (const [path, methods] of Object.entries(openapi.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const name = `${method} ${path}`;
        expect(ids.has(operation.operationId), `${name}: operationId of its own`).toBe(false);
        ids.add(operation.operationId);
        for (const tag of operation.tags) expect(tags, name).toContain(tag);
        const codes = Object.keys(operation.responses);
        expect(
          codes.some((code) => code.startsWith("2")),
          `${name}: an answer`,
        ).toBe(true);
        expect(
          codes.some((code) => code >= "400"),
          `${name}: errors`,
        ).toBe(true);
        for (const [code, { description, content = {} }] of Object.entries(operation.responses)) {
          expect(description.length, `${name} ${code}: description`).toBeGreaterThan(0);
          const json = content["application/json"];
          if (json && code.startsWith("2") && !path.startsWith("/openapi."))
            expect(json.example, `${name} ${code}: example`).toBeDefined();
        }
        const body = operation.requestBody?.content ?? {};
        if (body["application/json"]) {
          expect(body["application/json"].example, `${name}: example body`).toBeDefined();
          expect(Object.keys(body)).toEqual([
            "application/json",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
          ]);
        }
      }
    }
  });

  test("with no empty group", () => {
    const used = new Set(
      Object.values(openapi.paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)),
    );
    expect(openapi.tags.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
  });

  test("whose examples fit their schemas", () => {
    for (const { method, path, body, example, responses } of endpoints) {
      const name = `${method} ${path}`;
      if (body && example?.request !== undefined)
        expect(() => createValidator(body)(example.request), name).not.toThrow();
      const answer = responses[200];
      if (answer && !("mediaType" in answer) && example) {
        const { check } = wrapped(answer);
        expect(() => check(example.response), name).not.toThrow();
      }
    }
  });

  test("and nothing of our own validation's inside", () => {
    for (const rule of ["x-blank", "x-unclean", "x-or-text", "x-one-of", "x-not-both", "$id"])
      expect(JSON.stringify(openapi)).not.toContain(`"${rule}"`);
  });

  test("names the records and bodies, and refers to them", () => {
    const { schemas } = openapi.components;
    const names = ["Document", "Chat", "Message", "Answer", "Partition", "Key", "Snippet", "SourceDocument", "Receipt"];
    expect(Object.keys(schemas)).toEqual(expect.arrayContaining([...names, "Problem", "ErrorCode", "IngestRequest"]));
    expect(schemas.Answer).toMatchObject({
      properties: {
        relevantDocuments: { items: { $ref: "#/components/schemas/Document" } },
        relevantSnippets: { items: { $ref: "#/components/schemas/Snippet" } },
        receipt: { $ref: "#/components/schemas/Receipt" },
      },
    });
    const list = openapi.paths["/api/document"]?.get?.responses["200"]?.content?.["application/json"]?.schema;
    expect(list).toEqual({ type: "array", items: { $ref: "#/components/schemas/Document" } });
    // Every name that is referred to is there, and every schema is referred to.
    const referred = [...JSON.stringify(openapi).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect([...new Set(referred)].sort()).toEqual(Object.keys(schemas).sort());
  });

  test("has the headers that matter as parameters, and those of the answers", () => {
    const headersOf = (path: string, method: string) =>
      openapi.paths[path]?.[method]?.parameters.filter((one) => one.in === "header").map(({ name }) => name);
    expect(headersOf("/api/ingest", "post")).toEqual(["Idempotency-Key", "Prefer", "X-Request-Id"]);
    for (const [path, method] of [
      ["/api/chat/{id}", "get"],
      ["/api/chat/{id}/message", "post"],
      ["/api/chat/{id}/public", "post"],
    ] as const)
      expect(headersOf(path, method)).toContain("X-Visitor-Token");
    const answered = openapi.paths["/api/document"]?.get?.responses;
    expect(Object.keys(answered?.["200"]?.headers ?? {})).toEqual(["X-Request-Id", "X-Total-Count"]);
    expect(Object.keys(answered?.["401"]?.headers ?? {})).toContain("WWW-Authenticate");
    expect(Object.keys(answered?.["503"]?.headers ?? {})).toContain("Retry-After");
  });

  test("says that an ingest has exactly one source, in each encoding", () => {
    const { IngestRequest, IngestRequestForm, IngestRequestMultipart } = openapi.components.schemas;
    const sources = (schema: { oneOf?: { title: string }[] } | undefined) => schema?.oneOf?.map(({ title }) => title);
    expect(sources(IngestRequest)).toEqual(["text", "url", "websiteUrl"]);
    expect(sources(IngestRequestForm)).toEqual(["text", "url", "websiteUrl"]);
    expect(sources(IngestRequestMultipart)).toEqual(["text", "url", "websiteUrl", "file"]);
  });

  test("has operation ids that are made of letters", () => {
    const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));
    for (const { operationId } of operations) expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
    expect(openapi.paths["/api/document/{id}"]?.get?.operationId).toBe("getDocument");
    expect(openapi.paths["/document/{id}"]?.get?.operationId).toBe("getDocumentAlias");
    // What a link leads to is there.
    const ids = new Set(operations.map(({ operationId }) => operationId));
    for (const { responses } of operations)
      for (const { links = {} } of Object.values(responses))
        for (const name of Object.keys(links)) expect(ids.has(name), name).toBe(true);
  });
});

describe("/openapi.json", () => {
  const operations = () => Object.values(lean.paths).flatMap((methods) => Object.values(methods));

  test("is openapi.json as `bun tools/write-openapi.ts` writes it: short, and valid OpenAPI 3.1", async () => {
    const file = Bun.file(new URL("../../../openapi.json", import.meta.url));
    const written = await file.json();
    expect(written.info.version).toBe(packageDescription.version);
    expect({ ...written, info: null }).toEqual({ ...lean, info: null });
    expect(await file.text()).toBe(openApiText());
    expect(text.length).toBeLessThan(220_000);
    await SwaggerParser.validate(structuredClone(lean) as never);
  });

  test("has all operations, each with one body and one answer for a status", () => {
    const ids = operations().map(({ operationId }) => operationId);
    for (const { operationId } of endpoints) expect(ids).toContain(operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { requestBody, responses } of operations()) {
      if (requestBody) expect(Object.keys(requestBody.content)).toHaveLength(1);
      for (const { content = {} } of Object.values(responses))
        expect(Object.keys(content).length).toBeLessThanOrEqual(1);
    }
    const files = lean.paths["/api/ingest/file"]?.post;
    expect(Object.keys(files?.requestBody?.content ?? {})).toEqual(["multipart/form-data"]);
  });

  test("has no keyword that generators stumble over", () => {
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        const at = `${path}.${key}`;
        const isName = /\.(?:properties|schemas|paths|responses|headers)$/.test(path);
        if (!isName) expect(["not", "default", "dependentSchemas", "propertyNames"], at).not.toContain(key);
        if (inner === false) expect(key, at).toBe("required");
        if (key === "enum") expect(inner, at).not.toContain(null);
        if (path.endsWith(".properties")) expect(inner, at).not.toHaveProperty("type", "null");
        if (path.includes(".parameters")) expect(key, at).not.toBe("content");
        if (key === "application/x-ndjson") expect(inner, at).toHaveProperty("schema.format", "binary");
        expect(key, at).not.toBe("*/*");
        visit(inner, at);
      }
    };
    visit(lean, "");
    const { IngestRequestMultipart: form, Setting: setting, Deleted: deleted } = lean.components.schemas;
    expect(deleted).toHaveProperty("properties.deleted", { description: "Always true.", type: "boolean" });
    // An object in a form is JSON text; what may be a number or a text in an answer stays both.
    expect(form).toHaveProperty("properties.metadata.type", "string");
    expect(setting).toHaveProperty("properties.value.anyOf", expect.arrayContaining([{ type: "string" }]));
  });
});

/** The validator checks objects: an answer that is a list is put into one. */
const wrapped = (schema: TSchema) => {
  const validate = createValidator(Type.Object({ answer: schema }));
  return { check: (value: unknown) => validate({ answer: value }) };
};

describe("errors", () => {
  test("each code has its place on the page that `type` points to", async () => {
    const page = await (await get("/docs/errors")).text();
    for (const code of Object.keys(errorTable)) expect(page).toContain(`<dt id="${code}">`);
    expect(errorEntries).toHaveLength(Object.keys(errorTable).length);
  });
});

test("docs/errors.md and docs/api.md are as `bun tools/write-docs.ts` writes them", async () => {
  const page = (name: string) => Bun.file(new URL(`../../../docs/${name}`, import.meta.url)).text();
  expect(await page("errors.md")).toBe(errorsMarkdown());
  expect(await page("api.md")).toBe(await apiMarkdown());
});
