import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { ProviderError } from "../../providers/contract.ts";
import type { DocumentRecord } from "../../src/domain/records.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import { unreachable } from "../documents/scripted-embeddings.ts";
import { openTemporaryStore, type TemporaryStore } from "../store/open-temporary-store.ts";
import { until } from "../until.ts";
import { type OpenEmbedder, openEmbedder, scriptedModel } from "./open-embedder.ts";

let temporary: TemporaryStore;
let store: TemporaryStore["store"];
const opened: OpenEmbedder[] = [];
beforeEach(async () => {
  temporary = await openTemporaryStore();
  store = temporary.store;
});
afterEach(async () => {
  for (const { embedder } of opened.splice(0)) await embedder.close();
  await temporary.dispose();
});

/** As after a restart with this model. */
const open = async (...[options]: Parameters<typeof openEmbedder> extends [unknown, ...infer Rest] ? Rest : never) => {
  const next = await openEmbedder(store, options);
  opened.push(next);
  return next;
};
const textOf = (word: string) => `All about ${word}.`;
/** Documents of different ages, the oldest first. */
let clock = 0;
const aged = () => sampleDocument({ createdAt: ++clock });
const publishAll = ({ publish }: OpenEmbedder, words: readonly string[]): Promise<DocumentRecord[]> =>
  Promise.all(words.map((word) => publish(aged(), textOf(word))));
const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => textOf(`part ${at} of it`.repeat(50))).join("\n\n");

test("a status asked while a change begins tells nothing of it as done", async () => {
  const wanted = { provider: "ollama", model: "next", modelRevision: "", dimensions: 8, analysisVersion: 1 };
  const { vectors, documents } = temporary.store;
  /** The change begins while the status is being counted. */
  const thenBegin = async <T>(counted: Promise<T>): Promise<T> => {
    const result = await counted;
    await vectors.begin(wanted);
    return result;
  };
  const beginning = {
    ...temporary.store,
    vectors: { ...vectors, pending: () => thenBegin(vectors.pending()) },
    documents: { ...documents, countByStatus: () => thenBegin(documents.countByStatus()) },
  };
  const run = await openEmbedder(beginning, { configured: scriptedModel("next") });
  opened.push(run);
  await publishAll(run, ["one", "two"]);
  expect(await run.embedder.status()).toMatchObject({ active: { model: "static" }, building: { done: 0, total: 2 } });
});

test("a model that is away: documents are processed, the status says why, and nothing is lost", async () => {
  const configured = scriptedModel("next");
  configured.failure = unreachable();
  const run = await open({ configured });
  run.embedder.start();
  const documents = await publishAll(run, ["one", "two"]);
  expect(documents.map(({ status, progress }) => [status, progress.embedded])).toEqual([
    ["processed", 1],
    ["processed", 1],
  ]);
  await until(async () => (await run.embedder.status()).error !== null);
  expect(await run.embedder.haveVectors(documents)).toEqual([false, false]);
  expect(await run.embedder.status()).toMatchObject({ pending: 2, error: expect.stringContaining("cannot reach") });

  configured.failure = null;
  // A question that reaches the model ends the pause.
  const set = store.vectors.building() ?? store.vectors.active();
  if (set === null) throw new Error("there is no set");
  await run.embedder.vectorModelFor(set)?.embed(["a question"], "query", new AbortController().signal);
  await run.settled();
  expect(await run.embedder.haveVectors(documents)).toEqual([true, true]);
  expect(await run.embedder.status()).toMatchObject({ pending: 0, error: null, building: null });
  // One sentence shows that the model takes texts again.
  const texts = ["A plain sentence.", textOf("one"), textOf("two"), "a question"];
  expect([...configured.embedded].sort()).toEqual(texts.sort());
});

test("the newest documents first, and those that come meanwhile before the backlog", async () => {
  const configured = scriptedModel("next");
  configured.gate = new Promise(() => {});
  const before = await open({ configured });
  const backlog = await publishAll(
    before,
    Array.from({ length: 600 }, (_, at) => `old${at}`),
  );
  await before.embedder.close();
  const next = scriptedModel("next");
  let calls = 0;
  const run = await open({
    configured: {
      ...next,
      async embed(texts, kind, signal) {
        if (++calls === 3) await publishAll(run, ["fresh"]);
        await Bun.sleep(10 * texts.length);
        return next.embed(texts, kind, signal);
      },
    },
  });
  run.embedder.start();
  await run.settled();
  expect(next.embedded[0]).toBe(textOf("old599"));
  const fresh = next.embedded.indexOf(textOf("fresh"));
  expect(fresh).toBeGreaterThan(-1);
  expect(fresh).toBeLessThan(next.embedded.indexOf(textOf("old100")));
  expect(next.embedded.length).toBe(backlog.length + 1);
});

test("a restart in the middle goes on, and no text is embedded twice", async () => {
  const configured = scriptedModel("next");
  const first = await open({ configured });
  first.embedder.start();
  await until(() => store.vectors.active() !== null);
  const stuck = Promise.withResolvers<void>();
  await publishAll(first, words);
  await first.settled();
  configured.gate = stuck.promise;
  await publishAll(first, ["later", "last"]);
  expect((await first.embedder.status()).pending).toBe(2);
  await first.embedder.close();
  const again = scriptedModel("next");
  const second = await open({ configured: again });
  second.embedder.start();
  await second.settled();
  expect([...again.embedded].sort()).toEqual([textOf("last"), textOf("later")]);
  // The same text in another document, and in a new revision of its own.
  const [twin] = await publishAll(second, ["word3"]);
  await second.settled();
  expect(again.embedded.length).toBe(2);
  expect(await second.embedder.haveVectors([twin as DocumentRecord])).toEqual([true]);
});

test("a large document is embedded and added in parts; a new one does not wait for it", async () => {
  const configured = scriptedModel("next");
  const run = await open({
    configured: {
      ...configured,
      async embed(texts, kind, signal) {
        if (configured.embedded.length === 0) await publishAll(run, ["small"]);
        await Bun.sleep(200);
        return configured.embed(texts, kind, signal);
      },
    },
  });
  const large = await run.publish(aged(), many(1_500));
  expect(large.progress.chunks).toBeGreaterThan(1_024);
  const add = spyOn(store.vectors, "add");
  run.embedder.start();
  await run.settled();
  const isOfLarge = add.mock.calls.map(([, additions]) => additions.some(({ document }) => document.id === large.id));
  expect(isOfLarge).toEqual([false, true, true, true]);
});

test("a failure in the middle of a large document costs none of its vectors", async () => {
  const configured = scriptedModel("next");
  let isAway = false;
  const run = await open({
    configured: {
      ...configured,
      async embed(texts, kind, signal) {
        if (configured.embedded.length > 600 && !isAway) {
          isAway = true;
          throw unreachable();
        }
        return configured.embed(texts, kind, signal);
      },
    },
  });
  const large = await run.publish(aged(), many(1_500));
  run.embedder.start();
  await run.settled();
  expect(isAway).toBe(true);
  expect(configured.embedded.length).toBe(new Set(configured.embedded).size);
  expect(await run.embedder.haveVectors([large])).toEqual([true]);
});

test("a change that is taken back while the old model is away: what that made is there", async () => {
  const old = scriptedModel("old");
  const first = await open({ configured: old });
  first.embedder.start();
  const documents = await publishAll(first, words);
  await first.settled();
  await first.embedder.close();
  const next = scriptedModel("next");
  next.failure = unreachable();
  const changing = await open({ configured: next });
  changing.embedder.start();
  await until(() => store.vectors.building()?.model === "next");
  await changing.embedder.close();
  const back = await open({ configured: { ...old, dimensions: () => Promise.reject(unreachable()) } });
  back.embedder.start();
  await until(async () => (await back.embedder.status()).pending === 0);
  expect(await back.embedder.haveVectors(documents)).not.toContain(false);
});

test("a new analysis takes over the vectors of texts that it cuts alike", async () => {
  const first = await open({ configured: scriptedModel("next") });
  first.embedder.start();
  await publishAll(first, words);
  await first.settled();
  await first.embedder.close();
  const configured = scriptedModel("next");
  const second = await open({ configured, analysisVersion: 2 });
  second.embedder.start();
  await until(() => store.vectors.active()?.analysisVersion === 2);
  expect(configured.embedded).toEqual([]);
});

test("a model that cannot run, and that nobody asked for by name, is done without", async () => {
  const configured = scriptedModel("next");
  configured.failure = new ProviderError("embedding", "model_missing", "there is no library for it");
  const run = await open({ configured, isOptional: true });
  const documents = await publishAll(run, ["one"]);
  run.embedder.start();
  await until(async () => (await run.embedder.status()).active.model === "static");
  await run.settled();
  expect(await run.embedder.haveVectors(documents)).toEqual([true]);
  expect([store.vectors.active(), store.vectors.building()]).toEqual([null, null]);
});

test("at rest the model and the store are left alone", async () => {
  const configured = scriptedModel("next");
  const run = await open({ configured });
  run.embedder.start();
  await publishAll(run, words);
  await run.settled();
  let looks = 0;
  const { lacking } = store.vectors;
  store.vectors.lacking = (limit) => {
    looks += 1;
    return lacking(limit);
  };
  // What was under way ends; then there is nothing for so long.
  await until(async () => {
    const before = looks;
    await Bun.sleep(300);
    return looks === before;
  }, "the store is left alone");
});
