import { afterAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { answerSchema } from "../../src/answers/schema.ts";
import { type AnswerBody, call } from "./client.ts";
import { serveQuestions } from "./serve-questions.ts";

const houseRules = `# Opening hours

In summer the reading room opens at eight. In winter the reading room opens at nine.

# Coffee

Coffee is served in the garden house until five.`;

const server = await serveQuestions();
const key = await server.key({ role: "reader" });
const organizationId = await server.organization("default");
const {
  partition: { id: partitionId },
} = await server.store.partitions.upsert({ organizationId, partitionId: null }, "Kitchen");
const rules = await server.document(houseRules, { name: "House rules", metadata: { source: "handbook", year: 2024 } });
await server.document("Coffee costs two euros. Tea costs one.", {
  name: "Menu",
  partitionId,
  metadata: { source: "kitchen", year: 2026 },
});
afterAll(() => server.stop());

const query = (body: object, path = "/api/query") => call<AnswerBody>(`${server.url}${path}`, { key, body });

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
