import { describe, expect, test } from "bun:test";
import { factsInList } from "../../providers/openai/model-list.ts";
import { serve } from "../serve.ts";
import { adapters } from "./adapters.ts";
import { listen } from "./chat-conformance.ts";

const signal = new AbortController().signal;

describe("the context of a model on Ollama", () => {
  const asked: unknown[] = [];
  let counted: number | undefined;
  /** What `/api/show` says of each model. */
  const shown: Record<string, object> = {
    plain: { model_info: { "general.architecture": "llama", "llama.context_length": 131_072 } },
    short: { model_info: { "general.architecture": "llama", "llama.context_length": 2_048 } },
    asking: {
      parameters: 'stop                           "<end>"\nnum_ctx                        32768\ntop_p 0.9',
      model_info: { "general.architecture": "llama", "llama.context_length": 131_072 },
    },
    overasking: {
      parameters: "num_ctx 32768",
      model_info: { "general.architecture": "llama", "llama.context_length": 4_096 },
    },
    untold: {},
  };
  const server = serve(async (request) => {
    const { model, options } = (await request.json()) as { model: string; options?: unknown };
    if (request.url.endsWith("/api/show")) return Response.json(shown[model]);
    asked.push(options);
    const end = { model, message: { content: "" }, done: true, prompt_eval_count: counted };
    return new Response(`${JSON.stringify(end)}\n`);
  });

  test.each([
    ["plain", null, 8_192],
    ["short", null, 2_048],
    ["asking", null, 32_768],
    ["overasking", null, 4_096],
    ["untold", null, 4_096],
    ["plain", 65_536, 65_536],
    ["asking", 16_384, 16_384],
    ["short", 16_384, 2_048],
  ])("%s, set to %p: %p, and that is sent", async (model, contextTokens, expected) => {
    const settings = {
      baseUrl: server.url,
      ...(contextTokens === null ? {} : { contextTokens }),
    };
    const chat = adapters.ollama.chat(model, settings);
    expect(await chat.contextTokens(signal)).toBe(expected);
    for await (const _ of chat.chat([{ role: "user", content: "hi" }], signal));
    expect(asked.at(-1)).toMatchObject({ num_ctx: expected });
  });

  test.each<[number | undefined, true | undefined]>([
    [undefined, undefined],
    [8, undefined],
    [2_047, undefined],
    [2_048, true],
    [2_049, true],
  ])("a prompt counted as %p of 2048 tokens: cut is %p", async (count, isPromptCut) => {
    counted = count;
    const chat = adapters.ollama.chat("short", { baseUrl: server.url });
    const events = await Array.fromAsync(chat.chat([{ role: "user", content: "hi" }], signal));
    expect(events.at(-1)).toMatchObject({ type: "done", promptTokens: count ?? null });
    expect(events.map((event) => event.type === "done" && event.isPromptCut).at(-1)).toBe(isPromptCut);
  });
});

test.each([
  ["stop", "stop"],
  ["length", "length"],
  ["content_filter", "filtered"],
] as const)("an answer that ended by %s", async (reason, expected) => {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const server = serve(
    () =>
      new Response(`${chunk({ content: "Nine" }, null)}${chunk({}, reason)}data: [DONE]\n\n`, {
        headers: { "content-type": "text/event-stream" },
      }),
  );
  const model = adapters.openai.chat("parrot", { baseUrl: server.url });
  expect((await listen(model)).done?.finishReason).toBe(expected);
});

test("the vendor's own models are known, whose list tells names alone", () => {
  const official = { baseUrl: "https://api.openai.com/v1" };
  const facts = (id: string) => factsInList([{ id }], id, official);
  expect(facts("gpt-4.1-mini")).toMatchObject({ kind: "chat", contextTokens: 1_000_000 });
  expect(facts("text-embedding-3-small")).toMatchObject({ kind: "embedding", contextTokens: 8_191 });
  expect(facts("whisper-1")).toMatchObject({ kind: null, contextTokens: null });
});
