import { expect, test } from "bun:test";
import { type FakeOllama, startFakeOllama } from "../../bench/embedder/fake-ollama.ts";
import { Secret } from "../../config/secret.ts";
import { prepareOnnxRuntime } from "../../providers/builtin/minilm/runtime.ts";
import type { EmbedderStatus } from "../../src/embedder/embedder.ts";
import { until } from "../until.ts";
import { type EmbedderServer, serveWithEmbedder } from "./serve-with-embedder.ts";

/** npm passes over its runtime where there is none for the platform. */
const hasMiniLm = await prepareOnnxRuntime(null, "").then(
  () => true,
  () => false,
);
const fruits = ["apples from the old orchard", "pears in the cellar", "plums on the southern wall"];
const builtin = {
  active: { provider: "builtin", model: "static", dimensions: 256 },
  building: null,
  pending: 0,
  error: null,
};
/** Nothing is built, and nothing is lacking. */
const isSettled = ({ building, pending }: EmbedderStatus) => building === null && pending === 0;

/** The tests wait for the pauses of the embedder, all at once: each has a server of its own. */
const onServer = (work: (parts: ReturnType<typeof partsOf>) => Promise<void>) => async (): Promise<void> => {
  const ollama = startFakeOllama();
  const server = await serveWithEmbedder();
  try {
    await work(partsOf(server, ollama));
  } finally {
    await server.dispose();
    await ollama.stop();
  }
};
const partsOf = (server: EmbedderServer, ollama: FakeOllama) => ({
  server,
  ollama,
  words: (model: string) => ({ provider: "ollama" as const, model, baseUrl: ollama.url }),
  async embeddedOf() {
    const documents = (await (await server.send("/api/document?limit=100")).json()) as { embedded: boolean }[];
    return documents.map(({ embedded }) => embedded);
  },
  async ingestAll(texts: readonly string[]) {
    for (const text of texts) expect((await server.ingest(text)).status).toBe(200);
  },
  /** The best hit, and whether vectors had a part in it. */
  async best(query: string) {
    const { relevantSnippets, receipt } = await server.search(query);
    const { vectors } = receipt.searched;
    return { text: relevantSnippets[0]?.metadata.content, vectors, warnings: receipt.warnings };
  },
});

test.concurrent(
  "another model: made from what is stored, asked throughout, then the old one is gone",
  onServer(async ({ server, ollama, words, embeddedOf, ingestAll, best }) => {
    await server.restart({});
    await ingestAll(fruits);
    expect(await server.status()).toEqual(builtin);
    expect(await embeddedOf()).toEqual([true, true, true]);

    ollama.delayMs = 300;
    await server.restart(words("words-48"));
    const building = await server.until(({ building }) => building !== null);
    expect(building.active).toEqual(builtin.active);
    expect(building.building).toMatchObject({ provider: "ollama", model: "words-48", total: 3, error: null });
    expect(await best("pears cellar")).toMatchObject({ text: fruits[1], warnings: [] });
    await ingestAll(["quinces by the gate"]);
    expect((await best("quinces gate")).text).toBe("quinces by the gate");
    const done = await server.until(isSettled);
    expect(done.active).toEqual({ provider: "ollama", model: "words-48", dimensions: 48 });
    expect(await embeddedOf()).toEqual([true, true, true, true]);
    expect(await best("plums wall")).toMatchObject({ text: fruits[2], warnings: [] });
    expect((await best("quinces gate")).text).toBe("quinces by the gate");
    expect(ollama.embedded("words-48")).toBeGreaterThanOrEqual(4);

    // And back: a built-in model is always there.
    await server.restart({});
    await server.until(({ active }) => active.model === "static");
    expect(await server.status()).toEqual(builtin);
    expect(await best("plums wall")).toMatchObject({ text: fruits[2], vectors: 4 });
  }),
);

test.skipIf(!hasMiniLm)(
  "between the built-in models, and back",
  onServer(async ({ server, ingestAll, best }) => {
    await server.restart({});
    await ingestAll(fruits);
    for (const [model, dimensions] of [
      ["minilm", 384],
      ["static", 256],
    ] as const) {
      await server.restart({ model });
      expect((await best("pears cellar")).text).toBe(fruits[1]);
      const done = await server.until((status) => status.active.model === model && isSettled(status));
      expect(done.active).toEqual({ provider: "builtin", model, dimensions });
      expect((await best("pears cellar")).text).toBe(fruits[1]);
    }
  }),
);

test.concurrent(
  "between two models of one server: the old one answers until the switch",
  onServer(async ({ server, ollama, words, ingestAll, best }) => {
    await server.restart(words("words-48"));
    await ingestAll(fruits);
    await server.until(isSettled);
    ollama.delayMs = 300;
    await server.restart(words("words-64"));
    expect(await best("pears cellar")).toMatchObject({ text: fruits[1], warnings: [] });
    expect((await server.status()).active.model).toBe("words-48");
    const done = await server.until(isSettled);
    expect(done.active).toEqual({ provider: "ollama", model: "words-64", dimensions: 64 });
    expect(await best("pears cellar")).toMatchObject({ text: fruits[1], warnings: [] });
  }),
);

test.concurrent(
  "an unreachable new model: the error says why, documents go in and are found at once",
  onServer(async ({ server, ollama, words, embeddedOf, ingestAll, best }) => {
    await server.restart({});
    await ingestAll(fruits);
    ollama.failure = { status: 500, message: "model requires more system memory (9.1 GiB) than is available" };
    await server.restart(words("words-48"));
    const waiting = await server.until(({ building }) => building?.error != null);
    expect(waiting.active).toEqual(builtin.active);
    expect(waiting.building).toMatchObject({ model: "words-48", done: 0, total: 3 });
    expect(waiting.building?.error).toContain("more system memory");
    expect([waiting.pending, waiting.error]).toEqual([3, waiting.building?.error ?? null]);
    expect((await best("apples orchard")).text).toBe(fruits[0]);
    await ingestAll(["quinces by the gate"]);
    expect((await best("quinces gate")).text).toBe("quinces by the gate");
    expect(await embeddedOf()).toEqual([false, false, false, false]);
    ollama.failure = null;
    const done = await server.until(isSettled);
    expect(done.active.model).toBe("words-48");
    expect((await best("quinces gate")).text).toBe("quinces by the gate");
    expect(await embeddedOf()).toEqual([true, true, true, true]);
  }),
);

test.concurrent(
  "a setting taken back: what went in meanwhile gets its vectors, nothing else is made again",
  onServer(async ({ server, ollama, words, ingestAll, best }) => {
    await server.restart(words("words-48"));
    await ingestAll(fruits);
    await server.until(isSettled);
    const gone = {
      provider: "openai" as const,
      model: "text-1",
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: new Secret("k"),
    };
    await server.restart(gone);
    expect((await best("pears cellar")).text).toBe(fruits[1]);
    expect((await server.status()).active.model).toBe("words-48");
    await ingestAll(["quinces by the gate"]);
    expect((await best("quinces gate")).text).toBe("quinces by the gate");

    const before = ollama.embedded("words-48");
    await server.restart(words("words-48"));
    await server.until(isSettled);
    // The trial at the start, and the one text that lacked its vector.
    expect(ollama.embedded("words-48") - before).toBeLessThanOrEqual(2);
  }),
);

test.concurrent(
  "a setting taken back in the middle abandons the half-made vectors",
  onServer(async ({ server, ollama, words, ingestAll, best }) => {
    await server.restart({});
    await ingestAll(fruits);
    ollama.delayMs = 60_000;
    await server.restart(words("words-48"));
    await server.until(({ building }) => building?.error === null);
    await server.restart({});
    await server.until(isSettled);
    expect(await server.status()).toEqual(builtin);
    expect(await best("pears cellar")).toMatchObject({ text: fruits[1], vectors: 3 });
  }),
);

test.concurrent(
  "a new store whose model cannot be reached takes documents, finds them, and makes the vectors later",
  onServer(async ({ server, ollama, words, ingestAll, best }) => {
    ollama.failure = { status: 500, message: "model requires more system memory (9.1 GiB) than is available" };
    await server.restart(words("words-48"));
    expect(await server.status()).toEqual({
      active: { provider: "ollama", model: "words-48", dimensions: null },
      building: null,
      pending: 0,
      error: null,
    });
    await ingestAll(fruits);
    const asked = await server.post("/api/ingest", { name: "later", text: "quinces by the gate", async: true });
    expect(((await asked.json()) as { embedded: boolean }).embedded).toBe(false);
    expect((await best("pears cellar")).text).toBe(fruits[1]);
    await until(async () => (await best("quinces gate")).text === "quinces by the gate");
    const waiting = await server.until(({ error, pending }) => error !== null && pending === 4);
    expect(waiting.active.model).toBe("static");
    expect((await server.search("pears cellar")).receipt.warnings).toEqual([
      `Full text and the built-in static vectors answered, because the embedding model has made no vectors yet: ${waiting.error}`,
    ]);
    expect(waiting.building).toMatchObject({ model: "words-48", done: 0, total: 4, error: waiting.error });
    ollama.failure = null;
    const done = await server.until(isSettled);
    expect(done).toEqual({
      active: { provider: "ollama", model: "words-48", dimensions: 48 },
      building: null,
      pending: 0,
      error: null,
    });
    expect((await server.search("pears cellar")).receipt.warnings).toEqual([]);
  }),
);

test.concurrent(
  "the same name with other vectors than before: they are made anew",
  onServer(async ({ server, ollama, words, ingestAll, best }) => {
    await server.restart(words("words-48"));
    await ingestAll(fruits);
    await server.until(isSettled);
    ollama.models.set("words-48", 96);
    await server.restart(words("words-48"));
    const done = await server.until((status) => status.active.dimensions === 96 && isSettled(status));
    expect(done.active.model).toBe("words-48");
    expect((await best("pears cellar")).text).toBe(fruits[1]);
  }),
);

test.concurrent(
  "a document's prefix is part of its vectors, a question's is not",
  onServer(async ({ server, ollama, words, ingestAll }) => {
    await server.restart(words("words-48"));
    await ingestAll(fruits);
    await server.until(isSettled);
    const before = ollama.embedded("words-48");
    await server.restart({ ...words("words-48"), queryPrefix: "query: " });
    await server.until(isSettled);
    // The trial at the start alone.
    expect(ollama.embedded("words-48") - before).toBeLessThanOrEqual(1);
    await server.restart({ ...words("words-48"), documentPrefix: "passage: " });
    await server.until(() => ollama.embedded("words-48") - before >= fruits.length);
    await server.until(isSettled);
  }),
);

test.concurrent(
  "a chat model named as embedder: its server says so, and documents go in all the same",
  onServer(async ({ server, ollama, words, ingestAll, best }) => {
    ollama.capabilities = ["completion"];
    await server.restart(words("words-48"));
    await ingestAll(fruits);
    const { error } = await server.until(({ error }) => error !== null);
    expect(error).toContain("makes no embeddings");
    expect((await best("pears cellar")).text).toBe(fruits[1]);
  }),
);
