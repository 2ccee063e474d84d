import { afterEach, expect, test } from "bun:test";
import type { DocumentRecord } from "../../src/domain/records.ts";
import { createPipeline } from "../../src/ingest/pipeline.ts";
import { embeddingInputHash } from "../../src/text/chunk/embedding-input.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import { type ScriptedEmbeddings, unreachable } from "../documents/scripted-embeddings.ts";
import { openTemporaryStore, silentLog, type TemporaryStore } from "../store/open-temporary-store.ts";
import { until } from "../until.ts";
import {
  type EmbedderStore,
  type OpenEmbedder,
  openEmbedder,
  scriptedModel,
  withMemoryVectors,
} from "./open-embedder.ts";

const never = new AbortController().signal;
const opened: OpenEmbedder[] = [];
const temporaries: TemporaryStore[] = [];
afterEach(async () => {
  for (const { embedder } of opened.splice(0)) await embedder.close();
  for (const temporary of temporaries.splice(0)) await temporary.dispose();
});

const textOf = (word: string) => `All about ${word}.`;
const words = Array.from({ length: 30 }, (_, at) => `word${at}`);

/** A store as the version before left it: its search index holds the vectors of the configured model. */
const earlierStore = async (
  model: ScriptedEmbeddings,
): Promise<{ store: EmbedderStore; documents: DocumentRecord[] }> => {
  const temporary = await openTemporaryStore({ provider: model.provider, model: model.model });
  temporaries.push(temporary);
  const pipeline = createPipeline({
    store: temporary.store,
    fetchUrl: () => Promise.reject(new Error("nothing is fetched here")),
    parser: { parse: () => Promise.reject(new Error("nothing is parsed here")) },
    embeddingFor: () => model,
    maxDocumentBytes: 1_000_000,
    log: silentLog,
  });
  const documents = await Promise.all(
    words.map(async (word) =>
      pipeline.publish(sampleDocument(), await pipeline.index({ text: textOf(word), pages: [] }, never), never),
    ),
  );
  return { store: withMemoryVectors(temporary.store), documents };
};
const open = async (...options: Parameters<typeof openEmbedder>) => {
  const next = await openEmbedder(...options);
  opened.push(next);
  return next;
};
const hashOf = (word: string) => embeddingInputHash({ context: "", text: textOf(word) });
const vectorsOf = async (store: EmbedderStore, documents: readonly DocumentRecord[]) =>
  documents.map((document, at) => store.vectors.vectorOf(document, hashOf(`word${at}`)));
const heldVectors = async (store: EmbedderStore, documents: readonly DocumentRecord[]) => {
  const held = await store.indexes.snippetsOf(documents);
  return documents.map(({ id }) => held.get(id)?.[0]?.vector ?? null);
};

test.each([1, 2])("its vectors become a vector set, and none is made again (analysis %d)", async (analysisVersion) => {
  const { store, documents } = await earlierStore(scriptedModel("old"));
  const vectors = await heldVectors(store, documents);
  const configured = scriptedModel("old");
  // Away: nothing of this needs the model.
  configured.failure = unreachable();
  const run = await open(store, { configured, analysisVersion });
  expect(run.embedder.modelFor(store.indexes.active())?.model).toBe("old");
  run.embedder.start();
  await until(() => store.indexes.active().model === "static");
  expect(store.indexes.active()).toMatchObject({ provider: "builtin", analysisVersion });
  expect(await heldVectors(store, documents)).not.toContain(null);
  expect(store.vectors.active()).toMatchObject({ provider: "ollama", model: "old" });
  expect(await vectorsOf(store, documents)).toEqual(vectors);
  await run.settled();
  expect(store.vectors.active()?.analysisVersion).toBe(analysisVersion);
  expect(await vectorsOf(store, documents)).toEqual(vectors);
  expect(configured.embedded).toEqual([]);
});

test("documents that come before it is replaced are found by text, and get both kinds of vectors", async () => {
  const { store } = await earlierStore(scriptedModel("old"));
  const configured = scriptedModel("old");
  const run = await open(store, { configured });
  const fresh = await run.publish(sampleDocument(), textOf("fresh"));
  expect([fresh.status, (await heldVectors(store, [fresh]))[0]]).toEqual(["processed", null]);
  run.embedder.start();
  await run.settled();
  expect((await heldVectors(store, [fresh]))[0]).toBeInstanceOf(Float32Array);
  expect(store.vectors.vectorOf(fresh, hashOf("fresh"))?.some((value) => value !== 0)).toBe(true);
  expect(configured.embedded).toEqual([textOf("fresh")]);
});

test("with another model configured, its vectors answer until the new ones are whole", async () => {
  const old = scriptedModel("old");
  const { store, documents } = await earlierStore(old);
  const configured = scriptedModel("next");
  const gate = Promise.withResolvers<void>();
  configured.gate = gate.promise;
  const run = await open(store, { configured, makeFormerModel: async () => old });
  run.embedder.start();
  await until(() => store.vectors.building()?.model === "next");
  expect(store.vectors.active()?.model).toBe("old");
  expect((await run.embedder.status()).active.model).toBe("old");
  gate.resolve();
  await run.settled();
  expect(store.vectors.active()?.model).toBe("next");
  expect(configured.embedded.length).toBe(documents.length);
});

test("with the static model configured, or one that no longer reaches it, its vectors go", async () => {
  for (const configured of [null, scriptedModel("next")]) {
    const { store } = await earlierStore(scriptedModel("old"));
    const run = await open(store, { configured });
    run.embedder.start();
    await run.settled();
    expect(store.indexes.active().model).toBe("static");
    expect(store.vectors.active()?.model ?? null).toBe(configured?.model ?? null);
    await run.embedder.close();
  }
});

test("an index that an earlier version made for a model it never reached takes documents at once", async () => {
  const temporary = await openTemporaryStore({ provider: "ollama", model: "old", dimensions: 0 });
  temporaries.push(temporary);
  const store = withMemoryVectors(temporary.store);
  const configured = scriptedModel("old");
  configured.failure = unreachable();
  const run = await open(store, { configured });
  expect(store.indexes.active()).toMatchObject({ model: "static", dimensions: 8 });
  expect((await run.publish(sampleDocument(), textOf("one"))).status).toBe("processed");
});
