import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import type { ProblemDocument } from "../../src/http/problem.ts";
import { until } from "../until.ts";
import { type AnswerBody, call, joinDeltas, readEvents, send, withoutRequestId } from "./client.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { serveQuestions } from "./serve-questions.ts";

const model = createScriptedModel();
const server = await serveQuestions({ answerModel: model });
const key = await server.key();
await server.document("# Hours\n\nIn winter the reading room opens at nine.", { name: "House rules" });
for (let n = 1; n <= 8; n++) {
  const text = `Lamps of shelf ${n} ${"are lit and dusted by the keeper of the reading lamps every morning. ".repeat(11)}`;
  await server.document(text, { name: `Lamps ${n}` });
}
afterAll(() => server.stop());
beforeEach(() => {
  model.contextSize = 4096;
  model.prompts.splice(0);
  model.say({ steps: ["At nine ", "[1]."] });
});

const query = (body: object) => call<AnswerBody>(`${server.url}/api/query`, { key, body });
const today = new Date().toISOString().slice(0, 10);
/** What follows an answer that the snippets do not hold. */
const quoted = "\n\nFrom the documents:\n\nIn winter the reading room opens at nine. [1]";
const winter = { query: "When does the reading room open in winter?", numberOfDocumentsInContext: 1 };

describe("an answering model", () => {
  test("is shown the snippets and the question, and answers", async () => {
    model.say({ steps: ["At nine ", "[1]."], promptTokens: 123 });
    const { status, body } = await query(winter);
    expect(status).toBe(200);
    expect(body.answer).toBe("At nine [1].");
    expect(body.receipt).toMatchObject({
      model: { provider: "scripted", name: "parrot" },
      context: { limit: 4096, used: 123 },
      warnings: [],
    });
    expect(model.prompts[0]?.at(-1)?.content).toStartWith(
      `Sources:\n\n[1] House rules (added ${today})\n# Hours\n\nIn winter the reading room opens at nine.\n\nQuestion: When does the reading room open in winter?\n\n`,
    );
    expect(body.receipt.support).toBe("supported");
  });

  test("is given the caller's prompt instead of the default one", async () => {
    const { body } = await query({ ...winter, prompt: 'Return {"a": "{query}"} of $& {contextText}' });
    expect(model.prompts).toEqual([
      [
        {
          role: "user",
          content: `Return {"a": "When does the reading room open in winter?"} of $& [1] House rules (added ${today})\n# Hours\n\nIn winter the reading room opens at nine.`,
        },
      ],
    ]);
    expect(body.receipt.warnings).toEqual([]);
  });

  test("is sent the question as the user's message where the prompt has no {query}", async () => {
    const { body } = await query({ ...winter, prompt: "Be brief." });
    expect(model.prompts).toEqual([
      [
        { role: "system", content: "Be brief." },
        { role: "user", content: winter.query },
      ],
    ]);
    expect(body.relevantSnippets).toHaveLength(1);
    expect(body.receipt.warnings).toEqual(["The prompt has no {contextText}: the model was not shown the snippets."]);
  });

  test("does not expand placeholders that question or document bring along", async () => {
    await server.document("The xylophone manual says {query} and $& and {contextText}.", { name: "$` {query}" });
    await query({
      query: "xylophone {contextText} $1",
      numberOfDocumentsInContext: 1,
      prompt: "<{query}|{contextText}>",
    });
    expect(model.prompts[0]?.[0]?.content).toBe(
      `<xylophone {contextText} $1|[1] $\` {query} (added ${today})\nThe xylophone manual says {query} and $& and {contextText}.>`,
    );
  });

  test("has marks that point nowhere taken out, and the receipt says so", async () => {
    model.say({ steps: ["It opens at nine in winter [1][", "4]."] });
    const { body } = await query(winter);
    expect(body.answer).toBe("It opens at nine in winter [1].");
    expect(body.receipt.warnings).toEqual(["1 mark in the answer pointed to no snippet and was taken out."]);
  });

  test("has marks taken out that their snippet does not support, and numbers named that it does not contain", async () => {
    model.say({
      steps: [
        "In winter the reading room",
        " opens at 945 [",
        "1]. Whales breathe air through blow",
        "holes on their heads [1].",
      ],
    });
    const { body } = await query(winter);
    expect(body.answer).toBe(
      `In winter the reading room opens at 945 [1]. Whales breathe air through blowholes on their heads.${quoted}`,
    );
    expect(body.receipt.support).toBe("unsupported");
    expect(body.receipt.warnings).toEqual([
      "1 mark in the answer pointed to a snippet that does not support the statement and was taken out.",
      "Numbers in the answer that the marked snippets do not contain: 945 [1].",
    ]);
  });

  test("cut off, or another one answering, is a warning", async () => {
    model.say({ steps: ["At nine [1]"], finishReason: "length", answeredBy: "cuckoo" });
    expect((await query(winter)).body.receipt.warnings).toEqual([
      "The answer was cut: it reached models.answer.maxOutputTokens or the end of the model's context.",
      'Model "cuckoo" answered, not "parrot", which was requested.',
    ]);
  });

  test("with a small context gets fewer snippets, and no more are returned", async () => {
    model.contextSize = 1200;
    const { body } = await query({ query: "lamps", numberOfDocumentsInContext: 8 });
    const kept = body.relevantSnippets.length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(8);
    expect(body.receipt.kept).toBe(kept);
    expect(body.receipt.dropped).toContainEqual({ reason: "no_context_left", count: 8 - kept });
    expect(body.receipt.warnings).toContain(
      `${8 - kept} of the snippets found did not fit the context and were left out.`,
    );
    expect(body.receipt.context.used).toBeLessThanOrEqual(1200);
    expect(body.relevantDocuments).toHaveLength(kept);
  });

  test("with a prompt of the caller's is checked too, but for data and where it was shown no snippets", async () => {
    model.say({ steps: ["It closes after 4711 days."] });
    const prompt = "Answer {query} by {contextText}";
    expect((await query({ ...winter, prompt })).body.answer).toBe(`It closes after 4711 days.${quoted}`);
    const unseen = (await query({ ...winter, prompt: "Be brief." })).body;
    expect([unseen.answer, unseen.receipt.support]).toEqual(["It closes after 4711 days.", null]);
    model.say({ steps: ['{"days": 4711}'] });
    expect((await query({ ...winter, prompt })).body.answer).toBe('{"days": 4711}');
  });

  test("a question that does not fit its context is refused before the model is called", async () => {
    model.contextSize = 300;
    const { status, body } = await call(`${server.url}/api/query`, {
      key,
      body: { query: `${winter.query} ${"again ".repeat(300)}` },
    });
    expect(status).toBe(413);
    expect(body.code).toBe("question_too_long");
    expect(model.prompts).toEqual([]);
  });
});

describe("a failing model", () => {
  test.each([
    ["unreachable", undefined],
    ["bad_answer", undefined],
    ["model_missing", undefined],
    ["rate_limited", 7_000],
  ] as const)("%s", async (kind, retryAfterMs) => {
    const error = new ProviderError(
      "answer",
      kind,
      "What happened and what to do.",
      retryAfterMs ? { retryAfterMs } : {},
    );
    model.say({ steps: [error] });
    const { headers, body } = await call(`${server.url}/api/query`, { key, body: winter });
    expect({ ...withoutRequestId(body), retryAfter: headers.get("retry-after") }).toMatchSnapshot();
  });

  test("that stays silent is replaced by quotations; one that was given a prompt of one's own is told so", async () => {
    model.say({ steps: [new ProviderError("answer", "timeout", "Silent for 60 s.")] });
    const { status, body } = await query(winter);
    expect(status).toBe(200);
    expect(body.answer).toEndWith("In winter the reading room opens at nine. [1]");
    expect(body.receipt).toMatchObject({
      model: { provider: "builtin" },
      support: null,
      warnings: [expect.stringContaining('The model "parrot" did not answer within 60 s')],
    });
    const own = await call(`${server.url}/api/query`, { key, body: { ...winter, prompt: "{contextText} {query}" } });
    expect([own.status, own.body.code]).toEqual([504, "model_timeout"]);
  });

  test("in a way nobody foresaw tells nothing of it", async () => {
    model.say({ steps: [new Error("secret: /etc/passwd")] });
    const { status, body } = await call(`${server.url}/api/query`, { key, body: winter });
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("secret");
  });
});

describe("a streamed answer", () => {
  const stream = (body: object, headers: Record<string, string> = {}) =>
    send(`${server.url}/api/query`, { key, body, headers });

  test("has in its deltas what the whole answer has, where marks are taken out", async () => {
    const steps = [
      ..."The reading room opens in winter [1]. Whales breathe air through blowholes on their heads [1] and elsewhere.",
    ];
    model.say({ steps });
    const events = await readEvents(await stream({ ...winter, stream: true }));
    const done = events.at(-1)?.data as AnswerBody;
    expect(done.answer).toBe(
      `The reading room opens in winter [1]. Whales breathe air through blowholes on their heads and elsewhere.${quoted}`,
    );
    expect(joinDeltas(events)).toBe(done.answer ?? "");
  });

  test("streams what is quoted or found to be missing too", async () => {
    const events = await readEvents(await stream({ query: "zygomorphic?", stream: true }));
    expect(events.map(({ event }) => event)).toEqual(["snippets", "delta", "done"]);
    expect(events[0]?.data).toEqual([]);
    const snippetsOnly = await readEvents(await stream({ ...winter, stream: true, answer: false }));
    expect(snippetsOnly.map(({ event }) => event)).toEqual(["snippets", "done"]);
  });

  test("fails with a real status before its first event", async () => {
    for (const body of [{ query: "" }, { query: "x", documentId: Bun.randomUUIDv7() }]) {
      const response = await stream({ ...body, stream: true });
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(response.status).toBeOneOf([400, 404]);
      await response.body?.cancel();
    }
  });

  test("fails with a last event after it", async () => {
    model.say({ steps: ["At n", new ProviderError("answer", "timeout", "Silent for 60 s.")] });
    const response = await stream({ ...winter, stream: true });
    expect(response.status).toBe(200);
    const events = await readEvents(response);
    expect(events.map(({ event }) => event)).toEqual(["snippets", "delta", "error"]);
    const problem = events.at(-1)?.data as ProblemDocument;
    expect(withoutRequestId(problem)).toMatchSnapshot();
    expect(problem.requestId).toBe(response.headers.get("x-request-id") ?? "");
  });

  test("whose reader goes away stops the model", async () => {
    const before = model.stopped;
    model.say({ steps: ["At nine", () => new Promise(() => {}), " never said"] });
    const gone = new AbortController();
    const response = await send(`${server.url}/api/query`, {
      key,
      body: { ...winter, stream: true },
      signal: gone.signal,
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: delta")) text += (await reader?.read())?.value ?? "";
    gone.abort();
    await until(() => model.stopped > before);
    expect(model.stopped).toBe(before + 1);
  });

  test("an unstreamed request that goes away stops the model too", async () => {
    const asked = Promise.withResolvers<void>();
    const before = model.stopped;
    const wait = (): Promise<never> => {
      asked.resolve();
      return new Promise(() => {});
    };
    model.say({ steps: ["At nine", wait] });
    const gone = new AbortController();
    const answer = send(`${server.url}/api/query`, { key, body: winter, signal: gone.signal }).catch(() => null);
    await asked.promise;
    gone.abort();
    await answer;
    await until(() => model.stopped > before);
    expect(model.stopped).toBe(before + 1);
  });
});
