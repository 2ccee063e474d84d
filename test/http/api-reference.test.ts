import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import { type TSchema, Type } from "@sinclair/typebox";
import { errorTable } from "../../src/errors.ts";
import { createApiReference } from "../../src/http/api-reference.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { errorEntries } from "../../src/http/error-notes.ts";
import { errorsMarkdown } from "../../src/http/error-page.ts";
import { createRequestHandler, type RequestHandler } from "../../src/http/handler.ts";
import { pathsOf } from "../../src/http/path-lookup.ts";
import { createValidator } from "../../src/http/validate.ts";
import { declaredEndpoints } from "../../tools/operations-markdown.ts";
import { apiMarkdown } from "../../tools/write-docs.ts";
import { startApp } from "./start-app.ts";

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: object; example?: unknown }> }>;
}

let app: Awaited<ReturnType<typeof startApp>>;
let handle: RequestHandler;
let endpoints: Endpoint[];
let openapi: { openapi: string; tags: { name: string }[]; paths: Record<string, Record<string, Operation>> };

const get = (path: string) =>
  handle(new Request(`http://nas${path}`, { headers: { host: "nas" } }), {
    peer: "127.0.0.1",
    operator: null,
    keepOpen: () => {},
  });

beforeAll(async () => {
  app = await startApp();
  endpoints = declaredEndpoints();
  handle = createRequestHandler(endpoints, app.deps, await createApiReference("0.0.0-test"));
  openapi = (await (await get("/openapi.json")).json()) as typeof openapi;
});
afterAll(() => app.stop());

describe("/openapi.json", () => {
  test("is valid OpenAPI 3.1", async () => {
    expect(openapi.openapi).toBe("3.1.0");
    await SwaggerParser.validate(structuredClone(openapi) as never);
  });

  test("describes every route under every path", () => {
    for (const endpoint of endpoints) {
      for (const path of pathsOf(endpoint)) {
        const shown = path.replace(/:(\w+)/g, "{$1}");
        const operation = openapi.paths[shown]?.[endpoint.method.toLowerCase()];
        expect(operation?.summary, `${endpoint.method} ${path}`).toBe(endpoint.summary);
      }
    }
    expect(Object.keys(openapi.paths)).toContainValues(["/docs", "/openapi.json", "/", "/docs/errors"]);
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
          if (json && code.startsWith("2") && path !== "/openapi.json")
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
    expect(JSON.stringify(openapi)).not.toContain("x-unclean");
  });
});

/** The validator checks objects: an answer that is a list is put into one. */
const wrapped = (schema: TSchema) => {
  const validate = createValidator(Type.Object({ answer: schema }));
  return { check: (value: unknown) => validate({ answer: value }) };
};

describe("/docs", () => {
  test("loads one script, from this server, and names no other host", async () => {
    const response = await get("/docs");
    const page = await response.text();
    const scripts = [...page.matchAll(/<script[^>]*\ssrc="([^"]*)"/g)].map(([, source = ""]) => source);
    expect(scripts).toEqual([expect.stringMatching(/^\/docs\/reference-[0-9a-f]{16}\.js$/)]);
    expect(page).not.toMatch(/https?:\/\/|\/\/[a-z]/i);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    const script = await get(scripts[0] ?? "");
    expect(script.headers.get("content-type")).toStartWith("text/javascript");
    expect(script.headers.get("cache-control")).toContain("immutable");
    expect((await script.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000);
  });

  test("shows this server's own description", async () => {
    expect(await (await get("/docs")).text()).toContain('data-url="/openapi.json"');
  });
});

describe("errors", () => {
  test("each code has its place on the page that `type` points to", async () => {
    const page = await (await get("/docs/errors")).text();
    for (const code of Object.keys(errorTable)) expect(page).toContain(`<dt id="${code}">`);
    expect(errorEntries).toHaveLength(Object.keys(errorTable).length);
  });
});

test("docs/errors.md and docs/api.md are as `bun tools/write-docs.ts` writes them", async () => {
  const page = (name: string) => Bun.file(new URL(`../../docs/${name}`, import.meta.url)).text();
  expect(await page("errors.md")).toBe(errorsMarkdown());
  expect(await page("api.md")).toBe(await apiMarkdown());
});

test("`/` says what this is and where to go on", async () => {
  const response = await get("/");
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const page = await response.text();
  expect(page).toContain('href="/docs"');
  expect(page).toContain("curl http://nas/api/ingest");
});
