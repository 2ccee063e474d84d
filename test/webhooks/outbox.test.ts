import { afterEach, expect, setSystemTime, test } from "bun:test";
import type { WebhookDelivery } from "../../src/domain/records.ts";
import type { DeliveryStore } from "../../src/store/contract.ts";
import { configuredEndpoints } from "../../src/webhooks/endpoint.ts";
import { pauseBeforeAttempt } from "../../src/webhooks/held-deliveries.ts";
import { createOutbox, settlePrepared } from "../../src/webhooks/outbox.ts";
import { sampleDocument } from "../../tools/samples/records.ts";
import { liveFor } from "../store/live-for.ts";
import { openTemporaryStore } from "../store/open-temporary-store.ts";
import { secret } from "./receiver.ts";

afterEach(() => {
  setSystemTime();
});

const endpoints = configuredEndpoints([{ url: "http://127.0.0.1:9/hook", secret, events: [] }]);

const makeOutbox = (deliveries: DeliveryStore, onReady: (delivery: WebhookDelivery) => void = () => {}) =>
  createOutbox({ endpoints, deliveries, baseUrl: () => "http://carrel.example", areEmbeddedAtOnce: true, onReady });

test("work that fails or comes to nothing tells nothing", async () => {
  const { store, dispose } = await openTemporaryStore();
  const ready: string[] = [];
  const outbox = makeOutbox(store.deliveries, ({ id }) => void ready.push(id));
  const document = sampleDocument({ organizationId: "o" });
  const failing = outbox.around("document.processed", document, () => Promise.reject(new Error("full")));
  await expect(failing).rejects.toThrow("full");
  await failing.catch(() => {});
  expect(await outbox.around("document.deleted", document, async () => false, Boolean)).toBe(false);
  expect(ready).toEqual([]);
  expect(await store.deliveries.listPrepared(10)).toEqual([]);
  await dispose();
});

test("work on several documents is told of each, or of none", async () => {
  const { store, dispose } = await openTemporaryStore();
  const ready: string[] = [];
  const outbox = makeOutbox(store.deliveries, ({ documentId }) => void ready.push(documentId));
  const documents = [sampleDocument({ organizationId: "o" }), sampleDocument({ organizationId: "o" })];
  await outbox.around("document.processed", documents, async () => {}).catch(() => {});
  expect(ready).toEqual(documents.map(({ id }) => id));
  const failing = outbox.around("document.processed", documents, () => Promise.reject(new Error("full")));
  await expect(failing).rejects.toThrow("full");
  await failing.catch(() => {});
  const page = { limit: 10, skip: 0, sortOrder: "asc" } as const;
  const { items } = await store.deliveries.list({ organizationId: "o", partitionId: null }, {}, page);
  expect(items.map(({ documentId }) => documentId).sort()).toEqual(documents.map(({ id }) => id).sort());
  await dispose();
});

test("after a crash what was done is told and what was not done is not", async () => {
  const { store, dispose } = await openTemporaryStore();
  const stored = sampleDocument({ organizationId: "o", status: "failed", error: "x" });
  await store.documents.add(stored, null);
  const gone = sampleDocument({ organizationId: "o" });
  // A run that ends between the writing down and the rest.
  const crash = new Promise<never>(() => {});
  const outbox = makeOutbox(store.deliveries);
  for (const [event, document] of [
    ["document.failed", stored],
    ["document.deleted", stored],
    ["document.deleted", gone],
    ["document.failed", gone],
    ["document.processed", { ...stored, revision: Bun.randomUUIDv7() }],
  ] as const) {
    void outbox.around(event, document, () => crash);
  }
  while ((await store.deliveries.listPrepared(10)).length < 5) await Bun.sleep(5);
  await settlePrepared(store.deliveries, store.documents);
  expect(await store.deliveries.listPrepared(10)).toEqual([]);
  const { items } = await store.deliveries.list(
    { organizationId: "o", partitionId: null },
    {},
    { limit: 10, skip: 0, sortOrder: "asc" },
  );
  expect(items.map(({ event, documentId, state }) => [event, documentId, state]).sort()).toEqual([
    ["document.deleted", gone.id, "waiting"],
    ["document.failed", stored.id, "waiting"],
  ]);
  await dispose();
});

test("settled deliveries go after their time, and beyond their number, oldest first", async () => {
  const { store, dispose } = await openTemporaryStore();
  const outbox = makeOutbox(store.deliveries);
  for (let made = 0; made < 4; made++) {
    await outbox.around("document.processed", sampleDocument({ organizationId: "o" }), async () => {});
  }
  const all = await store.deliveries.listPrepared(10);
  const [oldest, second, third] = all;
  if (oldest === undefined || second === undefined || third === undefined) throw new Error("four were made");
  const dayMs = 86_400_000;
  await store.deliveries.put({ ...oldest, state: "delivered" });
  // A clock that is years ahead makes nothing old.
  setSystemTime(new Date(Date.now() + 1_500 * dayMs));
  expect(await store.deliveries.removeSettled({ olderThanMs: 7 * dayMs, most: 10 })).toBe(0);
  setSystemTime();
  liveFor(store.ages, 7.5);
  await store.deliveries.put({ ...second, state: "abandoned", createdAt: Date.now() });
  await store.deliveries.put({ ...third, state: "delivered", createdAt: Date.now() + 1 });
  expect(await store.deliveries.removeSettled({ olderThanMs: 7 * dayMs, most: 10 })).toBe(1);
  expect(await store.deliveries.removeSettled({ olderThanMs: 7 * dayMs, most: 1 })).toBe(1);
  expect(await store.deliveries.removeSettled({ olderThanMs: 7 * dayMs, most: 1 })).toBe(0);
  expect(await store.deliveries.find(oldest.id)).toBeNull();
  expect(await store.deliveries.find(second.id)).toBeNull();
  expect(await store.deliveries.find(third.id)).not.toBeNull();
  expect(await store.deliveries.listPrepared(10)).toHaveLength(1);
  await dispose();
});

test("pauses grow from seconds on and end after a day", () => {
  const pauses: number[] = [];
  let sinceMs = 0;
  for (;;) {
    const pauseMs = pauseBeforeAttempt(pauses.length + 1, sinceMs, 0.5);
    if (pauseMs === null) break;
    pauses.push(pauseMs);
    sinceMs += pauseMs;
  }
  expect(pauses[0]).toBeLessThan(3_000);
  expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
  expect(sinceMs).toBeGreaterThan(18 * 3_600_000);
  expect(sinceMs).toBeLessThanOrEqual(24 * 3_600_000);
});
