import { afterAll, beforeAll, expect, test } from "bun:test";
import { createGate, createKeyedMutex } from "../../src/async/keyed-mutex.ts";
import type { KeyRecord } from "../../src/domain/records.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../tools/samples/records.ts";
import { openTemporaryStore, type TemporaryStore } from "./open-temporary-store.ts";

let temporary: TemporaryStore;
const tenant = tenantOf();
const firstPage = { limit: 10, skip: 0, sortOrder: "desc" } as const;
beforeAll(async () => {
  temporary = await openTemporaryStore();
});
afterAll(() => temporary.dispose());

const sampleKey = (change: Partial<KeyRecord> = {}): KeyRecord => ({
  id: Bun.randomUUIDv7(),
  organizationId: tenant.organizationId,
  userId: "user",
  name: "key",
  role: "writer",
  partitionId: null,
  hash: Bun.randomUUIDv7(),
  createdAt: Date.now(),
  expiresAt: null,
  ...change,
});

test("an organization is created once, also by concurrent calls", async () => {
  const { organizations } = temporary.store;
  const made = await Promise.all(Array.from({ length: 10 }, () => organizations.upsert("default")));
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await organizations.getByName("default")).toEqual(made[0] ?? null);
  expect(await organizations.getByName("none")).toBeNull();
  expect(await organizations.list()).toHaveLength(1);
});

test("keys: found by hash, listed and removed within their organization and partition", async () => {
  const { keys } = temporary.store;
  expect(keys.isEmpty()).toBe(true);
  const wide = sampleKey({ expiresAt: 5, createdAt: 1 });
  const narrow = sampleKey({ partitionId: "p1", createdAt: 2 });
  await Promise.all([keys.add(wide), keys.add(narrow)]);
  expect(keys.isEmpty()).toBe(false);
  expect(keys.getByHash(wide.hash)).toEqual(wide);
  expect((await keys.list(tenant, firstPage)).items).toEqual([narrow, wide]);
  expect((await keys.list(tenantOf(tenant.organizationId, "p1"), firstPage)).items).toEqual([narrow]);
  expect(await keys.remove(tenantOf("other"), wide.id)).toBe(false);
  expect(await keys.remove(tenantOf(tenant.organizationId, "p1"), wide.id)).toBe(false);
  expect(await keys.remove(tenant, wide.id)).toBe(true);
  expect(keys.getByHash(wide.hash)).toBeNull();
});

test("partitions: a name exists once, also after concurrent calls; renamed, searched, counted, removed", async () => {
  const { partitions, documents, indexes } = temporary.store;
  const made = await Promise.all(Array.from({ length: 20 }, () => partitions.upsert(tenant, "Büro's")));
  expect(new Set(made.map(({ partition }) => partition.id)).size).toBe(1);
  expect(made.filter(({ created }) => created)).toHaveLength(1);
  const id = made[0]?.partition.id ?? "";
  const other = (await partitions.upsert(tenantOf("other"), "Büro's")).partition;
  expect(other.id).not.toBe(id);
  expect(await partitions.get(tenant, other.id)).toBeNull();
  const { partition: second } = await partitions.upsert(tenant, "second");
  expect(await partitions.rename(tenant, second.id, "Büro's")).toBe("taken");
  expect(await partitions.rename(tenant, second.id, "third")).toMatchObject({ name: "third" });
  expect(await partitions.getByName(tenant, "second")).toBeNull();
  expect(await partitions.rename(tenantOf("other"), second.id, "x")).toBeNull();
  const document = sampleDocument({ partitionId: id });
  await documents.publish(document, "t", sampleSnippets(document, [indexes.active().id], ["t"]));
  expect(await partitions.countDocuments(tenant, id)).toBe(1);
  expect((await partitions.list(tenant, firstPage, "bÜRO")).items).toMatchObject([{ id, documents: 1 }]);
  expect((await partitions.list(tenant, { ...firstPage, limit: 1 }, null)).total).toBe(2);
  const limited = tenantOf(tenant.organizationId, id);
  expect((await partitions.list(limited, firstPage, null)).items.map((entry) => entry.id)).toEqual([id]);
  expect(await partitions.get(limited, second.id)).toBeNull();
  expect(await partitions.remove(limited, second.id)).toBe(false);
  await expect(partitions.upsert(limited, "elsewhere")).rejects.toMatchObject({ code: "key_limited" });
  expect(await partitions.remove(tenant, second.id)).toBe(true);
  expect(await partitions.get(tenant, second.id)).toBeNull();
  expect(await documents.listIdsInPartition(tenant, id, 10)).toEqual([document.id]);
});

test("work of one key runs one after another, work of different keys at once", async () => {
  const serialize = createKeyedMutex();
  const log: string[] = [];
  const work = (key: string, name: string) =>
    serialize(key, async () => {
      log.push(`+${name}`);
      await Bun.sleep(2);
      log.push(`-${name}`);
    });
  const failing = serialize("a", async () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  await Promise.all([work("a", "a1"), work("a", "a2"), work("b", "b1")]);
  expect(log.indexOf("+a2")).toBeGreaterThan(log.indexOf("-a1"));
  expect(log.indexOf("+b1")).toBeLessThan(log.indexOf("-a1"));
});

test("exclusive work waits for shared work and holds back what comes after", async () => {
  const gate = createGate();
  const log: string[] = [];
  const shared = (name: string) =>
    gate.shared(async () => {
      log.push(`+${name}`);
      await Bun.sleep(2);
      log.push(`-${name}`);
    });
  const first = [shared("s1"), shared("s2")];
  const exclusive = gate.exclusive(async () => {
    log.push("+x");
    await Bun.sleep(2);
    log.push("-x");
  });
  const second = shared("s3");
  await Promise.all([...first, exclusive, second]);
  expect(log).toEqual(["+s1", "+s2", "-s1", "-s2", "+x", "-x", "+s3", "-s3"]);
});
