import { expect, test } from "bun:test";
import { formOf } from "../call-server.ts";
import { named } from "./documented.ts";
import { type Carrel, serveCarrel } from "./serve-carrel.ts";

/** What /openapi.full.json says of answers that are no JSON, and of null. Each JSON answer of these tests is checked by `call`. */

const carrel = await serveCarrel();
const { openapi } = carrel;

test("answers that are no JSON are documented: streams, text, files, batches", async () => {
  const { body: document } = await carrel.call("POST", "/api/ingest", {
    json: { name: "S", text: "It opens at nine." },
  });
  const { body: chat } = await carrel.call("POST", "/api/chat", { json: {} });
  const form = formOf({ file: new File(["The museum opens at nine."], "hours.txt", { type: "text/plain" }) });
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
    const fields = Object.entries(named(openapi, schema).properties ?? {});
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
