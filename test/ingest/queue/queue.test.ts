import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { FileParser } from "../../../providers/contract.ts";
import type { DocumentRecord } from "../../../src/domain/records.ts";
import type { IngestPipeline } from "../../../src/ingest/prepare/contract.ts";
import { createDocumentTurns } from "../../../src/ingest/prepare/document-turn.ts";
import { createPipeline } from "../../../src/ingest/prepare/pipeline.ts";
import { createIngestQueue, type IngestQueue } from "../../../src/ingest/queue/queue.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";
import { createScriptedEmbeddings, type ScriptedEmbeddings, unreachable } from "../../documents/scripted-embeddings.ts";
import { openTemporaryStore, silentLog, type TemporaryStore } from "../../store/open-temporary-store.ts";
import { until } from "../../until.ts";

const noParser: FileParser = { parse: () => Promise.reject(new Error("nothing is parsed here")) };

let temporary: TemporaryStore;
let embeddings: ScriptedEmbeddings;
let pipeline: IngestPipeline;
let queues: IngestQueue[];

beforeEach(async () => {
  temporary = await openTemporaryStore();
  embeddings = createScriptedEmbeddings();
  queues = [];
  pipeline = createPipeline({
    store: temporary.store,
    fetchUrl: () => Promise.reject(new Error("nothing is fetched here")),
    parser: noParser,
    embeddingFor: () => embeddings,
    maxDocumentBytes: 1_000_000,
    log: silentLog,
  });
});

afterEach(async () => {
  for (const queue of queues) await queue.close();
  await temporary.dispose();
});

const startQueue = async (maxWaitingPerOrganization = 100): Promise<IngestQueue> => {
  const turns = createDocumentTurns(2);
  const options = { store: temporary.store, pipeline, turns, maxWaitingPerOrganization, log: silentLog };
  const queue = createIngestQueue(options);
  queues.push(queue);
  await queue.start();
  return queue;
};

const tenantOf = ({ organizationId }: DocumentRecord) => ({ organizationId, partitionId: null });

/** A stored document that waits, as an asynchronous ingest leaves it. */
const addPending = async (at: number, change: Partial<DocumentRecord> = {}): Promise<DocumentRecord> => {
  const document: DocumentRecord = {
    ...sampleDocument(),
    name: `Document ${at}`,
    sourceKind: "text",
    status: "pending",
    revision: null,
    createdAt: 1_000 + at,
    ...change,
  };
  await temporary.store.documents.add(document, `Text number ${at}.`);
  return document;
};

const current = async (document: DocumentRecord): Promise<DocumentRecord | null> =>
  temporary.store.documents.get(tenantOf(document), document.id);

const whenFinished = async (documents: readonly DocumentRecord[]): Promise<void> => {
  for (const document of documents)
    await until(async () => !["pending", "processing"].includes((await current(document))?.status ?? "gone"));
};

describe("at a start", () => {
  test("documents that an earlier run left are processed, also those it was at", async () => {
    const waiting = await addPending(1);
    const interrupted = await addPending(2, { status: "processing", attempts: 3 });
    const failed = await addPending(3, { status: "failed", error: "because" });
    await startQueue();
    await whenFinished([waiting, interrupted]);
    expect(await current(waiting)).toMatchObject({ status: "processed", attempts: 0, tokens: 5 });
    expect(await current(interrupted)).toMatchObject({ status: "processed", error: null });
    expect(await current(failed)).toMatchObject({ status: "failed", error: "because" });
  });

  test("more than fit into memory are processed all the same, each once", async () => {
    const documents = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        addPending(at, { organizationId: at < 20 ? "organization-a" : "organization-b" }),
      ),
    );
    await temporary.store.organizations.upsert("unused");
    const organizations = [{ id: "organization-a" }, { id: "organization-b" }];
    const list = temporary.store.organizations.list.bind(temporary.store.organizations);
    temporary.store.organizations.list = async () => [
      ...(await list()),
      ...organizations.map(({ id }) => ({ id, name: id, createdAt: 0 })),
    ];
    await startQueue(4);
    await whenFinished(documents);
    for (const document of documents) expect((await current(document))?.status).toBe("processed");
    expect([...embeddings.embedded].sort()).toEqual(documents.map((_, at) => `Text number ${at}.`).sort());
  });
});

describe("while it works", () => {
  test("documents accepted beyond what fits into memory are processed in time", async () => {
    const gate = Promise.withResolvers<void>();
    embeddings.gate = gate.promise;
    const queue = await startQueue(3);
    const documents = await Promise.all(Array.from({ length: 80 }, (_, at) => addPending(at)));
    documents.forEach((document, at) => {
      queue.enqueue({ ...document, accepted: { document, text: `Text number ${at}.` } });
    });
    gate.resolve();
    await whenFinished(documents);
    expect(embeddings.embedded.length).toBe(80);
    expect(queue.size).toEqual({ waiting: 0, running: 0 });
  });

  test("a stop puts running documents back, and the next start resumes them", async () => {
    embeddings.gate = new Promise(() => {});
    const queue = await startQueue();
    const document = await addPending(1);
    queue.enqueue(document);
    await until(async () => (await current(document))?.status === "processing");
    await queue.close();
    expect(await current(document)).toMatchObject({ status: "pending", attempts: 0 });
    embeddings.gate = Promise.resolve();
    await startQueue();
    await whenFinished([document]);
    expect((await current(document))?.status).toBe("processed");
  });

  test("exclusive work aborts a job, runs one after another, and the document is resumed afterwards", async () => {
    const gate = Promise.withResolvers<void>();
    embeddings.gate = gate.promise;
    const queue = await startQueue();
    const document = await addPending(1);
    queue.enqueue(document);
    await until(() => queue.isRunning(document.id));
    const order: string[] = [];
    const work = (name: string) => async () => {
      order.push(`${name} begins`);
      expect(queue.isRunning(document.id)).toBeFalse();
      await Bun.sleep(10);
      order.push(`${name} ends`);
    };
    const tenant = tenantOf(document);
    await Promise.all([
      queue.exclusively(tenant, document.id, work("first")),
      queue.exclusively(tenant, document.id, work("second")),
    ]);
    expect(order).toEqual(["first begins", "first ends", "second begins", "second ends"]);
    gate.resolve();
    await whenFinished([document]);
    expect((await current(document))?.status).toBe("processed");
  });

  test("a document whose model was away is tried again after its pause", async () => {
    embeddings.failure = unreachable();
    const queue = await startQueue();
    const document = await addPending(1);
    queue.enqueue(document);
    await until(async () => (await current(document))?.nextAttemptAt !== null);
    expect(await current(document)).toMatchObject({ status: "pending", attempts: 1 });
    embeddings.failure = null;
    await whenFinished([document]);
    expect((await current(document))?.status).toBe("processed");
  });

  test("a fault of the document itself fails it at once, with the reason", async () => {
    const queue = await startQueue();
    const document = await addPending(1, { sourceKind: "file", blobHash: "0".repeat(64) });
    queue.enqueue(document);
    await whenFinished([document]);
    expect(await current(document)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("is missing, which uploading it again mends"),
      attempts: 1,
      nextAttemptAt: null,
    });
  });

  test("an unforeseen fault fails it without telling what only the log may hold", async () => {
    const queue = await startQueue();
    const document = await addPending(1, { sourceKind: "website", originalUrl: "https://example.com" });
    queue.enqueue(document);
    await whenFinished([document]);
    const { status, error } = (await current(document)) ?? {};
    expect(status).toBe("failed");
    expect(error).not.toContain("nothing is fetched here");
  });
});
