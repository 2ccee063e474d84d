import { afterEach, beforeEach, expect, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../../bench/embedder/fake-ollama.ts";
import { prepareOnnxRuntime } from "../../providers/builtin/minilm/runtime.ts";
import { type EmbedderServer, serveWithEmbedder } from "./serve-with-embedder.ts";

/** npm passes over its runtime where there is none for the platform. */
const hasMiniLm = await prepareOnnxRuntime(null, "").then(
  () => true,
  () => false,
);
let ollama: FakeOllama;
let server: EmbedderServer;
beforeEach(async () => {
  ollama = startFakeOllama();
  server = await serveWithEmbedder();
});
afterEach(async () => {
  await server.dispose();
  await ollama.stop();
});

const fruits = ["apples from the old orchard", "pears in the cellar", "plums on the southern wall"];
const words = (model: string) => ({ provider: "ollama" as const, model, baseUrl: ollama.url });
const builtin = { active: { provider: "builtin", model: "static", dimensions: 256 }, building: null };
const ingestAll = async (texts: readonly string[]) => {
  for (const text of texts) expect((await server.ingest(text)).status).toBe(200);
};
/** The best hit, and whether vectors had a part in it. */
const best = async (query: string) => {
  const { relevantSnippets, receipt } = await server.search(query);
  return {
    text: relevantSnippets[0]?.metadata.content,
    vectors: receipt.searched.vectors,
    warnings: receipt.warnings,
  };
};

test("another model: built from what is stored, asked throughout, then the old one is gone", async () => {
  await server.restart({});
  await ingestAll(fruits);
  expect(await server.status()).toEqual(builtin);

  ollama.delayMs = 300;
  await server.restart(words("words-48"));
  const building = await server.until(({ building }) => building !== null);
  expect(building.active).toEqual(builtin.active);
  expect(building.building).toMatchObject({ provider: "ollama", model: "words-48", total: 3, error: null });
  expect(await best("pears cellar")).toMatchObject({ text: fruits[1], vectors: 3, warnings: [] });
  await ingestAll(["quinces by the gate"]);
  expect((await best("quinces gate")).text).toBe("quinces by the gate");
  const done = await server.until(({ building }) => building === null);
  expect(done.active).toEqual({ provider: "ollama", model: "words-48", dimensions: 48 });
  expect(await best("plums wall")).toMatchObject({ text: fruits[2], vectors: 4, warnings: [] });
  expect((await best("quinces gate")).text).toBe("quinces by the gate");

  // And back: a built-in model is always there, and the way is the same.
  await server.restart({});
  await server.until(({ building }) => building === null);
  expect(await server.status()).toEqual(builtin);
  expect(await best("plums wall")).toMatchObject({ text: fruits[2], vectors: 4 });
});

test.skipIf(!hasMiniLm)("between the built-in models, and back", async () => {
  await server.restart({});
  await ingestAll(fruits);
  for (const [model, dimensions] of [
    ["minilm", 384],
    ["static", 256],
  ] as const) {
    await server.restart({ model });
    expect(await best("pears cellar")).toMatchObject({ text: fruits[1], vectors: 3, warnings: [] });
    const done = await server.until(({ active, building }) => active.model === model && building === null);
    expect(done.active).toEqual({ provider: "builtin", model, dimensions });
    expect(await best("pears cellar")).toMatchObject({ text: fruits[1], vectors: 3, warnings: [] });
  }
});

test("between two models of one server: the old one answers until the switch", async () => {
  await server.restart(words("words-48"));
  await ingestAll(fruits);
  ollama.delayMs = 300;
  await server.restart(words("words-64"));
  expect(await best("pears cellar")).toMatchObject({ text: fruits[1], vectors: 3, warnings: [] });
  expect((await server.status()).active.model).toBe("words-48");
  const done = await server.until(({ building }) => building === null);
  expect(done.active).toEqual({ provider: "ollama", model: "words-64", dimensions: 64 });
  expect(await best("pears cellar")).toMatchObject({ text: fruits[1], vectors: 3, warnings: [] });
});

test("an unreachable new model: the old index goes on, the error says why, new documents are found at once", async () => {
  await server.restart({});
  await ingestAll(fruits);
  ollama.failure = { status: 500, message: "model requires more system memory (9.1 GiB) than is available" };
  await server.restart(words("words-48"));
  const waiting = await server.until(({ building }) => building?.error != null);
  expect(waiting.active).toEqual(builtin.active);
  expect(waiting.building).toMatchObject({ model: "words-48", done: 0, total: 3 });
  expect(waiting.building?.error).toContain("more system memory");
  expect(await best("apples orchard")).toMatchObject({ text: fruits[0], vectors: 3 });
  await ingestAll(["quinces by the gate"]);
  expect((await best("quinces gate")).text).toBe("quinces by the gate");
  ollama.failure = null;
  const done = await server.until(({ building }) => building === null);
  expect(done.active.model).toBe("words-48");
  expect(await best("quinces gate")).toMatchObject({ text: "quinces by the gate", vectors: 4 });
});

test("an old model out of reach: full text alone with a warning, and documents still go in", async () => {
  await server.restart(words("words-48"));
  await ingestAll(fruits);
  const gone = { provider: "openai" as const, model: "text-1", baseUrl: "http://127.0.0.1:9/v1", apiKey: "k" };
  await server.restart(gone);
  const found = await best("pears cellar");
  expect(found).toMatchObject({ text: fruits[1], vectors: 0 });
  expect(found.warnings.join()).toContain("words-48 of ollama");
  await ingestAll(["quinces by the gate"]);
  expect((await best("quinces gate")).text).toBe("quinces by the gate");

  // The setting is taken back: what went in without vectors gets them.
  const before = ollama.embedded("words-48");
  await server.restart(words("words-48"));
  let questions = 1;
  while ((await best("quinces gate")).vectors < 4) expect(questions++).toBeLessThan(500);
  // The questions, the trial at the start, and the one text that lacked its vector.
  expect(ollama.embedded("words-48") - before).toBeLessThanOrEqual(questions + 2);
});

test("a setting taken back in mid-build abandons the half-built index", async () => {
  await server.restart({});
  await ingestAll(fruits);
  ollama.delayMs = 60_000;
  await server.restart(words("words-48"));
  await server.until(({ building }) => building?.error === null);
  await server.restart({});
  await server.until(({ building }) => building === null);
  expect(await server.status()).toEqual(builtin);
  expect(await best("pears cellar")).toMatchObject({ text: fruits[1], vectors: 3 });
});

test("a new store whose model cannot be reached starts, refuses documents for now, and makes good for it", async () => {
  ollama.failure = { status: 500, message: "model requires more system memory (9.1 GiB) than is available" };
  await server.restart(words("words-48"));
  expect(await server.status()).toMatchObject({
    active: { provider: "ollama", model: "words-48", dimensions: null },
    building: { provider: "ollama", model: "words-48", done: 0, total: 0 },
  });
  expect((await server.ingest("apples")).status).toBe(502);
  const { body } = await server.post("/api/ingest", { name: "later", text: "pears in the cellar", async: true });
  await body?.cancel();
  expect((await server.search("pears")).relevantSnippets).toEqual([]);
  ollama.failure = null;
  const done = await server.until(({ building }) => building === null);
  expect(done.active).toEqual({ provider: "ollama", model: "words-48", dimensions: 48 });
  await ingestAll(fruits);
  for (let tries = 0; (await best("pears cellar")).vectors < 4; tries++) {
    expect(tries).toBeLessThan(200);
    await Bun.sleep(50);
  }
});

test("the same name with other vectors than before: the index is built anew", async () => {
  await server.restart(words("words-48"));
  await ingestAll(fruits);
  ollama.models.set("words-48", 96);
  await server.restart(words("words-48"));
  const done = await server.until(({ active, building }) => active.dimensions === 96 && building === null);
  expect(done.active.model).toBe("words-48");
  expect(await best("pears cellar")).toMatchObject({ text: fruits[1], vectors: 3 });
});

test("a document's prefix is part of the index, a question's is not", async () => {
  await server.restart(words("words-48"));
  await ingestAll(fruits);
  const before = ollama.embedded("words-48");
  await server.restart({ ...words("words-48"), queryPrefix: "query: " });
  await server.until(({ building }) => building === null);
  // The trial at the start alone.
  expect(ollama.embedded("words-48") - before).toBeLessThanOrEqual(1);
  await server.restart({ ...words("words-48"), documentPrefix: "passage: " });
  await server.until(({ building }) => building === null);
  expect(ollama.embedded("words-48") - before).toBeGreaterThanOrEqual(fruits.length);
});

test("a text that the new model refuses does not hold up the others", async () => {
  await server.restart({});
  await ingestAll(fruits);
  ollama.refuses = (text) => text.includes("pears");
  await server.restart(words("words-48"));
  await server.until(({ building }) => building === null);
  expect((await best("pears cellar")).text).toBe(fruits[1]);
  expect((await best("apples orchard")).text).toBe(fruits[0]);
});
