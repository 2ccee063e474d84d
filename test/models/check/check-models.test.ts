import { expect, test } from "bun:test";
import { defaultConfig } from "../../../config/load.ts";
import type { Config } from "../../../config/schema.ts";
import { connectionFailure } from "../../../providers/http/call-failure.ts";
import type { Logger } from "../../../src/log/log.ts";
import { checkModels, logModelCheck } from "../../../src/models/check/check-models.ts";
import type { ModelReport } from "../../../src/models/check/model-report.ts";
import { createModelStates } from "../../../src/models/observed-models.ts";
import { configuredModels } from "../../../src/runtime/configured-models.ts";
import { serve } from "../../serve.ts";
import { startFailingOllama } from "../failing-ollama.ts";

const ollama = startFailingOllama();
/** As LM Studio, vLLM and llama.cpp list their models. */
const listed = [
  { id: "writer", type: "llm", max_context_length: 2048 },
  { id: "vectors", type: "embeddings", max_context_length: 512 },
  { id: "plain" },
  { id: "served", max_model_len: 32768, capabilities: ["completion"] },
  // As Ollama does under /v1.
  { id: "llama3.2:latest", object: "model", owned_by: "library" },
];
const openai = serve(async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/v1/models") return Response.json({ object: "list", data: listed });
  const { model, input } = (await request.json()) as { model: string; input?: string[] };
  if (pathname === "/v1/embeddings" && model !== "served")
    return Response.json({ data: (input ?? []).map((_, index) => ({ index, embedding: [1, 2, 3] })) });
  if (pathname === "/v1/rerank")
    return Response.json({
      results: [
        { index: 0, score: 1 },
        { index: 1, score: 0 },
      ],
    });
  return Response.json({ error: { message: `"${model}" does not support chat` } }, { status: 400 });
});

const check = async (change: (models: Config["models"]) => void): Promise<Record<string, ModelReport>> => {
  const config = structuredClone(defaultConfig());
  change(config.models);
  const reports = await checkModels(configuredModels(config, "/nowhere", null, true), new AbortController().signal);
  return Object.fromEntries(reports.map((report) => [report.use, report]));
};
const v1 = () => `${openai.url}/v1`;

test("what is built in is always usable", async () => {
  const { answer, embedding, reranker } = await check((models) => {
    models.embedding.model = "static";
  });
  expect(answer).toMatchObject({ provider: "builtin", model: "quotes", problems: [], warnings: [] });
  expect(embedding).toMatchObject({ provider: "builtin", model: "static", dimensions: 256, problems: [] });
  expect(reranker).toBeUndefined();
});

test("what a server offers, and the real context and dimensions", async () => {
  const { answer, embedding } = await check((models) => {
    Object.assign(models.answer, { provider: "ollama", model: "writer", baseUrl: ollama.url });
    Object.assign(models.embedding, { provider: "ollama", model: "embedder", baseUrl: ollama.url });
  });
  expect(answer).toMatchObject({
    address: ollama.url,
    offered: ["writer", "embedder"],
    found: true,
    contextTokens: 8192,
    problems: [],
    warnings: [],
  });
  expect(embedding).toMatchObject({ found: true, contextTokens: 8192, dimensions: 16, problems: [], warnings: [] });
});

test("a chat model named as embedder, and the reverse", async () => {
  const swapped = await check((models) => {
    Object.assign(models.answer, { provider: "ollama", model: "embedder", baseUrl: ollama.url });
    Object.assign(models.embedding, { provider: "ollama", model: "writer", baseUrl: ollama.url });
  });
  expect(swapped.answer?.problems.join()).toContain("writes no text: name a chat model in models.answer.model");
  expect(swapped.embedding?.problems.join()).toContain("makes no embeddings");
  const told = await check((models) => {
    Object.assign(models.answer, { provider: "openai", model: "vectors", baseUrl: v1() });
    Object.assign(models.embedding, { provider: "openai", model: "served", baseUrl: v1() });
  });
  expect(told.answer?.problems.join()).toContain("writes no text");
  expect(told.embedding?.problems.join()).toContain("makes no embeddings");
  // Nothing is told: a trial tells.
  const tried = await check((models) =>
    Object.assign(models.answer, { provider: "openai", model: "plain", baseUrl: v1() }),
  );
  expect(tried.answer?.problems.join()).toContain("does not support chat");
});

test("a name that is not there, with what to run or change", async () => {
  const { answer, embedding } = await check((models) => {
    Object.assign(models.answer, { provider: "openai", model: "gpt-9", baseUrl: v1() });
    Object.assign(models.embedding, { provider: "ollama", model: "nomic-embed-text", baseUrl: ollama.url });
  });
  expect(answer).toMatchObject({ found: false, offered: listed.map(({ id }) => id) });
  expect(answer?.problems.join()).toContain("correct models.answer.model");
  expect(embedding?.problems.join()).toContain("run `ollama pull nomic-embed-text`");
});

test("a context that is too small, set too large, or not told", async () => {
  const warningsOf = async (change: object) =>
    (await check((models) => Object.assign(models.answer, { provider: "openai", baseUrl: v1() }, change))).answer
      ?.warnings;
  expect((await warningsOf({ model: "writer" }))?.join()).toContain("a context of 2048 tokens is too small");
  expect(await warningsOf({ model: "served" })).toEqual([]);
  expect((await warningsOf({ model: "served", contextTokens: 65_536 }))?.join()).toContain("the model has 32768");
  expect((await warningsOf({ model: "plain" }))?.join()).toContain("set models.answer.contextTokens");
  const embedding = async (model: string) =>
    (await check((models) => Object.assign(models.embedding, { provider: "openai", baseUrl: v1(), model }))).embedding;
  expect(await embedding("vectors")).toMatchObject({ contextTokens: 512, warnings: [] });
  const assumed = await embedding("plain");
  expect(assumed?.contextTokens).toBe(512);
  expect(assumed?.warnings.join()).toContain("set models.embedding.contextTokens");
});

test("Ollama behind the other wire format", async () => {
  const { answer, embedding } = await check((models) => {
    Object.assign(models.answer, { provider: "openai", model: "llama3.2", baseUrl: v1() });
    Object.assign(models.embedding, { provider: "openai", model: "vectors", baseUrl: v1() });
  });
  expect(answer?.warnings).toContainEqual(expect.stringContaining("set `provider: ollama`"));
  expect(embedding?.warnings).toEqual([]);
});

test("a server that is down, and a reranker", async () => {
  const { answer, reranker } = await check((models) => {
    Object.assign(models.answer, { provider: "ollama", model: "writer", baseUrl: "http://127.0.0.1:9" });
    Object.assign(models.reranker, { provider: "openai", model: "judge", baseUrl: v1() });
  });
  expect(answer).toMatchObject({ address: "http://127.0.0.1:9", offered: null, found: null });
  expect(answer?.problems.join()).toContain(
    "Ollama at http://127.0.0.1:9 cannot be reached (connection refused): start it with `ollama serve` or correct models.answer.baseUrl",
  );
  expect(reranker).toMatchObject({ found: false, problems: [] });
});

test("an address of another provider, or with a path too many or too few, says what to change", async () => {
  const notFound = () => new Response("404 page not found", { status: 404 });
  // Ollama's own paths, and those under /v1.
  const real = serve(({ url }) => (new URL(url).pathname === "/v1/models" ? Response.json({ data: [] }) : notFound()));
  const at = real.url;
  const problem = async (use: "answer" | "embedding", provider: "openai" | "ollama", baseUrl: string) =>
    (await check((models) => Object.assign(models[use], { provider, model: "m", baseUrl })))[use]?.problems.join() ??
    "";
  for (const use of ["answer", "embedding"] as const) {
    expect(await problem(use, "openai", at)).toBe(
      `The model server at ${at} has nothing at that path (404): set models.${use}.baseUrl to ${at}/v1 or, if that is Ollama, models.${use}.provider to ollama and its baseUrl to ${at}`,
    );
    for (const path of ["/v1/v1", "/v1/chat/completions", "/v1/embeddings"])
      expect(await problem(use, "openai", at + path)).toEndWith(` (404): set models.${use}.baseUrl to ${at}/v1`);
    for (const path of ["/v1", "/api", "/api/chat"])
      expect(await problem(use, "ollama", at + path)).toEndWith(
        `: set models.${use}.baseUrl to ${at}, without what follows`,
      );
    expect(await problem(use, "ollama", at)).toContain(`provider to openai and its baseUrl to ${at}/v1`);
  }
});

test("a name that does not resolve, a certificate, no TLS and no answer are told apart", async () => {
  const problem = async (baseUrl: string) =>
    (
      await check((models) => Object.assign(models.answer, { provider: "ollama", model: "m", baseUrl }))
    ).answer?.problems.join() ?? "";
  const nobody = await problem("http://ollama.invalid:11434");
  expect(nobody).toContain(
    "cannot be reached (the name ollama.invalid does not resolve): correct models.answer.baseUrl",
  );
  expect(nobody).toContain("host.docker.internal");
  expect(nobody).not.toContain("ollama serve");
  expect(await problem(`https://127.0.0.1:${openai.port}`)).toContain(
    "(the TLS handshake failed): correct models.answer.baseUrl",
  );
  const destination = {
    service: "answer",
    configKey: "models.answer",
    baseUrl: "http://models.lan:8000",
    apiKey: null,
    timeoutMs: 1,
  } as const;
  const state = { isAborted: false, isSilent: false, hasBegun: false };
  const told = (code: string) =>
    connectionFailure(Object.assign(new Error(code), { code }), destination, state).message;
  expect(told("ETIMEDOUT")).toContain("(no answer to the connection): see whether its machine is on");
  expect(told("DEPTH_ZERO_SELF_SIGNED_CERT")).toContain("(its certificate is not trusted here): give it a certificate");
  expect(told("CERT_HAS_EXPIRED")).toContain("(its certificate has expired): renew its certificate");
  expect(told("ECONNREFUSED")).toBe(
    "The model server at http://models.lan:8000 cannot be reached (connection refused): start it or correct models.answer.baseUrl",
  );
});

test("the check beside a start logs what is wrong, and nothing else", async () => {
  const warned: string[] = [];
  const log = { warn: (_: object, words: string) => warned.push(words) } as unknown as Logger;
  const config = structuredClone(defaultConfig());
  const states = createModelStates(["answer"]);
  await logModelCheck(configuredModels(config, "/nowhere", null, true), log, new AbortController().signal, states);
  expect(warned).toEqual([]);
  Object.assign(config.models.answer, { provider: "ollama", model: "embedder", baseUrl: ollama.url });
  await logModelCheck(configuredModels(config, "/nowhere", null, true), log, AbortSignal.abort(), states);
  expect(warned).toEqual([]);
  const others = createModelStates(["answer"]);
  await logModelCheck(configuredModels(config, "/nowhere", null, true), log, new AbortController().signal, others);
  expect(warned).toEqual([
    `model \`embedder\` on ${ollama.url} makes embeddings and writes no text: name a chat model in models.answer.model (see \`carrel models\`)`,
  ]);
  expect([...states.list(), ...others.list()].map(({ state }) => state)).toEqual(["ok", "failing"]);
});
