import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import type { Config } from "../../config/schema.ts";
import type { ChatModel } from "../../providers/contract.ts";
import { createAnswerModel } from "../../src/models/registry.ts";
import { type AnswerBody, type ChatBody, call, readEvents, type SentMessage, send } from "./client.ts";
import { type Refusal, startCountingServer } from "./counting-server.ts";
import { serveQuestions } from "./serve-questions.ts";

const contextTokens = 4_096;
let config: Config;
/** Made anew before each test, since it learns. */
let model: ChatModel;

const counting = startCountingServer(contextTokens);
const standIn: ChatModel = {
  provider: "stand-in",
  model: "counter",
  contextTokens: (signal) => model.contextTokens(signal),
  estimateTokens: (text) => model.estimateTokens(text),
  learnedFactor: () => model.learnedFactor?.() ?? 1,
  chat: (turns, signal, options) => model.chat(turns, signal, options),
};
const server = await serveQuestions({
  answerModel: standIn,
  config: (settings) => {
    config = settings;
    config.answers.rewriteFollowUps = false;
  },
});
const key = await server.key();
for (let n = 1; n <= 12; n++) {
  const text = `Lamps of shelf ${n} ${"are lit and dusted by the keeper of the reading lamps every morning. ".repeat(11)}`;
  await server.document(text, { name: `Lamps ${n}` });
}
afterAll(async () => {
  await server.stop();
  await counting.stop();
});

const use = (refusal: Refusal): void => {
  const { answer } = config.models;
  const provider = refusal === "ollama" ? "ollama" : "openai";
  const baseUrl = provider === "ollama" ? counting.url : `${counting.url}/v1`;
  const made = createAnswerModel({ ...answer, provider, baseUrl, model: "counter", timeoutMs: 5_000 });
  if (made === null) throw new Error("no model");
  model = made;
  counting.refusal = refusal;
};
beforeEach(() => {
  counting.charactersPerToken = 1;
  counting.prompts.splice(0);
});

const lamps = { query: "lamps of the shelf", numberOfDocumentsInContext: 12 };
const query = (body: object) => call<AnswerBody>(`${server.url}/api/query`, { key, body });
const cut = expect.stringContaining("was cut and sent again");

describe.each<Refusal>(["ollama", "openai", "vllm", "llama.cpp", "llama-cpp-python", "empty", "413"])(
  "a server that refuses as %s does",
  (refusal) => {
    beforeEach(() => use(refusal));

    test("gets a shorter prompt, and the answer says so", async () => {
      const { status, body } = await query(lamps);
      expect(status).toBe(200);
      expect(body.answer).toBe("At nine [1].");
      const kept = body.relevantSnippets.length;
      expect(kept).toBeGreaterThan(0);
      expect(kept).toBeLessThan(12);
      expect(body.receipt.kept).toBe(kept);
      expect(body.receipt.dropped).toContainEqual({ reason: "no_context_left", count: 12 - kept });
      expect(body.receipt.warnings).toContainEqual(cut);
      expect(body.receipt.warnings).toContainEqual(expect.stringContaining(`${12 - kept} of the snippets found`));
      // The best ones are kept, and all of what is returned was read.
      expect(counting.lastPrompt).toContain(`[${kept}] `);
      expect(counting.lastPrompt).not.toContain(`[${kept + 1}] `);
      expect(counting.prompts.length).toBeLessThanOrEqual(5);
      expect(counting.prompts.at(-1)?.taken).toBe(true);
    });

    test("the conversation never makes a message too long", async () => {
      const { body: chat } = await call<ChatBody>(`${server.url}/api/chat`, { key, body: {} });
      const url = `${server.url}/api/chat/${chat.id}/message`;
      for (let n = 0; n < 4; n++) {
        const message = `What of the lamps of shelf ${n}? ${"Tell me more of them. ".repeat(40)}`;
        const { status, body } = await call<SentMessage>(url, { key, body: { message } });
        expect([status, body.message]).toEqual([200, "At nine [1]."]);
      }
    });

    test("a question that is too long by itself is a 413 in the end, or the server's own failure", async () => {
      counting.charactersPerToken = 0.05;
      const { status, body } = await call(`${server.url}/api/query`, { key, body: lamps });
      expect([status, body.code]).toEqual(refusal === "empty" ? [502, "model_failed"] : [413, "question_too_long"]);
      expect(counting.prompts.length).toBeLessThanOrEqual(6);
    });
  },
);

test("what the server counted is learned: the next prompt fits at once", async () => {
  use("openai");
  await query(lamps);
  counting.prompts.splice(0);
  const { body } = await query(lamps);
  expect(counting.prompts.map(({ taken }) => taken)).toEqual([true]);
  expect(body.receipt.warnings).not.toContainEqual(cut);
});

test("it is learned from answers too, without any refusal", async () => {
  use("ollama");
  counting.charactersPerToken = 2;
  await query({ ...lamps, numberOfDocumentsInContext: 2 });
  await query({ ...lamps, numberOfDocumentsInContext: 2 });
  counting.prompts.splice(0);
  await query(lamps);
  expect(counting.prompts.map(({ taken }) => taken)).toEqual([true]);
});

test("what one odd text taught refuses no question of another", async () => {
  use("openai");
  counting.charactersPerToken = 0.5;
  await query(lamps);
  counting.charactersPerToken = 4;
  const { status, body } = await query({ query: `${lamps.query} ${"and which of them are lit? ".repeat(150)}` });
  expect([status, body.answer?.startsWith("At nine")]).toEqual([200, true]);
});

test("room for the answer is given up before snippets are", async () => {
  const { maxOutputTokens } = config.models.answer;
  config.models.answer.maxOutputTokens = 3_000;
  use("vllm");
  counting.charactersPerToken = 4;
  const { status, body } = await query({ ...lamps, numberOfDocumentsInContext: 9 });
  config.models.answer.maxOutputTokens = maxOutputTokens;
  expect([status, counting.prompts.map(({ taken }) => taken)]).toEqual([200, [false, true]]);
  // Sent again as it was, with less room for the answer.
  expect(counting.prompts[0]?.tokens).toBe(counting.prompts[1]?.tokens ?? 0);
  expect(body.receipt.warnings).toContainEqual(expect.stringContaining("less room for the answer"));
  expect(body.receipt.warnings).not.toContainEqual(cut);
});

test("a question beside which no snippet fits goes alone, and the answer says so", async () => {
  use("ollama");
  counting.charactersPerToken = 3;
  const ask = (repeats: number) => query({ ...lamps, prompt: `${"Be brief. ".repeat(repeats)}{contextText} {query}` });
  const alone = [];
  let repeats = 700;
  let last = await ask(repeats);
  while (last.status === 200) {
    if (last.body.relevantSnippets.length === 0) alone.push(last.body);
    repeats += 3;
    last = await ask(repeats);
  }
  expect(last.status).toBe(413);
  expect(alone.length).toBeGreaterThan(0);
  for (const { answer, receipt } of alone) {
    expect(answer).toBe("At nine.");
    expect(receipt.warnings).toContainEqual(expect.stringContaining("answered without the documents"));
  }
});

test("streamed, the answer comes all the same, and its end holds what was read", async () => {
  use("llama.cpp");
  const events = await readEvents(await send(`${server.url}/api/query`, { key, body: { ...lamps, stream: true } }));
  expect(events.map(({ event }) => event)).toEqual(["snippets", "delta", "done"]);
  const done = events.at(-1)?.data as AnswerBody;
  const shown = events[0]?.data as unknown[];
  expect(done.relevantSnippets.length).toBeLessThan(shown.length);
  expect(done.receipt.warnings).toContainEqual(cut);
});
