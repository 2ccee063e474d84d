import { afterEach, beforeEach, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FrozenStore, wholeTenant } from "../../../src/store/contract.ts";
import { restoredMark } from "../../../src/store/disk/lock.ts";
import type { StoreTable } from "../../../src/store/engine/store-table.ts";
import { whileStill } from "../../../src/store/freeze/freeze.ts";
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, silentLog, type TemporaryStore } from "../open-temporary-store.ts";

let temporary: TemporaryStore;
let elsewhere: string;
beforeEach(async () => {
  temporary = await openTemporaryStore({ segmentRows: { full: 3, merged: 18 } });
  elsewhere = await mkdtemp(join(tmpdir(), "carrel-frozen-"));
});
afterEach(async () => {
  await temporary.dispose();
  await rm(elsewhere, { recursive: true, force: true });
});

const tenant = tenantOf();
const publish = async (name: string): Promise<string> => {
  const { store } = temporary;
  const { hash } = await store.blobs.put(new TextEncoder().encode(`file of ${name}`), 1_000);
  const document = sampleDocument({ name, blobHash: hash });
  const snippets = sampleSnippets(document, [store.indexes.active().id], [`${name} nests here`]);
  await store.documents.add({ ...document, revision: null, status: "pending" } as never, name);
  await store.documents.publish(document, name, snippets);
  return document.id;
};

/** Opens a copy of what was kept, as a restore makes it. */
const openKept = async (frozen: FrozenStore) => {
  for (const { path, source } of frozen.files) {
    await mkdir(dirname(join(elsewhere, path)), { recursive: true });
    await cp(source, join(elsewhere, path));
  }
  await writeFile(join(elsewhere, "lock"), restoredMark);
  const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
  return openStore({ dataDir: elsewhere, index, log: silentLog, syncWrites: false });
};

test("what was written before the mark is in it, with its file; what comes later is not", async () => {
  const before = await Promise.all(Array.from({ length: 20 }, (_, index) => publish(`heron ${index}`)));
  const frozen = await temporary.store.freeze();
  expect(frozen.documents).toBe(20);
  const later = await publish("late heron");
  // Deleted after the mark, from the disk too: it is kept all the same.
  await Promise.all(before.map((id) => temporary.store.documents.remove(tenant, id)));
  const kept = await openKept(frozen);
  try {
    for (const id of before) {
      const document = await kept.documents.get(tenant, id);
      expect(document?.status).toBe("processed");
      expect(await kept.blobs.read(document?.blobHash ?? "")).not.toBeNull();
    }
    expect(await kept.documents.get(tenant, later)).toBeNull();
    // Its index was being merged: each of its snippets is there once.
    const view = kept.openSnippets();
    const weights = { titleWeight: 0.5, headingWeight: 0.25 };
    const found = await view.searchText(tenant, wholeTenant, [{ term: "nests", weight: 1 }], {
      limit: 100,
      ...weights,
    });
    view.close();
    expect(found.map(({ documentId }) => documentId).sort()).toEqual(before.toSorted());
  } finally {
    await kept.close();
    await frozen.release();
  }
  expect(await readdir(temporary.dataDir)).not.toContain("frozen");
});

test("a deleted file stays until every backup has released it", async () => {
  const id = await publish("heron");
  const [one, two] = await Promise.all([temporary.store.freeze(), temporary.store.freeze()]);
  const source = one.files.find(({ sha256 }) => sha256 !== null)?.source ?? "";
  await temporary.store.documents.remove(tenant, id);
  await one.release();
  await one.release(); // a second time changes nothing
  expect((await stat(source)).isFile()).toBe(true);
  await two.release();
  expect(await Bun.file(source).exists()).toBe(false);
});

test("a file that is named again meanwhile stays", async () => {
  const id = await publish("heron");
  const frozen = await temporary.store.freeze();
  const source = frozen.files.find(({ sha256 }) => sha256 !== null)?.source ?? "";
  await temporary.store.documents.remove(tenant, id);
  await publish("heron");
  await frozen.release();
  expect((await stat(source)).isFile()).toBe(true);
});

test("what a killed process kept is removed when the store is opened", async () => {
  const left = join(temporary.dataDir, "frozen/x/tables");
  await mkdir(left, { recursive: true });
  await writeFile(join(left, "rows"), "rows");
  await temporary.store.close();
  const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
  const again = await openStore({ dataDir: temporary.dataDir, index, log: silentLog, syncWrites: false });
  expect(await readdir(temporary.dataDir)).not.toContain("frozen");
  await again.close();
});

/** A table of which only the queue matters. */
const queueOnly = () => {
  let tail: Promise<unknown> = Promise.resolve();
  const table = {
    alone: <R>(work: () => Promise<R>): Promise<R> => {
      const mine = tail.then(work);
      tail = mine.catch(() => undefined);
      return mine;
    },
  } as unknown as StoreTable<unknown>;
  return table;
};

test("writes wait while the tables are still, and the last table stops after the others", async () => {
  const [one, two, last] = [queueOnly(), queueOnly(), queueOnly()];
  const order: string[] = [];
  // A commit of another table waits for a write to the last one: it must get through.
  const commit = one.alone(async () => {
    await Bun.sleep(5);
    await last.alone(async () => void order.push("write to the last"));
    order.push("commit");
  });
  const still = whileStill(
    () => [one, two],
    last,
    async (tables) => {
      order.push(`still ${tables.length}`);
      void one.alone(async () => void order.push("waited"));
      await Bun.sleep(5);
      order.push("done");
      return 7;
    },
  );
  expect(await still).toBe(7);
  await commit;
  await one.alone(async () => undefined);
  expect(order).toEqual(["write to the last", "commit", "still 3", "done", "waited"]);
});

test("a table that is opened meanwhile is stopped too; a failure lets all go on", async () => {
  const [one, late, last] = [queueOnly(), queueOnly(), queueOnly()];
  const open = [one];
  void one.alone(async () => void open.push(late));
  const failing = whileStill(
    () => open,
    last,
    async (tables) => {
      expect(tables).toHaveLength(3);
      throw new Error("no");
    },
  );
  expect(await failing.catch((error: unknown) => String(error))).toBe("Error: no");
  for (const table of [one, late, last]) await table.alone(async () => undefined);
});
