import { afterAll, describe, expect, test } from "bun:test";
import { createMiniLmEmbedding, type MiniLmEmbedding } from "../../../../providers/builtin/minilm/embedding.ts";
import { prepareOnnxRuntime } from "../../../../providers/builtin/minilm/runtime.ts";
import reference from "../../../fixtures/minilm/vectors.json";
import { until } from "../../../until.ts";

/** npm passes over onnxruntime-node where it has nothing for the platform; then there is nothing to try here. */
const isInstalled = await prepareOnnxRuntime(null, "").then(
  () => true,
  () => false,
);
const workerUrl = new URL("../../../../providers/builtin/minilm/worker.ts", import.meta.url).href;
const { signal } = new AbortController();
const cosine = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

describe.skipIf(!isInstalled)("built-in MiniLM", () => {
  let opened: Promise<MiniLmEmbedding> | null = null;
  const open = () => {
    opened ??= createMiniLmEmbedding({ threads: 2, timeoutMs: 60_000, runtime: null, runtimeFolder: "", workerUrl });
    return opened;
  };
  afterAll(async () => (await opened)?.close());

  test("says what it is", async () => {
    const embedding = await open();
    expect([embedding.provider, embedding.model]).toEqual(["builtin", "minilm"]);
    expect(await embedding.dimensions(signal)).toBe(384);
    const model = new URL("../../../../providers/builtin/minilm/model.onnx", import.meta.url).pathname;
    const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(model).bytes()).digest("hex");
    expect(embedding.revision).toBe(digest.slice(0, 16));
  });

  test("points where the original points, in the order given", async () => {
    const embedding = await open();
    const texts = reference.map((entry) => entry.text);
    const vectors = await embedding.embed(texts, "document", signal);
    expect(vectors.length).toBe(reference.length);
    for (const [index, vector] of vectors.entries()) {
      expect(cosine(vector, vector)).toBeCloseTo(1, 4);
      expect(cosine(vector, reference[index]?.vector ?? [])).toBeGreaterThan(0.97);
    }
  });

  test("an empty list gives an empty list, an empty text a zero vector", async () => {
    const embedding = await open();
    expect(await embedding.embed([], "query", signal)).toEqual([]);
    const [empty, blank] = await embedding.embed(["", " \u200b\n"], "document", signal);
    expect(empty).toEqual(new Float32Array(384));
    expect(blank).toEqual(new Float32Array(384));
  });

  test("a long text counts to its end", async () => {
    const embedding = await open();
    const weather = "It rained the whole week and the wind was cold. ".repeat(30);
    const refund = "Refunds are paid to the account of the customer. ".repeat(90);
    const [both, first, second] = await embedding.embed([weather + refund, weather, refund], "document", signal);
    if (!both || !first || !second) throw new Error("vectors are missing");
    expect(cosine(both, second)).toBeGreaterThan(cosine(both, first));
  });

  test("an abort stops the work with a ProviderError, and the next call is answered", async () => {
    const embedding = await open();
    await embedding.embed(["loaded"], "document", signal);
    const controller = new AbortController();
    const work = embedding.embed(Array(500).fill("some words ".repeat(100)), "document", controller.signal);
    controller.abort();
    await expect(work).rejects.toMatchObject({ name: "ProviderError", kind: "aborted" });
    expect((await embedding.embed(["cat"], "query", signal)).length).toBe(1);
  });

  test("a question does not wait for a model that is not loaded, and finds it loaded in a moment", async () => {
    const options = { threads: 1, timeoutMs: 60_000, runtime: null, runtimeFolder: "", workerUrl };
    const embedding = await createMiniLmEmbedding({ ...options, patienceMs: 0, restMs: 2_000 });
    expect(embedding.isLoaded()).toBe(false);
    await expect(embedding.embed(["cat"], "query", signal)).rejects.toMatchObject({ kind: "unreachable" });
    await until(() => embedding.isLoaded());
    expect((await embedding.embed(["cat"], "query", signal)).length).toBe(1);
    await until(() => !embedding.isLoaded());
    // Documents wait for it.
    expect((await embedding.embed(["cat"], "document", signal)).length).toBe(1);
    embedding.close();
  });

  test.each([0, 20, 60, 120, 250])(
    "may be closed at any moment: while it loads, and within a pass (%d ms)",
    async (ms) => {
      const options = { threads: 2, timeoutMs: 60_000, runtime: null, runtimeFolder: "", workerUrl };
      const embedding = await createMiniLmEmbedding(options);
      const work = embedding.embed(Array(200).fill("some words ".repeat(100)), "document", signal);
      const failed = work.catch((error: unknown) => error);
      await Bun.sleep(ms);
      await embedding.close();
      expect(await failed).toMatchObject({ name: "ProviderError" });
      expect(embedding.isLoaded()).toBe(false);
    },
  );

  test("weighs in the fusion where the query's words are known", async () => {
    const embedding = await open();
    expect(embedding.fusionWeight("how do i get my money back")).toBeCloseTo(0.5, 5);
    expect(embedding.fusionWeight("東京タワー")).toBe(0);
  });

  test("after its end it refuses", async () => {
    const options = { threads: 1, timeoutMs: 60_000, runtime: null, runtimeFolder: "", workerUrl };
    const embedding = await createMiniLmEmbedding(options);
    await embedding.close();
    await expect(embedding.embed(["cat"], "query", signal)).rejects.toMatchObject({ kind: "unreachable" });
  });
});

test.skipIf(isInstalled)("where onnxruntime lacks, the reason is told", async () => {
  const options = { threads: 1, timeoutMs: 60_000, runtime: null, runtimeFolder: "", workerUrl };
  const embedding = await createMiniLmEmbedding(options);
  await expect(embedding.embed(["cat"], "document", signal)).rejects.toMatchObject({ kind: "model_missing" });
});
