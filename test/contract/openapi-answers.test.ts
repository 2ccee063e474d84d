import { afterAll, expect, test } from "bun:test";
import { expectOk, nobody } from "./expectations.ts";
import { type Answer, type Carrel, serveCarrel } from "./serve-carrel.ts";

/** What is really answered fits what /openapi.full.json says of it: every field documented, every documented field there. */

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

interface OpenApi {
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

const carrel = await serveCarrel();
const openapi: OpenApi = expectOk(await carrel.call("GET", "/openapi.full.json", { key: null }));
afterAll(() => carrel.stop());

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "integer" : typeof value;

/** The schema itself, where another one's name stands. */
const named = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (openapi.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});

/** Where and how a value differs from a schema of the kinds this document uses. */
const faults = (schema: Schema, value: unknown, at: string): string[] => {
  const { anyOf, items, properties, required = [] } = named(schema);
  if (schema.$ref !== undefined) return faults(named(schema), value, at);
  if (anyOf !== undefined)
    return anyOf.some((one) => faults(one, value, at).length === 0) ? [] : [`${at}: none of its alternatives`];
  if (schema.const !== undefined && value !== schema.const) return [`${at}: not ${String(schema.const)}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: not one of ${schema.enum.join()}`];
  const type = typeOf(value);
  if (schema.type !== undefined && schema.type !== type && !(schema.type === "number" && type === "integer"))
    return [`${at}: ${type} for ${schema.type}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => (items ? faults(items, item, `${at}[${index}]`) : []));
  if (properties === undefined || typeof value !== "object" || value === null) return [];
  const fields = value as Record<string, unknown>;
  return [
    ...required.filter((name) => !Object.hasOwn(fields, name)).map((name) => `${at}.${name}: missing`),
    ...Object.entries(fields).flatMap(([name, inner]) => {
      const property = properties[name];
      if (property !== undefined) return faults(property, inner, `${at}.${name}`);
      return Object.keys(properties).length === 0 ? [] : [`${at}.${name}: not documented`];
    }),
  ];
};

const expectDocumented = (method: string, path: string, answer: Answer): void => {
  const response = openapi.paths[path]?.[method.toLowerCase()]?.responses[String(answer.status)];
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  const schema = response?.content?.[type]?.schema;
  expect(schema, `${method} ${path} ${answer.status} ${type} is documented`).toBeDefined();
  expect(faults(schema ?? {}, answer.body, "answer"), `${method} ${path} ${answer.status}`).toEqual([]);
};

test("answers and problems fit their schemas, for whoever asks", async () => {
  const seen = new Set<string>();
  const ask = async (method: string, path: string, options: Parameters<Carrel["call"]>[2] = {}, ids = {}) => {
    const filled = Object.entries<string>(ids).reduce((whole, [name, id]) => whole.replace(`{${name}}`, id), path);
    const answer = await carrel.call(method, filled, options);
    expectDocumented(method, path.split("?")[0] ?? "", answer);
    seen.add(`${method} ${path.split("?")[0]}`);
    return answer.body;
  };

  const ingest = { name: "Hours", text: "In winter the museum opens at nine.", metadata: { a: 1 }, partition: "P" };
  const document = await ask("POST", "/api/ingest", { json: ingest });
  await ask("POST", "/api/ingest", { json: { ...ingest, async: true } });
  await ask("POST", "/api/ingest", { json: {} });
  await ask("POST", "/api/scanPageContent", { json: { url: "http://127.0.0.1:1/" } });
  await ask("POST", "/api/scanSitemap", { json: { rootDomain: "http://127.0.0.1:1/" } });
  const id = { id: document.id };
  await ask("GET", "/api/document");
  await ask("GET", "/api/document/{id}/snippets", {}, id);
  for (const path of ["/api/document/{id}", "/document/{id}"]) {
    await ask("GET", path, {}, id);
    await ask("PUT", path, { json: { name: "Renamed" } }, id);
    await ask("PUT", path, { json: { name: 5 } }, id);
    await ask("GET", path, {}, { id: nobody });
    await ask("DELETE", path, {}, { id: nobody });
    await ask("POST", `${path}/retry`, {}, id);
    await ask("POST", `${path}/cancel`, {}, id);
  }
  for (const path of ["/api/query", "/api/search"]) {
    await ask("POST", path, { json: { query: "When does the museum open?" } });
    await ask("POST", path, { json: { query: "unladen swallow airspeed" } });
    await ask("POST", path, { json: { query: "q", documentId: nobody } });
  }

  const { receipt } = await ask("POST", "/api/query", { json: { query: "When does the museum open?" } });
  await ask("GET", "/api/receipt/{id}", {}, { id: receipt.id });
  await ask("GET", "/api/receipt/{id}", {}, { id: nobody });
  const given = await ask("POST", "/api/feedback", {
    json: { receiptId: receipt.id, rating: "down", reason: "wrong" },
  });
  await ask("POST", "/api/feedback", { json: { rating: "better" } });
  await ask("GET", "/api/feedback");
  await ask("DELETE", "/api/feedback/{id}", {}, { id: given.id });
  await ask("POST", "/api/ingest/file", { json: { text: "A path of its own.", name: "Other path" } });

  const messages = [{ role: "user", content: "When does the museum open?" }];
  await ask("GET", "/v1/models");
  await ask("GET", "/v1/models/{id}", {}, { id: "carrel" });
  await ask("GET", "/v1/models/{id}", {}, { id: "gpt-4o" });
  for (const model of ["carrel", "gpt-4o"]) {
    await ask("POST", "/v1/chat/completions", { json: { model, messages } });
    await ask("POST", "/v1/responses", { json: { model, input: messages } });
  }

  const chat = { id: (await ask("POST", "/api/chat", { json: { public: true, brandSettings: { a: 1 } } })).id };
  await ask("GET", "/api/chat");
  for (const method of ["PUT", "POST"]) await ask(method, "/api/chat/{id}", { json: { title: "T" } }, chat);
  for (const path of ["message", "public", "private"]) {
    for (const key of [carrel.admin, null])
      await ask("POST", `/api/chat/{id}/${path}`, { key, json: { message: "When does the museum open?" } }, chat);
    await ask("POST", `/api/chat/{id}/${path}`, { json: {} }, chat);
  }
  for (const key of [carrel.admin, null]) await ask("GET", "/api/chat/{id}", { key }, chat);
  await ask("DELETE", "/api/chat/{id}", {}, chat);
  await ask("DELETE", "/chat/{id}", {}, chat);

  const partition = { id: document.partitionId };
  await ask("POST", "/api/partition", { json: { name: "Q" } });
  await ask("GET", "/api/partition");
  await ask("GET", "/api/partition/search?searchValue=q");
  await ask("GET", "/api/partition/{id}", {}, partition);
  await ask("PUT", "/api/partition/{id}", { json: { name: "Q" } }, partition);
  await ask("PUT", "/api/partition/{id}", { json: { name: "R" } }, partition);
  await ask("DELETE", "/api/partition/{id}", {}, partition);
  await ask("DELETE", "/api/partition/{id}?documents=detach", {}, partition);
  const key = await ask("POST", "/api/key", { json: { name: "K" } });
  await ask("GET", "/api/key");
  await ask("GET", "/api/key", { key: key.key });
  await ask("DELETE", "/api/key/{id}", {}, { id: key.id });
  await ask("POST", "/api/session", { json: { key: carrel.admin } });
  await ask("POST", "/api/session", { json: { key: "crl_unknown" } });
  await ask("GET", "/api/session");
  await ask("DELETE", "/api/session");
  for (const path of [
    "/health/live",
    "/health/ready",
    "/api/embedder",
    "/api/audit",
    "/openapi.json",
    "/openapi.full.json",
  ])
    await ask("GET", path);
  for (const path of [
    "/api/settings",
    "/api/settings/storage",
    "/api/settings/answer-model",
    "/api/backup",
    "/api/doctor",
  ])
    await ask("GET", path);
  const handedOver = {
    kind: "partition",
    record: { id: Bun.randomUUIDv7(), name: "Handed over", createdAt: "2026-01-01T00:00:00.000Z" },
  };
  await ask("POST", "/api/import", {
    body: `${JSON.stringify(handedOver)}\n`,
    headers: { "content-type": "application/x-ndjson" },
  });
  for (const part of ["parser", "reranker"]) await ask("POST", "/api/settings/try", { json: { part } });
  await ask("DELETE", "/api/document/{id}", {}, id);

  const documented = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => responses["200"]?.content?.["application/json"] !== undefined)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const unseen = documented.filter((operation) => !seen.has(operation) && !operation.includes("/api/webhook"));
  expect(unseen).toEqual([]);
});

test("answers that are no JSON are documented: streams, text, files, batches", async () => {
  const { body: document } = await carrel.call("POST", "/api/ingest", {
    json: { name: "S", text: "It opens at nine." },
  });
  const { body: chat } = await carrel.call("POST", "/api/chat", { json: {} });
  const form = new FormData();
  form.set("file", new File(["The museum opens at nine."], "hours.txt", { type: "text/plain" }));
  const { body: file } = await carrel.call("POST", "/api/ingest", { body: form });
  const documented = (method: string, path: string): string[] =>
    Object.keys(openapi.paths[path]?.[method.toLowerCase()]?.responses["200"]?.content ?? {});
  const typeOfAnswer = async (method: string, path: string, options: Parameters<Carrel["call"]>[2] = {}) => {
    const answer = await carrel.call(method, path, options);
    expect(answer.status, `${method} ${path}`).toBe(200);
    return answer.headers.get("content-type")?.split(";")[0] ?? "";
  };

  const stream = { json: { query: "When?", message: "When?", stream: true } };
  for (const path of [
    "/api/query",
    "/api/search",
    ...["message", "private", "public"].map((w) => `/api/chat/{id}/${w}`),
  ])
    expect(documented("POST", path)).toContain(await typeOfAnswer("POST", path.replace("{id}", chat.id), stream));
  for (const part of ["text", "events"])
    expect(documented("GET", `/api/document/{id}/${part}`)).toEqual([
      await typeOfAnswer("GET", `/api/document/${document.id}/${part}`),
    ]);
  expect(await typeOfAnswer("GET", `/api/document/${file.id}/file`)).toBe("text/plain");
  expect(documented("GET", "/api/document/{id}/file")).toEqual(["*/*"]);
  expect(documented("POST", "/api/ingest/batch")).toEqual([
    await typeOfAnswer("POST", "/api/ingest/batch", { body: '{"name": "n", "text": "t"}\n' }),
  ]);
  expect(Object.keys(openapi.paths["/health/ready"]?.get?.responses["503"]?.content ?? {})).toEqual([
    "application/json",
    "application/problem+json",
  ]);
});

test("a field is documented as one that may be null exactly where it may", async () => {
  const ask: Record<string, object> = {
    "/api/query": { query: "When?" },
    "/api/chat": {},
    "/api/ingest": { name: "N", text: "A text." },
    "/api/key": { name: "K" },
    "/api/partition": { name: "P" },
  };
  for (const [path, sent] of Object.entries(ask)) {
    const { schema } = openapi.paths[path]?.post?.requestBody?.content["application/json"] ?? { schema: {} };
    const fields = Object.entries(named(schema).properties ?? {});
    expect(fields.length).toBeGreaterThan(0);
    for (const [name, { type, anyOf = [] }] of fields) {
      const { status } = await carrel.call("POST", path, { json: { ...sent, [name]: null } });
      const mayBeNull = [type].flat().includes("null") || anyOf.some((one) => one.type === "null");
      // An ingest of text needs both: without them it is refused whatever their types.
      if (path !== "/api/ingest" || !["name", "text"].includes(name))
        expect([path, name, status]).toEqual([path, name, mayBeNull ? 200 : 400]);
    }
  }
});
