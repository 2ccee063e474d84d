import { afterEach, expect, test } from "bun:test";
import type { DocumentRecord } from "../../../src/domain/records.ts";
import { createPipeline } from "../../../src/ingest/pipeline.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";
import { createScriptedEmbeddings } from "../../documents/scripted-embeddings.ts";
import { openTemporaryStore, silentLog, type TemporaryStore } from "../../store/open-temporary-store.ts";

const never = new AbortController().signal;
const open: TemporaryStore[] = [];
afterEach(async () => {
  for (const temporary of open.splice(0)) await temporary.dispose();
});

const section = (number: number) =>
  `## Part ${number}\n\n${`Pump ${number} stands in hall ${number} of the works. `.repeat(30)}`;
const textOf = (...numbers: number[]) => ({ text: numbers.map(section).join("\n\n"), pages: [] });

/** A store that holds a document of three parts, and pipelines that, as after a restart, remember nothing. */
const heldIn = async (model: { provider: string; model: string }) => {
  const temporary = await openTemporaryStore(model);
  open.push(temporary);
  const afterRestart = () => {
    const embeddings = createScriptedEmbeddings();
    const pipeline = createPipeline({
      store: temporary.store,
      fetchUrl: () => Promise.reject(new Error("nothing is fetched here")),
      parser: { parse: () => Promise.reject(new Error("nothing is parsed here")) },
      embeddingFor: () => embeddings,
      maxDocumentBytes: 1_000_000,
      log: silentLog,
    });
    return { embeddings, pipeline };
  };
  const { pipeline } = afterRestart();
  const document: DocumentRecord = { ...sampleDocument(), revision: null, status: "pending" };
  const indexed = await pipeline.index(textOf(1, 2, 3), never);
  const published = await pipeline.publish(document, indexed, never);
  const vectors = indexed.chunks.map((chunk) => [...chunk.vectors.values()][0]);
  const tenant = { organizationId: document.organizationId, partitionId: null };
  return { afterRestart, document: published, tenant, vectors, store: temporary.store };
};

const remote = { provider: "ollama", model: "some-model" };

test("the same content in another document costs no second embedding after a restart", async () => {
  const { afterRestart, tenant, vectors } = await heldIn(remote);
  const { embeddings, pipeline } = afterRestart();
  const again = await pipeline.index(textOf(1, 2, 3), never, { owner: { tenant, document: null } });
  expect(embeddings.embedded).toEqual([]);
  expect(again.chunks.map((chunk) => [...chunk.vectors.values()][0])).toEqual(vectors);
});

test("of a changed text only what changed is embedded", async () => {
  const { afterRestart, document, tenant } = await heldIn(remote);
  const { embeddings, pipeline } = afterRestart();
  await pipeline.index(textOf(1, 2, 4), never, { owner: { tenant, document } });
  expect(embeddings.embedded.length).toBeGreaterThan(0);
  for (const text of embeddings.embedded) expect(text).toContain("Pump 4");
});

test("another organization's content is not looked at, nor anything for the built-in table", async () => {
  const { afterRestart, tenant } = await heldIn(remote);
  const other = afterRestart();
  await other.pipeline.index(textOf(1), never, {
    owner: { tenant: { ...tenant, organizationId: "another" }, document: null },
  });
  expect(other.embeddings.embedded.length).toBeGreaterThan(0);

  const cheap = await heldIn({ provider: "builtin", model: "static" });
  const again = cheap.afterRestart();
  await again.pipeline.index(textOf(1, 2, 3), never, { owner: { tenant: cheap.tenant, document: cheap.document } });
  expect(again.embeddings.embedded.length).toBeGreaterThan(0);
});

test("vectors of an index that is active no longer are not taken", async () => {
  const { afterRestart, document, tenant, store } = await heldIn(remote);
  const { embeddings, pipeline } = afterRestart();
  await store.indexes.begin({ provider: "ollama", model: "next", dimensions: 8, analysisVersion: 1 });
  const indexed = await pipeline.index(textOf(1, 2, 3), never, { owner: { tenant, document } });
  // The old index's are held, the new one's are not.
  expect(embeddings.embedded.length).toBe(indexed.chunks.length);
});
