import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError } from "../../../src/domain/errors.ts";
import { lockDataDir } from "../../../src/store/disk/lock.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { metaRows, schemaKey } from "../../../src/store/engine/meta-rows.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import {
  currentSchema,
  migrate,
  programKey,
  type Schema,
  schemaVersion,
} from "../../../src/store/migrations/migrations.ts";
import { openStore } from "../../../src/store/open.ts";
import { NoRoomToOpenError } from "../../../src/store/recovery/no-room-to-open.ts";
import { restoreSnapshot } from "../../../src/store/snapshots/restore-snapshot.ts";
import {
  listSnapshots,
  NoRoomForSnapshotError,
  snapshotsFolder,
  takeSnapshot,
} from "../../../src/store/snapshots/snapshots.ts";
import { loadLibc } from "../../../src/system/libc.ts";
import { hashesIn } from "../hashes-in.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "carrel-full-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = (schema: Schema = currentSchema) =>
  openStore({ dataDir, index, log: silentLog, syncWrites: false, schema });
const organizations = async (schema?: Schema): Promise<string[]> => {
  const store = await open(schema);
  const found = await store.organizations.list();
  await store.close();
  return found.map(({ name }) => name).sort();
};
const fill = async (): Promise<void> => {
  const store = await open();
  for (const name of ["first", "second", "third"]) await store.organizations.upsert(name);
  await store.blobs.put(new TextEncoder().encode("a file"), 100);
  await store.close();
};

/** A step that gives an organization another name; then the disk does what `disk` does. */
const renaming = (disk: () => Promise<void> | void): Schema => ({
  version: schemaVersion + 1,
  steps: [
    {
      to: schemaVersion + 1,
      name: "the first is renamed",
      run: async ({ connection }) => {
        const table = await connection.openTable("organizations");
        await table.optimize(); // one file of several rows: the update names one of them as removed
        await table.update({ where: "name = 'first'", values: { name: "renamed", checksum: null } });
        table.close();
        await disk();
      },
    },
  ],
});
const noSpace = () => {
  throw new Error("lance error: No space left on device (os error 28), /lance/writer.rs:255:9");
};
/** What LanceDB does on a disk that is full for a moment: it makes the files, writes nothing to them, and succeeds. */
const cutDeletionsOff = async (): Promise<void> => {
  const deletions = join(dataDir, "tables/organizations.lance/_deletions");
  for (const name of await readdir(deletions)) await truncate(join(deletions, name), 0);
};

test("a step whose commit the full disk cut off is not noted as done: the next start repeats it", async () => {
  await fill();
  await expect(open(renaming(cutDeletionsOff))).rejects.toThrow(NoRoomToOpenError);
  expect(await organizations(renaming(() => undefined))).toEqual(["renamed", "second", "third"]);
});

test("a disk that fills up during an upgrade is named, with the ways on and back", async () => {
  await fill();
  const before = await hashesIn(dataDir);
  const refusal = await open(renaming(noSpace)).catch(String);
  expect(refusal).toContain(`The disk of the data in ${dataDir} is full: free at least 64 MB and start again.`);
  expect(refusal).toContain(`from schema ${schemaVersion} to ${schemaVersion + 1} then goes on`);
  expect(refusal).toContain("`carrel restore --snapshot`");
  expect(refusal).not.toContain(".rs");
  await restoreSnapshot(dataDir);
  expect(await hashesIn(dataDir)).toEqual(before);
});

test("an upgrade that was interrupted does not go on without room", async () => {
  await fill();
  await expect(open(renaming(noSpace))).rejects.toThrow(NoRoomToOpenError);
  const versions = { schema: schemaVersion, target: schemaVersion + 1, program: null };
  const refusal = takeSnapshot({ dataDir, ...versions, log: silentLog, freeBytes: async () => 10_000_000 });
  await expect(refusal).rejects.toThrow(NoRoomForSnapshotError);
  await expect(refusal).rejects.toThrow("`carrel restore --snapshot`");
  expect(await organizations(renaming(() => undefined))).toEqual(["renamed", "second", "third"]);
});

test("an upgrade that was given up is over: the next one takes a snapshot of what was stored since", async () => {
  await fill();
  await expect(open(renaming(noSpace))).rejects.toThrow(NoRoomToOpenError);
  const [first] = await listSnapshots(dataDir);
  await restoreSnapshot(dataDir);
  // Programs that know no snapshots start next, and note nothing in them.
  expect(await listSnapshots(dataDir)).toEqual([{ ...first, isComplete: true } as NonNullable<typeof first>]);
  expect(await organizations(renaming(() => undefined))).toEqual(["renamed", "second", "third"]);
  const [second, ...others] = await listSnapshots(dataDir);
  expect([second?.name === first?.name, others]).toEqual([false, []]);
});

test("the next upgrade takes a snapshot of its own where the end of the last one could not be noted", async () => {
  await fill();
  expect(await organizations(renaming(() => undefined))).toEqual(["renamed", "second", "third"]);
  const [first] = await listSnapshots(dataDir);
  const { name = "", ...facts } = first ?? {};
  await writeFile(
    join(snapshotsFolder(dataDir), name, "snapshot.json"),
    JSON.stringify({ ...facts, isComplete: false }),
  );
  const steps = [
    ...renaming(() => undefined).steps,
    { to: schemaVersion + 2, name: "none", run: async () => undefined },
  ];
  expect(await organizations({ version: schemaVersion + 2, steps })).toEqual(["renamed", "second", "third"]);
  expect((await listSnapshots(dataDir)).map(({ schema }) => schema)).toEqual([schemaVersion + 1]);
});

test("on a full disk, another program of the same schema opens the store", async () => {
  const { lance, connection } = await connect(dataDir);
  const opener = await createTableOpener(lance, connection, silentLog);
  const context = { lance, connection, brokenDeletions: passiveHooks.brokenDeletions, log: silentLog };
  const schema: Schema = { version: 2, steps: [{ to: 2, name: "none", run: async () => undefined }] };
  const roomy = await opener.open(metaRows, passiveHooks);
  await roomy.upsert("meta", [
    { id: programKey, value: "0.0.1" },
    { id: schemaKey, value: "2" },
  ]);
  const onFullDisk = async () =>
    migrate(
      await opener.open(metaRows, {
        ...passiveHooks,
        reserve: () => Promise.reject(new ApiError("storage_unavailable", "the disk is full")),
      }),
      context,
      schema,
    );
  await onFullDisk();
  expect((await roomy.find({})).find(({ id }) => id === programKey)?.value).toBe("0.0.1");
  await roomy.upsert("meta", [{ id: schemaKey, value: "1" }]);
  await expect(onFullDisk()).rejects.toThrow("the disk is full");
  connection.close();
});

test("the file of the lock keeps its place on the disk, where a full one has no other", async () => {
  const lock = await lockDataDir(dataDir, loadLibc());
  await lock.release(true);
  expect((await stat(join(dataDir, "lock"))).size).toBeGreaterThan(0);
  const next = await lockDataDir(dataDir, loadLibc());
  expect(next.wasClean).toBe(true);
  await next.release(true);
});
