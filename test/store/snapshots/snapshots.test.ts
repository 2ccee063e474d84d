import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../../src/domain/version.ts";
import {
  currentSchema,
  type Schema,
  StoreTooNewError,
  schemaVersion,
} from "../../../src/store/migrations/migrations.ts";
import { openStore } from "../../../src/store/open.ts";
import { cloneStore, planClone } from "../../../src/store/snapshots/clone-store.ts";
import { restoreSnapshot } from "../../../src/store/snapshots/restore-snapshot.ts";
import { listSnapshots, NoRoomForSnapshotError, takeSnapshot } from "../../../src/store/snapshots/snapshots.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { run } from "../../commands/run.ts";
import { hashesIn } from "../hashes-in.ts";
import { silentLog } from "../open-temporary-store.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "carrel-snapshots-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = (schema: Schema = currentSchema) =>
  openStore({ dataDir, index, log: silentLog, syncWrites: false, schema });
/** The schema after the program's, whose step marks all documents. */
const next = (work: () => void = () => undefined): Schema => ({
  version: schemaVersion + 1,
  steps: [
    {
      to: schemaVersion + 1,
      name: "documents get a mark",
      run: async ({ connection }) => {
        const documents = await connection.openTable("documents");
        await documents.addColumns([{ name: "mark", valueSql: "cast('m' as string)" }]);
        documents.close();
        work();
      },
    },
  ],
});
const publish = async (name: string): Promise<void> => {
  const store = await open();
  const { hash } = await store.blobs.put(new TextEncoder().encode(`the file ${name}`), 100);
  const document = sampleDocument({ name, sourceKind: "file", blobHash: hash });
  await store.documents.publish(document, name, sampleSnippets(document, [store.indexes.active().id], [name]));
  await store.close();
};
const names = async (schema = currentSchema): Promise<string[]> => {
  const store = await open(schema);
  const { items } = await store.documents.list(tenantOf(), {}, { limit: 10, skip: 0, sortOrder: "asc" });
  await store.close();
  return items.map(({ name }) => name).sort();
};

test("a newer store is refused by the names of both versions, and nothing of it is changed", async () => {
  await publish("apple");
  const before = await hashesIn(dataDir);
  await (await open(next())).close();
  const upgraded = await hashesIn(dataDir);
  const refusal = await open().then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(StoreTooNewError);
  const { message } = refusal as Error;
  expect(message).toContain(`was last used by Carrel ${version} (schema ${schemaVersion + 1})`);
  expect(message).toContain(`this is Carrel ${version}, which knows schemas up to ${schemaVersion}`);
  expect(message).toContain("`carrel restore --snapshot`");
  expect(message).toContain("restore a backup");
  expect(await hashesIn(dataDir)).toEqual(upgraded);

  const restored = await run(["restore", "--snapshot"], { env: { CARREL_DATA_DIR: dataDir } });
  expect(restored.status).toBe(0);
  expect(restored.out).toContain(`Start Carrel ${version} now`);
  expect(await hashesIn(dataDir)).toEqual(before);
  expect(await names()).toEqual(["apple"]);
});

test("without a snapshot of a schema that it knows, the way back is a backup", async () => {
  await publish("apple");
  await (await open(next())).close();
  await rm(join(dataDir, "snapshots"), { recursive: true });
  const refused = await run(["key", "list"], { env: { CARREL_DATA_DIR: dataDir } });
  expect(refused.status).toBe(1);
  expect(refused.err).toContain(`schema ${schemaVersion + 1}`);
  expect(refused.err).not.toContain("carrel restore --snapshot");
  expect(refused.err).toContain("restore a backup");
  const restored = await run(["restore", "--snapshot"], { env: { CARREL_DATA_DIR: dataDir } });
  expect({ status: restored.status, err: restored.err }).toEqual({
    status: 1,
    err: expect.stringContaining("holds no snapshot"),
  });
});

test("a snapshot is kept until the next upgrade", async () => {
  await publish("apple");
  await (await open(next())).close();
  expect((await listSnapshots(dataDir)).map(({ schema }) => schema)).toEqual([schemaVersion]);
  const [step] = next().steps;
  const after: Schema = {
    version: schemaVersion + 2,
    steps: [
      ...(step === undefined ? [] : [step]),
      { to: schemaVersion + 2, name: "nothing", run: async () => undefined },
    ],
  };
  await (await open(next())).close();
  expect(await readdir(join(dataDir, "snapshots"))).toHaveLength(1);
  await (await open(after)).close();
  expect((await listSnapshots(dataDir)).map(({ schema, isComplete }) => ({ schema, isComplete }))).toEqual([
    { schema: schemaVersion + 1, isComplete: true },
  ]);
  expect(await readdir(join(dataDir, "snapshots"))).toHaveLength(1);
});

test("after a failed upgrade the older program may go on; the next upgrade takes a snapshot of what it stored", async () => {
  await publish("apple");
  const failing = next(() => {
    throw new Error("the step fails");
  });
  await expect(open(failing)).rejects.toThrow("the step fails");
  await restoreSnapshot(dataDir);
  await publish("pear");
  await (await open(next())).close();
  await restoreSnapshot(dataDir);
  expect(await names()).toEqual(["apple", "pear"]);
});

test("what is stored, replaced and removed after the upgrade leaves the snapshot alone", async () => {
  await publish("apple");
  await publish("pear");
  const before = await hashesIn(dataDir);
  const store = await open(next());
  const { items } = await store.documents.list(tenantOf(), {}, { limit: 10, skip: 0, sortOrder: "asc" });
  for (const { id } of items) await store.documents.remove(tenantOf(), id);
  await store.close();
  expect(await names(next())).toEqual([]);
  await restoreSnapshot(dataDir);
  expect(await hashesIn(dataDir)).toEqual(before);
  expect(await names()).toEqual(["apple", "pear"]);
});

test("without room for the snapshot nothing is upgraded", async () => {
  await publish("apple");
  const before = await hashesIn(dataDir);
  const options = { dataDir, schema: 5, target: 6, program: null, log: silentLog, freeBytes: async () => 1_000_000 };
  const refusal = await takeSnapshot(options).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(NoRoomForSnapshotError);
  expect((refusal as Error).message).toMatch(/from schema 5 to 6.* takes \d+ MB .* the disk has 1 MB: free some space/);
  expect(await readdir(join(dataDir, "snapshots"))).toEqual([]);
  expect(await hashesIn(dataDir)).toEqual(before);
});

test("files that never change are linked, the others copied; without links all are copied", async () => {
  await publish("apple");
  const linked = join(dataDir, "linked");
  const copied = join(dataDir, "copied");
  await mkdir(linked);
  await mkdir(copied);
  const plan = await planClone(dataDir, linked);
  expect(plan.canLink).toBe(true);
  expect(plan.newBytes).toBeLessThan(plan.bytes);
  await cloneStore(plan, dataDir, linked);
  await cloneStore({ ...plan, canLink: false }, dataDir, copied);
  const links = async (folder: string): Promise<Map<string, number>> => {
    const counts = new Map<string, number>();
    for (const { path } of plan.files) counts.set(path, (await stat(join(folder, path))).nlink);
    return counts;
  };
  for (const [path, count] of await links(linked))
    expect({ path, count }).toEqual({
      path,
      count: /^files\/|\/(data|_deletions|_indices)\//.test(path) ? 2 : 1,
    });
  expect(new Set((await links(copied)).values())).toEqual(new Set([1]));
  expect(await hashesIn(linked)).toEqual(await hashesIn(dataDir));
  expect(await hashesIn(copied)).toEqual(await hashesIn(dataDir));
});

const shelve = async (name: string, schema: Schema): Promise<void> => {
  const store = await open(schema);
  await store.partitions.upsert(tenantOf(), name);
  await store.close();
};
const shelves = async (schema: Schema): Promise<string[]> => {
  const store = await open(schema);
  const { items } = await store.partitions.list(tenantOf(), { limit: 10, skip: 0, sortOrder: "asc" }, null);
  await store.close();
  return items.map(({ name }) => name).sort();
};

test("a restore that was cut off is finished or undone by the next start", async () => {
  await publish("apple");
  await shelve("before", currentSchema);
  await shelve("after", next());
  // Before its mark: nothing happened.
  await mkdir(join(dataDir, "restoring", "tables"), { recursive: true });
  expect(await shelves(next())).toEqual(["after", "before"]);
  expect(await readdir(dataDir)).not.toContain("restoring");

  // After its mark, at each of the moments between two renames.
  for (const renames of [0, 1, 2, 3]) {
    const [snapshot] = await listSnapshots(dataDir);
    const from = join(dataDir, "snapshots", snapshot?.name ?? "");
    const restoring = join(dataDir, "restoring");
    const aside = join("quarantine", `restore-${renames}`);
    await mkdir(restoring);
    await cloneStore(await planClone(from, restoring), from, restoring);
    await Bun.write(join(restoring, "restore.json"), JSON.stringify({ setAside: aside }));
    await mkdir(join(dataDir, aside), { recursive: true });
    const moves = [
      ["tables", join(aside, "tables")],
      ["restoring/tables", "tables"],
      ["files", join(aside, "files")],
    ].slice(0, renames) as [string, string][];
    for (const [source, target] of moves) await rename(join(dataDir, source), join(dataDir, target));
    expect(await shelves(currentSchema)).toEqual(["before"]);
    expect(await names()).toEqual(["apple"]);
    await shelve("after", next());
  }
});

test("the mark of an interrupted restore moves nothing out of the data directory", async () => {
  await publish("apple");
  for (const setAside of ["../elsewhere", "/elsewhere", "quarantine/../../elsewhere", "files", 5]) {
    const restoring = join(dataDir, "restoring");
    await Bun.write(join(restoring, "restore.json"), JSON.stringify({ setAside }));
    await expect(open(currentSchema)).rejects.toThrow("was not written by Carrel");
    await rm(restoring, { recursive: true });
  }
  expect(await names()).toEqual(["apple"]);
});

test("a store that is open is not taken back", async () => {
  await publish("apple");
  await (await open(next())).close();
  const store = await open(next());
  const refused = await run(["restore", "--snapshot"], { env: { CARREL_DATA_DIR: dataDir } });
  expect(refused.status).toBe(1);
  expect(refused.err).toContain("in use by process");
  expect(refused.err).toContain("stop it");
  await store.close();
});

test("files that came after the upgrade are set aside with the tables that name them, where there were none before", async () => {
  await (await open()).close();
  const steps = [{ to: schemaVersion + 1, name: "nothing", run: async () => undefined }];
  const store = await open({ version: schemaVersion + 1, steps });
  const { hash } = await store.blobs.put(new TextEncoder().encode("came later"), 100);
  const document = sampleDocument({ name: "later", sourceKind: "file", blobHash: hash });
  await store.documents.publish(document, "later", sampleSnippets(document, [store.indexes.active().id], ["later"]));
  await store.close();
  const { setAside } = await restoreSnapshot(dataDir);
  expect(await names()).toEqual([]); // this start sweeps files that nothing names
  expect(await Bun.file(join(setAside, "files", hash.slice(0, 2), hash)).text()).toBe("came later");
});
