import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { answerSchema } from "../../src/answers/schema.ts";
import type { DocumentRecord } from "../../src/domain/records.ts";
import { type AnswerBody, call, send } from "./client.ts";
import { serveQuestions, type TestServer } from "./serve-questions.ts";

const houseRules = `# Opening hours

In summer the reading room opens at eight. In winter the reading room opens at nine.

# Coffee

Coffee is served in the garden house until five.`;

let server: TestServer;
let key: string;
let rules: DocumentRecord;
let menu: DocumentRecord;
let partitionId: string;

beforeAll(async () => {
  server = await serveQuestions();
  key = await server.key({ role: "reader" });
  const organizationId = await server.organization("default");
  ({
    partition: { id: partitionId },
  } = await server.store.partitions.upsert({ organizationId, partitionId: null }, "Kitchen"));
  rules = await server.document(houseRules, { name: "House rules", metadata: { source: "handbook", year: 2024 } });
  menu = await server.document("Coffee costs two euros. Tea costs one.", {
    name: "Menu",
    partitionId,
    metadata: { source: "kitchen", year: 2026 },
  });
});
afterAll(() => server.stop());

const query = (body: object, path = "/api/query") => call<AnswerBody>(`${server.url}${path}`, { key, body });
const refused = async (body: object) => {
  const { status, body: problem } = await call(`${server.url}/api/query`, { key, body });
  const { code, detail, errors } = problem;
  return { status, code, detail, ...(errors ? { errors } : {}) };
};

describe("POST /api/query", () => {
  test("answers with marks, snippets, documents and a receipt", async () => {
    const { status, headers, body } = await query({ query: "When does the reading room open in winter?" });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toContain("application/json");
    expect([...Value.Errors(answerSchema, body)]).toEqual([]);
    expect(body.answer).toContain("opens at nine");
    expect(body.answer).toContain("[1]");
    const [snippet] = body.relevantSnippets;
    expect(snippet?.metadata).toMatchObject({
      documentUploadId: rules.id,
      headings: ["Opening hours"],
      page: null,
      _distance: 1,
    });
    expect(houseRules.slice(snippet?.metadata.start, snippet?.metadata.end)).toBe(snippet?.metadata.content ?? "");
    expect(body.relevantDocuments[0]).toMatchObject({
      id: rules.id,
      name: "House rules",
      status: "processed",
      originalText: null,
    });
    expect(body.receipt).toMatchObject({
      understood: "When does the reading room open in winter?",
      kept: body.relevantSnippets.length,
      dropped: [],
      model: { provider: "builtin", name: "quotes" },
      warnings: [],
    });
    expect(body.receipt.searched.documents).toBe(2);
    expect(body.receipt.context.used).toBeGreaterThan(0);
    expect(body.receipt.context.used).toBeLessThanOrEqual(body.receipt.context.limit ?? 0);
    expect(body.receipt.timings.totalMs).toBeGreaterThanOrEqual(body.receipt.timings.retrievalMs);
  });

  test("says that the documents do not hold it where nothing is relevant", async () => {
    const { status, body } = await query({ query: "zygomorphic xylophones?" });
    expect(status).toBe(200);
    expect(body.answer).toBe("The documents do not hold an answer to this question.");
    expect(body.relevantSnippets).toEqual([]);
    expect(body.relevantDocuments).toEqual([]);
    expect(body.receipt).toMatchObject({ kept: 0, context: { limit: null, used: 0 } });
  });

  test("returns as many snippets as asked for, as text or as number", async () => {
    for (const numberOfDocumentsInContext of ["1", 1, " 1 "]) {
      const { body } = await query({ query: "coffee", numberOfDocumentsInContext });
      expect(body.relevantSnippets).toHaveLength(1);
      expect(body.receipt.dropped).toEqual([{ reason: "over_limit", count: 1 }]);
    }
    expect((await query({ query: "coffee", numberOfDocumentsInContext: null })).status).toBe(200);
  });

  test("stays within a document, a partition, and both", async () => {
    const documentsOf = async (scope: object) => {
      const { body } = await query({ query: "coffee", ...scope });
      return body.relevantDocuments.map(({ id }) => id).sort();
    };
    expect(await documentsOf({})).toEqual([rules.id, menu.id].sort());
    expect(await documentsOf({ documentId: rules.id })).toEqual([rules.id]);
    expect(await documentsOf({ partitionId })).toEqual([menu.id]);
    expect(await documentsOf({ documentId: menu.id, partitionId })).toEqual([menu.id]);
  });

  test("filters by metadata, as object and as JSON text", async () => {
    for (const metadata of [
      { source: "kitchen" },
      '{"source": "kitchen"}',
      { year: { $gt: 2024 } },
      { source: { $ne: "handbook" } },
    ]) {
      const { body } = await query({ query: "coffee", metadata });
      expect(body.relevantDocuments.map(({ id }) => id)).toEqual([menu.id]);
    }
    expect((await query({ query: "coffee", metadata: {} })).body.relevantDocuments).toHaveLength(2);
  });

  test("fills originalText only on request", async () => {
    const { body } = await query({ query: "winter", documentId: rules.id }, "/api/query?include=originalText");
    expect(body.relevantDocuments[0]?.originalText).toBe(houseRules);
  });

  test("takes forms, and JSON sent as a form", async () => {
    for (const body of [
      "query=coffee&numberOfDocumentsInContext=1&answer=false",
      '{"query": "coffee", "numberOfDocumentsInContext": "1", "answer": false}',
    ]) {
      const response = await fetch(`${server.url}/api/query`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/x-www-form-urlencoded" },
        body,
      });
      const answer = (await response.json()) as AnswerBody;
      expect(answer.answer).toBeNull();
      expect(answer.relevantSnippets).toHaveLength(1);
    }
  });

  test("the built-in answerer says that it did not follow a prompt", async () => {
    const prompt = "Be brief. {contextText} {query}";
    const warnings = ["The built-in answerer quotes and cannot follow a prompt: the prompt was not used."];
    expect((await query({ query: "coffee", prompt })).body.receipt.warnings).toEqual(warnings);
    const { body } = await query({ query: "How heavy is a submarine?", prompt });
    expect(body.relevantSnippets).toEqual([]);
    expect(body.receipt.warnings).toEqual(warnings);
    expect((await query({ query: "coffee", prompt, answer: false })).body.receipt.warnings).toEqual([]);
  });

  test("warns of a document that is not processed yet", async () => {
    const pending = await server.document("Nothing yet.", { status: "pending" });
    const { body } = await query({ query: "coffee", documentId: pending.id });
    expect(body.receipt.warnings).toEqual(["The document asked about is pending: its text may not be searchable yet."]);
  });

  test("drops NUL and mends lone surrogates in the question", async () => {
    const response = await fetch(`${server.url}/api/query`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: '{"query": "cof\\u0000fee \\ud800"}',
    });
    expect(response.status).toBe(200);
    expect(((await response.json()) as AnswerBody).receipt.understood).toBe("coffee \ufffd");
  });
});

describe("without an answer", () => {
  test("/api/search and answer: false return the snippets alone", async () => {
    for (const { body } of [
      await query({ query: "coffee" }, "/api/search"),
      await query({ query: "coffee", answer: false }),
    ]) {
      expect(body.answer).toBeNull();
      expect(body.relevantSnippets).toHaveLength(2);
      expect(body.receipt).toMatchObject({ kept: 2, model: null, context: { limit: null, used: 0 } });
    }
  });
});

describe("refusals", () => {
  test.each([
    ["no question", {}],
    ["an empty question", { query: "" }],
    ["white space", { query: " \n\u00a0" }],
    ["only NUL", { query: "\0" }],
    ["too long a question", { query: "x".repeat(8_001) }],
    ["a number as question", { query: 5 }],
    ["no snippets", { query: "x", numberOfDocumentsInContext: 0 }],
    ["too many snippets", { query: "x", numberOfDocumentsInContext: "51" }],
    ["half a snippet", { query: "x", numberOfDocumentsInContext: 1.5 }],
    ["no number", { query: "x", numberOfDocumentsInContext: "six" }],
    ["too long a prompt", { query: "x", prompt: "x".repeat(32_001) }],
    ["a boolean as text", { query: "x", stream: "yes" }],
    ["an unknown operator", { query: "x", metadata: { year: { $near: 1 } } }],
    ["a list as filter", { query: "x", metadata: [] }],
    ["NUL in an id", { query: "x", documentId: "a\0b" }],
    ["a number as id", { query: "x", documentId: 5 }],
    ["an unknown document", { query: "x", documentId: "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23" }],
    ["an id of another form", { query: "x", documentId: "' OR 1=1 --" }],
    ["an empty id", { query: "x", documentId: "" }],
    ["an unknown partition", { query: "x", partitionId: "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23" }],
  ])("%s", async (_name, body) => {
    expect(await refused(body)).toMatchSnapshot();
  });

  test("a document outside the partition", async () => {
    expect(await refused({ query: "x", documentId: rules.id, partitionId })).toMatchSnapshot();
  });

  test("an unknown value of include", async () => {
    const { status, body } = await call(`${server.url}/api/query?include=everything`, { key, body: { query: "x" } });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: "include", message: "must be one of originalText" }]);
  });

  test("a question as long as is allowed is answered", async () => {
    expect((await query({ query: `coffee ${"é".repeat(7_993)}` })).status).toBe(200);
  });

  test("no key", async () => {
    const response = await send(`${server.url}/api/query`, { body: {} });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe("other organizations and limited keys", () => {
  test("see nothing of these documents", async () => {
    const foreign = await server.key({ organization: "other" });
    const asked = await call<AnswerBody>(`${server.url}/api/query`, { key: foreign, body: { query: "coffee" } });
    expect(asked.body.relevantSnippets).toEqual([]);
    expect(asked.body.receipt.searched.documents).toBe(0);
    for (const scope of [{ documentId: rules.id }, { partitionId }]) {
      const { status } = await call(`${server.url}/api/query`, { key: foreign, body: { query: "coffee", ...scope } });
      expect(status).toBe(404);
    }
  });

  test("a key limited to a partition searches that partition alone", async () => {
    const limited = await server.key({ partitionId });
    const { body } = await call<AnswerBody>(`${server.url}/api/query`, { key: limited, body: { query: "coffee" } });
    expect(body.relevantDocuments.map(({ id }) => id)).toEqual([menu.id]);
    expect(body.receipt.searched.documents).toBe(1);
    const outside = await call(`${server.url}/api/query`, { key: limited, body: { query: "x", documentId: rules.id } });
    expect(outside.status).toBe(404);
  });
});
