import { expect, test } from "bun:test";
import { ProviderError, type ProviderErrorKind } from "../../providers/contract.ts";
import type { DocumentRecord } from "../../src/domain/records.ts";
import { embeddingInputHash } from "../../src/text/chunk/chunk.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import { unreachable } from "../documents/scripted-embeddings.ts";
import { openTemporaryStore, type TemporaryStore } from "../store/open-temporary-store.ts";
import { until } from "../until.ts";
import { type OpenEmbedder, openEmbedder, scriptedModel } from "./open-embedder.ts";

/** The tests wait for the pauses of the embedder, all at once: each has a store of its own. */
interface Place {
  store: TemporaryStore["store"];
  open(configured: ReturnType<typeof modelWith>): Promise<OpenEmbedder>;
  /** Closes what is open, as before a restart. */
  close(): Promise<void>;
  /** The words of those whose vector is of zeros. */
  refusedOf(words: readonly string[]): Promise<string[]>;
}
const inStore = async (work: (place: Place) => Promise<void>): Promise<void> => {
  const { store, dispose } = await openTemporaryStore();
  const opened: OpenEmbedder[] = [];
  const close = async (): Promise<void> => {
    for (const { embedder } of opened.splice(0)) await embedder.close();
  };
  try {
    await work({
      store,
      close,
      async open(configured) {
        const run = await openEmbedder(store, { configured });
        opened.push(run);
        return run;
      },
      async refusedOf(words) {
        const set = store.vectors.active() ?? store.vectors.building();
        const hashOf = (word: string) => embeddingInputHash({ context: "", text: textOf(word) });
        const known = await store.vectors.known(set?.id ?? "", "organization-1", words.map(hashOf));
        return words.filter((word) => known.get(hashOf(word))?.every((value) => value === 0));
      },
    });
  } finally {
    await close();
    await dispose();
  }
};

/** A model that does something of its own before each call. */
const modelWith = (before: (texts: readonly string[], signal: AbortSignal) => void | Promise<void>) => {
  const scripted = scriptedModel("next");
  const model: typeof scripted = {
    ...scripted,
    async embed(texts, kind, signal) {
      await before(texts, signal);
      return await scripted.embed(texts, kind, signal);
    },
  };
  return model;
};
let clock = 0;
const textOf = (word: string) => `All about ${word}.`;
const publish = ({ publish }: OpenEmbedder, word: string, change: Partial<DocumentRecord> = {}) =>
  publish(sampleDocument({ createdAt: ++clock, ...change }), textOf(word));
const failWith = (kind: ProviderErrorKind): never => {
  throw new ProviderError("embedding", kind, `the server answered with ${kind}`);
};
const isPoison = (texts: readonly string[]) => texts.some((text) => text.includes("poison"));
const good = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `good${from + at}`);

test.concurrent.each(["unreachable", "unauthorized", "bad_answer"] as const)(
  "a text for which the server fails with %s holds up no other, and is set aside in the end",
  (kind) =>
    inStore(async ({ open, refusedOf }) => {
      const calls: string[][] = [];
      const run = await open(
        modelWith((texts) => {
          calls.push([...texts]);
          if (isPoison(texts)) failWith(kind);
        }),
      );
      const older: DocumentRecord[] = [];
      for (const word of good(6)) older.push(await publish(run, word));
      const bad = await publish(run, "poison");
      const newer: DocumentRecord[] = [];
      for (const word of good(6, 6)) newer.push(await publish(run, word, { organizationId: "organization-2" }));
      run.embedder.start();
      await until(async () => !(await run.embedder.haveVectors([...older, ...newer])).includes(false));
      expect(await run.embedder.haveVectors([bad])).toEqual([false]);
      await run.settled();
      expect(await run.embedder.haveVectors([bad])).toEqual([true]);
      expect(await refusedOf(["poison", ...good(6)])).toEqual(["poison"]);
      expect(calls.filter((texts) => isPoison(texts) && texts.length === 1).length).toBeGreaterThanOrEqual(3);
    }),
);

test.concurrent("a text that makes the server fail for everything for a while does not keep the others for ever", () =>
  inStore(async ({ open, refusedOf }) => {
    let isAwayUntil = 0;
    const run = await open(
      modelWith((texts) => {
        if (isPoison(texts)) isAwayUntil = performance.now() + 300;
        if (performance.now() < isAwayUntil) throw unreachable();
      }),
    );
    await Promise.all([...good(6), "poison", ...good(6, 6)].map((word) => publish(run, word)));
    run.embedder.start();
    await run.settled();
    expect(await refusedOf(["poison", ...good(12)])).toEqual(["poison"]);
  }));

test.concurrent("a server that takes nothing for a while is waited for, and no text is set aside", () =>
  inStore(async ({ open, refusedOf }) => {
    let isAway = true;
    let calls = 0;
    const run = await open(
      modelWith(() => {
        calls += 1;
        if (isAway) failWith("timeout");
      }),
    );
    await Promise.all(good(40).map((word) => publish(run, word)));
    run.embedder.start();
    await until(() => calls > 4); // several pauses
    expect((await run.embedder.status()).error).toContain("timeout");
    expect((await run.embedder.status()).pending).toBe(40);
    isAway = false;
    await run.settled();
    expect(await refusedOf(good(40))).toEqual([]);
  }));

test.concurrent("the refused texts of one organization do not keep those of another that were in a call with them", () =>
  inStore(async ({ open }) => {
    let waitsMs = 0;
    const run = await open(
      modelWith(async (texts) => {
        if (!isPoison(texts)) return;
        await Bun.sleep(waitsMs);
        failWith("timeout");
      }),
    );
    const other = { organizationId: "organization-2" };
    const innocent: DocumentRecord[] = [];
    for (let at = 0; at < 20; at += 1) {
      await publish(run, `poison${at}`, other);
      if (at % 5 === 0) innocent.push(await publish(run, `good${at}`));
    }
    waitsMs = 300;
    run.embedder.start();
    await until(async () => !(await run.embedder.haveVectors(innocent)).includes(false));
    expect((await run.embedder.status()).pending).toBeGreaterThan(15);
  }));

test.concurrent("texts of a document that is removed or replaced are not sent any more", () =>
  inStore(async ({ store, open }) => {
    const sent: string[] = [];
    const run = await open(
      modelWith(async (texts) => {
        sent.push(...texts);
        await Bun.sleep(50);
      }),
    );
    const parts = (word: string) =>
      Array.from({ length: 600 }, (_, at) => `${word} ${at} of it `.repeat(20)).join("\n\n");
    const removed = await run.publish(sampleDocument({ createdAt: ++clock }), parts("first"));
    const replaced = await run.publish(sampleDocument({ createdAt: ++clock }), parts("second"));
    run.embedder.start();
    const countOf = (word: string) => sent.filter((text) => text.includes(`${word} `)).length;
    await until(() => countOf("first") > 0 && countOf("second") > 0);
    await store.documents.remove({ organizationId: "organization-1", partitionId: null }, removed.id);
    const sentOfRemoved = countOf("first");
    await run.publish({ ...replaced, revision: null }, textOf("something else"));
    const sentOfReplaced = countOf("second");
    await run.settled();
    expect([countOf("first"), countOf("second")]).toEqual([sentOfRemoved, sentOfReplaced]);
    expect(sent).toContain(textOf("something else"));
    expect(sentOfRemoved + sentOfReplaced).toBeLessThan(800);
  }));

test.concurrent("what was refused for a while is tried again after a restart, each text once, and only while it is there", () =>
  inStore(async ({ store, open, close, refusedOf }) => {
    let isIll = true;
    const sent: string[] = [];
    const restart = async (): Promise<OpenEmbedder> => {
      await close();
      sent.length = 0;
      return await open(
        modelWith((texts) => {
          sent.push(...texts);
          if (isPoison(texts) && isIll) failWith("bad_answer");
        }),
      );
    };
    const words = ["poison1", "good1", "poison2", "poison3"];
    const poisons = () => sent.filter((text) => text.includes("poison")).sort();
    const first = await restart();
    const documents: DocumentRecord[] = [];
    for (const word of words) documents.push(await publish(first, word));
    first.embedder.start();
    await first.settled();
    expect(await refusedOf(words)).toEqual(["poison1", "poison2", "poison3"]);

    const second = await restart();
    second.embedder.start();
    await until(() => poisons().length === 3);
    // Meanwhile a new document is not kept waiting.
    const late = await publish(second, "late");
    await until(async () => (await second.embedder.haveVectors([late]))[0] === true);
    expect(poisons()).toEqual(["poison1", "poison2", "poison3"].map(textOf));
    expect(await second.embedder.haveVectors(documents)).not.toContain(false);

    const removed = documents[2] as DocumentRecord;
    await store.documents.remove({ organizationId: "organization-1", partitionId: null }, removed.id);
    const third = await restart();
    isIll = false;
    third.embedder.start();
    await until(async () => (await refusedOf(words)).length === 0);
    await third.settled();
    expect(sent.sort()).toEqual([textOf("poison1"), textOf("poison3")]);
    expect(await third.embedder.haveVectors(documents)).toEqual([true, true, false, true]);
  }));

test.concurrent("a large document goes on after a restart where it was, and counts once it is whole", () =>
  inStore(async ({ store, open }) => {
    const sent: string[] = [];
    const stuck = Promise.withResolvers<void>();
    const configured = modelWith(async (texts, signal) => {
      sent.push(...texts);
      if (sent.length > 1_200)
        await Promise.race([stuck.promise, new Promise((end) => signal.addEventListener("abort", end))]);
      signal.throwIfAborted();
    });
    const run = await open(configured);
    const text = Array.from({ length: 1_500 }, (_, at) => `part ${at} of it`.repeat(50)).join("\n\n");
    const large = await run.publish(sampleDocument({ createdAt: ++clock }), text);
    run.embedder.start();
    await until(() => sent.length > 1_200);
    expect(await run.embedder.haveVectors([large])).toEqual([false]);
    await run.embedder.close();
    const before = new Set(sent.splice(0));
    stuck.resolve();

    const again = await open(modelWith((texts) => void sent.push(...texts)));
    again.embedder.start();
    await again.settled();
    expect(await again.embedder.haveVectors([large])).toEqual([true]);
    expect(sent.filter((text) => before.has(text)).length).toBeLessThan(400);
    const set = store.vectors.active();
    const { items } = await store.documents.list(
      { organizationId: "organization-1", partitionId: null },
      {},
      { limit: 1, skip: 0, sortOrder: "asc" },
    );
    const snippets = [...(await store.indexes.snippetsOf(items)).values()].flat();
    const known = await store.vectors.known(set?.id ?? "", "organization-1", snippets.map(embeddingInputHash));
    expect(known.size).toBe(new Set(snippets.map(embeddingInputHash)).size);
  }));
