import { afterAll, expect, test } from "bun:test";
import { defaultConfig } from "../../config/load.ts";
import { answerModelState, createOllamaFinder } from "../../src/settings/list-settings.ts";
import { startTestServer } from "../start-server.ts";

let calls: string[] = [];
let isSlow = false;
const ollama = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    calls.push(pathname);
    if (isSlow) await Bun.sleep(5_000);
    if (pathname === "/api/tags")
      return Response.json({
        models: [{ name: "llama3.2:latest" }, { name: "nomic-embed-text:latest" }, { name: "gone" }],
      });
    const { model } = (await request.json()) as { model: string };
    if (model === "gone") return Response.json({ error: "not found" }, { status: 404 });
    return Response.json({ capabilities: [model.startsWith("nomic") ? "embedding" : "completion"], model_info: {} });
  },
});
const server = await startTestServer({}, { parts: { findOllama: createOllamaFinder(ollama.url.origin) } });
afterAll(async () => {
  await ollama.stop(true);
});

test("an Ollama on this machine is offered with its chat models; it is asked once a minute", async () => {
  const first = (await server.ask("GET", "/api/settings/answer-model")).body;
  expect(first).toEqual({
    provider: "builtin",
    model: null,
    ollama: { address: ollama.url.origin, models: ["llama3.2"] },
  });
  calls = [];
  expect((await server.ask("GET", "/api/settings/answer-model")).body).toEqual(first);
  expect(calls).toEqual([]);
});

test("one that is away or says nothing is none, after a second at most; nobody looks where a model is configured", async () => {
  let now = 0;
  const find = createOllamaFinder(ollama.url.origin, () => now);
  isSlow = true;
  expect(await find()).toBe(null);
  isSlow = false;
  expect(await find()).toBe(null);
  now = 60_000;
  expect(await find()).toMatchObject({ models: ["llama3.2"] });
  expect(await createOllamaFinder("http://127.0.0.1:9")()).toBe(null);

  const config = defaultConfig();
  Object.assign(config.models.answer, { provider: "openai", model: "gpt" });
  const looked = () => Promise.reject(new Error("it is not looked for"));
  expect(await answerModelState(config, looked)).toEqual({ provider: "openai", model: "gpt", ollama: null });
});
