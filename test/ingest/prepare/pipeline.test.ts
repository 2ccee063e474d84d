import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { EmbeddingModel } from "../../../providers/contract.ts";
import type { DocumentRecord, IndexInfo } from "../../../src/domain/records.ts";
import { type IngestPipeline, tracedPipeline } from "../../../src/ingest/prepare/contract.ts";
import { createPipeline } from "../../../src/ingest/prepare/pipeline.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";
import { createScriptedEmbeddings } from "../../documents/scripted-embeddings.ts";
import { openTemporaryStore, silentLog, type TemporaryStore } from "../../store/open-temporary-store.ts";

let temporary: TemporaryStore;
const never = new AbortController().signal;

beforeEach(async () => {
  temporary = await openTemporaryStore();
});

afterEach(() => temporary.dispose());

const pipelineWith = (embeddingFor: (index: IndexInfo) => EmbeddingModel | null, onPublished = () => {}) =>
  createPipeline({
    store: temporary.store,
    fetchUrl: () => Promise.reject(new Error("nothing is fetched here")),
    parser: { parse: () => Promise.reject(new Error("nothing is parsed here")) },
    embeddingFor,
    onPublished,
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

  test("an active index of another model gets no vectors, one that is being built no entry", async () => {
    const next = await beginAnother();
    const active = temporary.store.indexes.active();
    const embeddings = createScriptedEmbeddings();
    const building = await pipelineWith(({ model }) => (model === "next" ? embeddings : null)).index(text, never);
    expect(building.chunks[0]?.vectors.get(next.id)).toBeInstanceOf(Float32Array);
    expect(building.chunks[0]?.vectors.get(active.id)).toBeNull();
    const legacy = await pipelineWith(() => null).index(text, never);
    expect([...(legacy.chunks[0]?.vectors ?? [])]).toEqual([[active.id, null]]);
  });
});

describe("publish", () => {
  test("embeds anew where the index changed since", async () => {
    const embeddings = createScriptedEmbeddings();
    let told = 0;
    const pipeline = pipelineWith(
      () => embeddings,
      () => {
        told += 1;
      },
    );
    const indexed = await pipeline.index(text, never);
    expect(told).toBe(0);
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
    expect(told).toBe(1);
  });
});

test("storing new documents is a span, those of an import too", async () => {
  const spans: string[] = [];
  const given: unknown[] = [];
  const pipeline = {
    async publishNew(...args: unknown[]) {
      given.push(args.at(-1));
      return [];
    },
  } as unknown as IngestPipeline;
  const span = ((name: string, work: (span: { note(): void }) => unknown) => {
    spans.push(name);
    return work({ note: () => {} });
  }) as unknown as Parameters<typeof tracedPipeline>[1]["span"];
  await tracedPipeline(pipeline, { span }).publishNew([], [], never, true);
  expect([spans, given]).toEqual([["ingest.publish"], [true]]);
});
