import { afterEach, beforeEach, expect, test } from "bun:test";
import type { DocumentRecord } from "../../src/domain/records.ts";
import type { Store } from "../../src/store/contract.ts";
import { analyze } from "../../src/text/analysis/analyze.ts";
import { sampleDocument, tenantOf } from "../../tools/samples/records.ts";
import { openTemporaryStore, type TemporaryStore } from "../store/open-temporary-store.ts";
import { until } from "../until.ts";
import { openEmbedder } from "./open-embedder.ts";

let temporary: TemporaryStore;
beforeEach(async () => {
  temporary = await openTemporaryStore();
});
afterEach(() => temporary.dispose());

const tenant = tenantOf();
const heldOf = async (store: Store, document: DocumentRecord) =>
  (await store.indexes.snippetsOf([document])).get(document.id) ?? [];
const textOf = (word: string) => `# ${word}\n\nAll about ${word}.`;

test("documents that come, change, move and go meanwhile are in the new index exactly as they are", async () => {
  const { store } = temporary;
  const { embedder, publish, settled } = await openEmbedder(store, { analysisVersion: 2 });
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
  await settled();

  expect(store.indexes.active()).toMatchObject({ model: "static", state: "active", analysisVersion: 2 });
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

test("a new analysis: cut anew from the stored text, with its pages", async () => {
  const { store } = temporary;
  const { publish } = await openEmbedder(store);
  const document = await publish(sampleDocument(), textOf("heating"), [{ page: 7, start: 0 }]);
  const next = await openEmbedder(store, { analysisVersion: 2 });
  next.embedder.start();
  await next.settled();
  expect(store.indexes.active()).toMatchObject({ model: "static", analysisVersion: 2 });
  const snippets = await heldOf(store, document);
  expect(snippets.map(({ text, page }) => [text, page])).toEqual([[textOf("heating"), 7]]);
  expect(snippets[0]?.vector).not.toBeNull();
  await next.embedder.close();
});

test("closing in mid-work leaves what is done, and the next start goes on with it", async () => {
  const { store } = temporary;
  const first = await openEmbedder(store, { analysisVersion: 2 });
  await Promise.all(Array.from({ length: 300 }, (_, at) => first.publish(sampleDocument(), textOf(`word${at}`))));
  let calls = 0;
  const { embed } = first.builtin;
  first.builtin.embed = async function (texts, kind, signal) {
    calls += 1;
    if (calls > 1) this.gate = new Promise(() => {});
    return embed.call(this, texts, kind, signal);
  };
  first.embedder.start();
  await until(() => calls >= 2);
  await first.embedder.close();
  const { done, total } = await store.indexes.missing(0);
  expect([done, total]).toEqual([128, 300]);

  const second = await openEmbedder(store, { analysisVersion: 2 });
  expect((await second.embedder.status()).building).toEqual({
    provider: "builtin",
    model: "static",
    done: 128,
    total: 300,
    error: null,
  });
  second.embedder.start();
  await second.settled();
  expect(second.builtin.embedded.length).toBe(172);
  await second.embedder.close();
});
