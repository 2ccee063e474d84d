import { afterEach, beforeEach, expect, test } from "bun:test";
import type { DocumentRecord } from "../../src/domain/records.ts";
import { createEmbedder } from "../../src/embedder/embedder.ts";
import { createPipeline } from "../../src/ingest/pipeline.ts";
import type { Store } from "../../src/store/contract.ts";
import { analyze } from "../../src/text/analysis/analyze.ts";
import { sampleDocument, tenantOf } from "../../tools/samples/records.ts";
import { createScriptedEmbeddings, type ScriptedEmbeddings } from "../documents/scripted-embeddings.ts";
import { openTemporaryStore, silentLog, type TemporaryStore } from "../store/open-temporary-store.ts";

let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await openTemporaryStore();
});
afterEach(() => temporary.dispose());

const never = new AbortController().signal;
const tenant = tenantOf();

/** The embedder and the ingest of one process: the old model is the store's, the new one is called `next`. */
const open = async (next: Partial<ScriptedEmbeddings>, analysisVersion = 1) => {
  const { store } = temporary;
  const old = createScriptedEmbeddings();
  const configured = Object.assign(createScriptedEmbeddings(), { model: "next", ...next });
  const embedder = await createEmbedder({
    store,
    configured,
    dimensions: null,
    analysisVersion,
    makeIndexModel: async () => old,
    isBusy: () => false,
    log: silentLog,
  });
  const pipeline = createPipeline({
    store,
    fetchUrl: () => Promise.reject(new Error("nothing is fetched here")),
    parser: { parse: () => Promise.reject(new Error("nothing is parsed here")) },
    embeddingFor: embedder.modelFor,
    isChangingModel: embedder.isChanging,
    beforeIndexing: embedder.ready,
    maxDocumentBytes: 1_000_000,
    log: silentLog,
  });
  const publish = async (
    document: DocumentRecord,
    text: string,
    pages: { page: number; start: number }[] = [],
  ): Promise<DocumentRecord> => pipeline.publish(document, await pipeline.index({ text, pages }, never), never);
  const changed = async () => {
    while ((await embedder.status()).building !== null) await Bun.sleep(5);
  };
  return { store, old, configured, embedder, publish, changed };
};

const heldOf = async (store: Store, document: DocumentRecord) =>
  (await store.indexes.snippetsOf([document])).get(document.id) ?? [];
const textOf = (word: string) => `# ${word}\n\nAll about ${word}.`;

test("documents that come, change, move and go meanwhile are in the new index exactly as they are", async () => {
  const { store, embedder, publish, changed } = await open({});
  const documents = await Promise.all(
    Array.from({ length: 60 }, (_, at) => publish(sampleDocument({ name: `first ${at}` }), textOf(`old${at}`))),
  );
  const expected = new Map(documents.map(({ id }, at) => [id, `old${at}`]));
  embedder.start();
  const work = documents.map(async (document, at) => {
    if (at % 6 === 0) {
      await publish({ ...document, revision: null }, textOf(`new${at}`));
      expected.set(document.id, `new${at}`);
    } else if (at % 6 === 1) {
      await store.documents.remove(tenant, document.id);
      expected.delete(document.id);
    } else if (at % 6 === 2) {
      await store.documents.relabel(tenant, document.id, {
        name: { name: "moved", titleTerms: analyze("moved").join(" ") },
      });
    } else if (at % 6 === 3) {
      const added = await publish(sampleDocument({ name: "added" }), textOf(`added${at}`));
      expected.set(added.id, `added${at}`);
    }
  });
  await Promise.all(work);
  await changed();

  expect(store.indexes.active()).toMatchObject({ model: "next", state: "active" });
  expect(await store.indexes.lacksVectors()).toBe(false);
  const page = await store.documents.list(tenant, {}, { limit: 100, skip: 0, sortOrder: "asc" });
  expect(page.total).toBe(expected.size);
  for (const document of page.items) {
    const snippets = await heldOf(store, document);
    const word = expected.get(document.id) ?? "none";
    expect(snippets.map(({ text }) => text)).toEqual([textOf(word)]);
    expect(snippets[0]?.titleTerms).toBe(analyze(document.name).join(" "));
  }
  await embedder.close();
});

test("a new analysis alone: cut anew from the stored text, its vectors kept, its pages too", async () => {
  const { store, publish } = await open({ model: "static" });
  const document = await publish(sampleDocument(), textOf("heating"), [{ page: 7, start: 0 }]);
  const next = await open({ model: "static" }, 2);
  next.embedder.start();
  await next.changed();
  expect(store.indexes.active()).toMatchObject({ model: "static", analysisVersion: 2 });
  const snippets = await heldOf(store, document);
  expect(snippets.map(({ text, page }) => [text, page])).toEqual([[textOf("heating"), 7]]);
  expect(snippets[0]?.vector).not.toBeNull();
  expect(next.configured.embedded).toEqual([]);
  await next.embedder.close();
});

test("closing in mid-work leaves what is done, and the next start goes on with it", async () => {
  const first = await open({});
  await Promise.all(Array.from({ length: 200 }, (_, at) => first.publish(sampleDocument(), textOf(`word${at}`))));
  let calls = 0;
  const { embed } = first.configured;
  first.configured.embed = async function (texts, kind, signal) {
    calls += 1;
    if (calls > 1) this.gate = new Promise(() => {});
    return embed.call(this, texts, kind, signal);
  };
  first.embedder.start();
  while (calls < 2) await Bun.sleep(5);
  await first.embedder.close();
  const { done, total } = await first.store.indexes.missing(0);
  expect([done, total]).toEqual([64, 200]);

  const second = await open({});
  expect((await second.embedder.status()).building).toEqual({
    provider: "builtin",
    model: "next",
    done: 64,
    total: 200,
    error: null,
  });
  second.embedder.start();
  await second.changed();
  expect(second.configured.embedded.length).toBe(136);
  await second.embedder.close();
});
