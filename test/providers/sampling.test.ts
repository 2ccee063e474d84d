import { describe, expect, test } from "bun:test";
import type { ChatOptions } from "../../providers/contract.ts";
import { serve } from "../serve.ts";
import { adapters } from "./adapters.ts";
import { type ChatSettings, listen } from "./chat-conformance.ts";

/** A server of either kind that keeps what it is asked. */
const asked: { temperature?: number; options?: { temperature?: number }; keep_alive?: unknown }[] = [];

const server = serve(async (request) => {
  if (request.url.endsWith("/api/show")) return Response.json({});
  if (request.url.endsWith("/models")) return Response.json({ data: [] });
  asked.push((await request.json()) as (typeof asked)[number]);
  if (request.url.endsWith("/api/chat"))
    return new Response(`${JSON.stringify({ message: { content: "Yes." }, done: true })}\n`);
  const chunk = { choices: [{ delta: { content: "Yes." }, finish_reason: "stop" }] };
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
});

const sent = async (
  kind: keyof typeof adapters,
  settings: Partial<ChatSettings>,
  { model = "m", options }: { model?: string; options?: ChatOptions } = {},
) => {
  const chat = adapters[kind].chat(model, { baseUrl: server.url, ...settings });
  await listen(chat, undefined, undefined, options);
  const { temperature, options: inside, keep_alive } = asked.at(-1) ?? {};
  return { temperature: kind === "ollama" ? inside?.temperature : temperature, keepAlive: keep_alive };
};

describe.each(["ollama", "openai"] as const)("%s is sent", (kind) => {
  test("the temperature of the settings, a call's own in its place, and none where the server decides", async () => {
    expect((await sent(kind, {})).temperature).toBe(0.1);
    expect((await sent(kind, { temperature: 0.7 })).temperature).toBe(0.7);
    expect((await sent(kind, {}, { options: { maxOutputTokens: 9, temperature: 0 } })).temperature).toBe(0);
    expect((await sent(kind, { temperature: null })).temperature).toBeUndefined();
  });
});

test("thinking models of OpenAI, under whatever name, refuse a temperature and are sent none", async () => {
  for (const model of ["gpt-5-mini", "o3", "openai/gpt-5"])
    expect((await sent("openai", {}, { model })).temperature).toBeUndefined();
});

test("Ollama is told how long to keep the model: a duration as text, -1 and 0 as numbers", async () => {
  expect((await sent("ollama", {})).keepAlive).toBeUndefined();
  expect((await sent("ollama", { keepAlive: "30m" })).keepAlive).toBe("30m");
  expect((await sent("ollama", { keepAlive: "-1" })).keepAlive).toBe(-1);
  expect((await sent("ollama", { keepAlive: "0" })).keepAlive).toBe(0);
});
