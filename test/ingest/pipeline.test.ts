import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { EmbeddingModel } from "../../providers/contract.ts";
import type { DocumentRecord, IndexInfo } from "../../src/domain/records.ts";
import { createPipeline } from "../../src/ingest/pipeline.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import { createScriptedEmbeddings, unreachable } from "../documents/scripted-embeddings.ts";
import { openTemporaryStore, silentLog, type TemporaryStore } from "../store/open-temporary-store.ts";

let temporary: TemporaryStore;
const never = new AbortController().signal;

beforeEach(async () => {
  temporary = await openTemporaryStore();
});

afterEach(() => temporary.dispose());

const pipelineWith = (
  embeddingFor: (index: IndexInfo) => EmbeddingModel | null,
  isChangingModel: () => boolean = () => false,
) =>
  createPipeline({
    store: temporary.store,
    fetchUrl: () => Promise.reject(new Error("nothing is fetched here")),
    parser: { parse: () => Promise.reject(new Error("nothing is parsed here")) },
    embeddingFor,
    isChangingModel,
    maxDocumentBytes: 1_000_000,
    log: silentLog,
  });

const beginAnother = (): Promise<IndexInfo> =>
  temporary.store.indexes.begin({ provider: "builtin", model: "next", dimensions: 8, analysisVersion: 1 });

const text = { text: "# Hours\n\nIn winter the reading room opens at nine.", pages: [] };

/** Number of the document's snippets that have a vector in the active index. */
const vectorsFound = async (documentId: string, organizationId: string): Promise<number> => {
  const view = temporary.store.openSnippets();
  const scope = { documentId, partitionId: null, metadata: null };
  const query = new Float32Array(8).fill(Math.sqrt(1 / 8));
  const hits = await view.searchVectors({ organizationId, partitionId: null }, scope, query, 10);
  view.close();
  return hits.length;
};

describe("index", () => {
  test("cuts, analyzes, embeds and counts, and reports its progress", async () => {
    const embeddings = createScriptedEmbeddings();
    const progress: object[] = [];
    const indexed = await pipelineWith(() => embeddings).index(text, never, {
      onProgress: (step) => progress.push(step),
    });
    expect(indexed).toMatchObject({ text: text.text, tokens: 12, pages: [] });
    expect(indexed.textHash).toBe(new Bun.CryptoHasher("sha256").update(text.text).digest("hex"));
    const [chunk] = indexed.chunks;
    expect(text.text.slice(chunk?.chunk.start, chunk?.chunk.end)).toBe(chunk?.chunk.text as string);
    expect(chunk?.terms).toContain("winter");
    expect(progress).toEqual([
      { pages: 0, chunks: 1, embedded: 0 },
      { pages: 0, chunks: 1, embedded: 1 },
    ]);
  });

  test("embeds for the index that is being built too", async () => {
    await beginAnother();
    const models = new Map([
      ["static", createScriptedEmbeddings()],
      ["next", createScriptedEmbeddings()],
    ]);
    const indexed = await pipelineWith(({ model }) => models.get(model) ?? null).index(text, never);
    expect([...(indexed.chunks[0]?.vectors.values() ?? [])].map((vector) => vector?.length)).toEqual([8, 8]);
    for (const { embedded } of models.values()) expect(embedded.length).toBe(1);
  });

  test.each(["static", "next"])("goes without vectors where only %s fails", async (failing) => {
    const next = await beginAnother();
    const indexed = await pipelineWith(({ model }) => {
      const embeddings = createScriptedEmbeddings();
      if (model === failing) embeddings.failure = unreachable();
      return embeddings;
    }).index(text, never);
    const vectors = indexed.chunks[0]?.vectors;
    // The index that is being built takes the document up later; the active one does without.
    expect(vectors?.has(next.id)).toBe(failing !== "next");
    expect(vectors?.get(temporary.store.indexes.active().id) === null).toBe(failing === "static");
  });

  test("goes without vectors of an index whose model is out of reach of the configuration", async () => {
    const next = await beginAnother();
    const embeddings = createScriptedEmbeddings();
    const indexed = await pipelineWith(({ model }) => (model === "next" ? embeddings : null)).index(text, never);
    expect(indexed.chunks[0]?.vectors.get(next.id)).toBeInstanceOf(Float32Array);
    expect(indexed.chunks[0]?.vectors.get(temporary.store.indexes.active().id)).toBeNull();
  });

  test("fails where no index gets vectors", async () => {
    await beginAnother();
    const embeddings = createScriptedEmbeddings();
    embeddings.failure = unreachable();
    await expect(pipelineWith(() => embeddings).index(text, never)).rejects.toMatchObject({ kind: "unreachable" });
    await expect(pipelineWith(() => null).index(text, never)).rejects.toMatchObject({ kind: "unreachable" });
  });

  test("goes without any vectors while the model is being changed", async () => {
    const embeddings = createScriptedEmbeddings();
    embeddings.failure = unreachable();
    const indexed = await pipelineWith(
      () => embeddings,
      () => true,
    ).index(text, never);
    expect([...(indexed.chunks[0]?.vectors ?? [])]).toEqual([[temporary.store.indexes.active().id, null]]);
  });

  test("refuses vectors of a wrong length or number", async () => {
    const wrong = (vectors: Float32Array[]): EmbeddingModel => ({
      ...createScriptedEmbeddings(),
      embed: async () => vectors,
    });
    for (const vectors of [[new Float32Array(7)], [], [new Float32Array(8), new Float32Array(8)]]) {
      await expect(pipelineWith(() => wrong(vectors)).index(text, never)).rejects.toMatchObject({ kind: "bad_answer" });
    }
  });

  test("stops when the caller goes away", async () => {
    const embeddings = createScriptedEmbeddings();
    embeddings.gate = new Promise(() => {});
    const leaving = new AbortController();
    const indexing = pipelineWith(() => embeddings).index(text, leaving.signal);
    setTimeout(() => leaving.abort("gone"), 20);
    expect(await indexing.catch((reason: unknown) => reason)).toBe("gone");
  });
});

describe("publish", () => {
  test("embeds anew where the index changed since", async () => {
    const embeddings = createScriptedEmbeddings();
    const pipeline = pipelineWith(() => embeddings);
    const indexed = await pipeline.index(text, never);
    await beginAnother();
    await temporary.store.indexes.promote();
    const document: DocumentRecord = { ...sampleDocument(), revision: null, status: "pending" };
    const published = await pipeline.publish(document, indexed, never);
    expect(published).toMatchObject({
      status: "processed",
      tokens: 12,
      progress: { pages: 0, chunks: 1, embedded: 1 },
    });
    expect(await vectorsFound(document.id, document.organizationId)).toBe(1);
  });
});
