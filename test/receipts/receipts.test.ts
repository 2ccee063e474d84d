import { describe, expect, test } from "bun:test";
import { startTestServer } from "../start-server.ts";
import { eventually } from "../until.ts";

const question = "When does the reading room open in winter?";

const server = await startTestServer({}, { eraseWithinMs: 1_000 });
const reader = await server.issueKey({ role: "reader" });
const foreign = await server.issueKey({ role: "admin", organization: "other" });

const ingest = async (text: string, name: string): Promise<string> =>
  (await server.ask("POST", "/api/ingest", { json: { text, name } })).body.id;
const receiptOf = (id: string, key = reader) => server.ask("GET", `/api/receipt/${id}`, { key });
const feedback = (json: object, key: string | null = reader, headers = {}) =>
  server.ask("POST", "/api/feedback", { key, json, headers });
const listed = async (query = "") => (await server.ask("GET", `/api/feedback${query}`)).body;

describe("a receipt", () => {
  test("tells how an answer came about, at once and after a restart's worth of writes", async () => {
    const documentId = await ingest("In winter the reading room opens at nine.", "House rules");
    const { body, headers } = await server.ask("POST", "/api/query", {
      key: reader,
      json: { query: `Hello! ${question}` },
    });
    const { id } = body.receipt;
    expect(headers.get("x-carrel-receipt")).toBe(id);
    const kept = await receiptOf(id);
    expect([kept.status, kept.body]).toMatchObject([
      200,
      {
        id,
        question: `Hello! ${question}`,
        asked: { kind: "question", question },
        scope: { documentId: null, partitionId: null },
        kept: [{ mark: 1, documentId, score: expect.any(Number) }],
        dropped: body.receipt.dropped,
        prompt: null,
        answer: body.answer,
        model: { provider: "builtin" },
        tokens: { prompt: expect.any(Number), output: null },
        timings: body.receipt.timings,
      },
    ]);
    const [text, vectors] = kept.body.legs;
    expect(text).toMatchObject({ leg: "text", hits: [{ documentId, score: expect.any(Number) }] });
    expect(vectors).toMatchObject({ leg: "vectors", hits: [{ documentId, score: expect.any(Number) }] });
    // Once it is written it reads the same.
    await eventually(async () => expect(await storedIds()).toContain(id));
    expect((await receiptOf(id)).body).toEqual(kept.body);
    for (const path of [id, "x", "0197a1c2-7d02-7c44-9a0e-1f6b52d0c3aa"]) {
      const { status, body: problem } = await receiptOf(path, foreign);
      expect([status, problem.code]).toEqual([404, "receipt_not_found"]);
    }
  });

  const storedIds = async (): Promise<string[]> => {
    const { connect } = await import("@lancedb/lancedb");
    const table = await (await connect(`${server.dataDir}/tables`)).openTable("receipts");
    const rows = await table.query().select(["id"]).toArray();
    table.close();
    return rows.map(({ id }) => id);
  };

  test("keeps a warning without what a model's server said", async () => {
    const reranker = { provider: "openai" as const, model: "none", baseUrl: "http://127.0.0.1:9/v1" };
    const failing = await startTestServer({}, { configure: ({ models }) => Object.assign(models.reranker, reranker) });
    for (const season of ["winter", "summer"])
      await failing.post("/api/ingest", { name: season, text: `In ${season} the reading room opens at nine.` });
    const key = await failing.issueKey({ role: "reader" });
    const { body, headers } = await failing.ask("POST", "/api/query", { key, json: { query: question } });
    const said = "The snippets were not reranked, because the reranking model failed.";
    const inLog = `The server's log holds the reason under the request id ${headers.get("x-request-id")}.`;
    expect(body.receipt.warnings).toEqual([`${said} ${inLog}`]);
    const { body: kept } = await failing.ask("GET", `/api/receipt/${body.receipt.id}`, { key });
    expect(kept.warnings).toEqual([said]);
  });

  test("goes with a document that it is made from", async () => {
    const documentId = await ingest("The zeppelin is moored at the old mast.", "Zeppelin");
    const { body } = await server.ask("POST", "/api/query", { json: { query: "Where is the zeppelin moored?" } });
    const { id } = body.receipt;
    await eventually(async () => expect(await storedIds()).toContain(id));
    await server.ask("DELETE", `/api/document/${documentId}`);
    expect((await receiptOf(id)).status).toBe(404);
    // Its row leaves the store within the promised minute.
    await eventually(async () => expect(await storedIds()).not.toContain(id));
  });

  test("is named to a visitor, and not shown", async () => {
    const chat = (await server.ask("POST", "/api/chat", { json: { public: true } })).body.id;
    const said = await server.ask("POST", `/api/chat/${chat}/message`, { key: null, json: { message: question } });
    const id = said.headers.get("x-carrel-receipt") ?? "";
    expect(said.body.receipt).toBeNull();
    expect((await server.ask("GET", `/api/receipt/${id}`, { key: null })).status).toBe(401);
    const kept = await receiptOf(id);
    expect(kept.body).toMatchObject({ chatId: chat, messageId: said.body.id });
    // Whoever reads the chat later knows the message alone.
    expect((await receiptOf(said.body.id)).body).toEqual(kept.body);
    expect((await receiptOf(said.body.id, foreign)).status).toBe(404);

    const headers = { "x-visitor-token": said.headers.get("x-visitor-token") ?? "" };
    const given = await feedback({ receiptId: id, rating: "up" }, null, headers);
    expect([given.status, given.body]).toMatchObject([200, { rating: "up", byVisitor: true, question: "" }]);
    const again = await feedback({ messageId: said.body.id, rating: "down", comment: "No." }, null, headers);
    expect(again.body).toMatchObject({ id: given.body.id, rating: "down" });
    expect((await feedback({ receiptId: id, rating: "up" }, null)).status).toBe(401);
    const other = await server.ask("POST", `/api/chat/${chat}/message`, { key: null, json: { message: question } });
    const strange = { "x-visitor-token": other.headers.get("x-visitor-token") ?? "" };
    for (const named of [{ receiptId: id }, { messageId: said.body.id }])
      expect((await feedback({ ...named, rating: "up" }, null, strange)).status).toBe(404);
    const mine = (await listed()).find((one: { id: string }) => one.id === given.body.id);
    expect(mine).toMatchObject({ rating: "down", comment: "No.", question, chatId: chat });

    const readBy = async (as: object, key: string | null = null) =>
      (await server.ask("GET", `/api/chat/${chat}`, { key, headers: { ...as } })).body.messages.map(
        ({ feedback: own }: { feedback?: object }) => own,
      );
    expect(await readBy(headers)).toEqual([undefined, again.body]);
    expect(await readBy(strange)).toEqual([undefined, undefined]);
    expect(await readBy({}, reader)).toEqual([undefined, undefined, undefined, undefined]);
    const takeBack = async (as: object, key: string | null = null) =>
      (await server.ask("DELETE", `/api/feedback/${given.body.id}`, { key, headers: { ...as } })).status;
    expect([await takeBack({}), await takeBack(strange), await takeBack({}, reader)]).toEqual([401, 404, 403]);
    expect([await takeBack(headers), await takeBack(headers)]).toEqual([200, 404]);
    expect(await readBy(headers)).toEqual([undefined, undefined]);
  });
});

describe("feedback", () => {
  test("is kept, listed, replaced and deleted", async () => {
    const documentId = await ingest("The ferry leaves at noon.", "Ferry");
    const { body } = await server.ask("POST", "/api/query", {
      key: reader,
      json: { query: "When does the ferry leave?" },
    });
    const receiptId = body.receipt.id;
    const expected = { documentId, text: "at noon" };
    const before = new Date(Date.now() - 1).toISOString();
    const { body: given } = await feedback({ receiptId, rating: "down", reason: "not_found", expected });
    expect(given).toMatchObject({ receiptId, rating: "down", reason: "not_found", comment: null, expected });
    const { body: again } = await feedback({ receiptId, rating: "up" });
    expect([again.id, again.reason, again.expected]).toEqual([given.id, null, { documentId: null, text: null }]);
    const ids = async (query: string) => (await listed(query)).map(({ id }: { id: string }) => id);
    expect(await ids(`?rating=up&since=${before}`)).toEqual([given.id]);
    expect(await ids("?rating=down")).not.toContain(given.id);
    expect((await server.ask("GET", "/api/feedback", { key: reader })).status).toBe(403);
    expect((await server.ask("GET", "/api/feedback", { key: foreign })).body).toEqual([]);
    const takeBack = (key: string) => server.ask("DELETE", `/api/feedback/${given.id}`, { key });
    const other = await server.issueKey({ role: "reader", userId: "another" });
    expect([(await takeBack(foreign)).status, (await takeBack(other)).status]).toEqual([404, 403]);
    // Readers what they said themselves, writers and admins what anybody said.
    expect((await takeBack(reader)).body).toEqual({ id: given.id, deleted: true });
    await feedback({ receiptId, rating: "down" });
    expect((await takeBack(server.key)).body).toEqual({ id: given.id, deleted: true });
    expect((await takeBack(server.key)).status).toBe(404);
  });

  test.each<[object, number, string]>([
    [{ rating: "up" }, 400, "invalid_request"],
    [{ rating: "up", receiptId: "x" }, 404, "receipt_not_found"],
    [{ rating: "up", messageId: "x" }, 404, "message_not_found"],
    [{ rating: "up", messageId: "x", receiptId: "x" }, 400, "invalid_request"],
    [{ rating: "better", receiptId: "x" }, 400, "invalid_request"],
    [{ rating: "down", receiptId: "x", reason: "because" }, 400, "invalid_request"],
    [{ rating: "down", receiptId: "x", comment: "a".repeat(2_001) }, 400, "invalid_request"],
    [{ rating: "down", receiptId: "x", expected: "this" }, 400, "invalid_request"],
  ])("%.80j is refused", async (json, status, code) => {
    const answer = await feedback(json);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("of a message whose receipt was not kept; of an unknown document it is refused", async () => {
    const bare = await startTestServer({ receipts: { keep: "0" } });
    const chat = (await bare.ask("POST", "/api/chat", { json: {} })).body.id;
    const { body } = await bare.ask("POST", `/api/chat/${chat}/message`, { json: { message: question } });
    expect(body.receipt.id).toBeString();
    expect((await bare.ask("GET", `/api/receipt/${body.receipt.id}`)).status).toBe(404);
    const said = { messageId: body.id, rating: "down" };
    const { body: given } = await bare.ask("POST", "/api/feedback", { json: said });
    expect(given).toMatchObject({ messageId: body.id, receiptId: null, question });
    const expected = { documentId: "0197a1c2-7d02-7c44-9a0e-1f6b52d0c3aa" };
    const { status, body: problem } = await bare.ask("POST", "/api/feedback", { json: { ...said, expected } });
    expect([status, problem.code]).toEqual([404, "document_not_found"]);
  });
});
