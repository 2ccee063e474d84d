import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { restoreSnapshot } from "../../../src/store/snapshots/restore-snapshot.ts";
import { listSnapshots, snapshotsFolder } from "../../../src/store/snapshots/snapshots.ts";
import { startTestServer } from "../../start-server.ts";
import { auditStored } from "./audit.ts";
import type { Expected } from "./expected.ts";
import { hashesIn, storedVersions, unpackStore } from "./unpack.ts";

/** Starts a server on the store and compares what it holds. */
const audit = async (dataDir: string, expected: Expected): Promise<void> => {
  const server = await startTestServer({}, { adminKey: expected.keys.admin }, dataDir);
  await auditStored(server.url, expected).finally(server.stop);
};

const child = join(import.meta.dir, "upgrade-child.ts");

/** @returns the lines that were logged until the end, and whether it was killed */
const upgradeIn = async (dataDir: string, linesBeforeEnd = 0) => {
  const run = Bun.spawn([process.execPath, child, dataDir, String(linesBeforeEnd)], { stdout: "pipe", stderr: "pipe" });
  const out = await new Response(run.stdout).text();
  await run.exited;
  const lines = out.split("\n").filter((line) => line.startsWith("{"));
  return {
    lines: lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    isKilled: run.signalCode === "SIGKILL",
  };
};

test.each([...storedVersions])(
  "a store of schema %s holds the same after the upgrade, and can go back",
  async (name) => {
    const { dataDir, expected, dispose } = await unpackStore(name);
    const before = await hashesIn(dataDir);
    await audit(dataDir, expected);
    const snapshots = await listSnapshots(dataDir);
    expect(snapshots.map(({ schema, target, isComplete }) => ({ schema, target, isComplete }))).toEqual(
      name === "v5" ? [] : [{ schema: expected.schema, target: 5, isComplete: true }],
    );
    const [snapshot] = snapshots;
    if (snapshot !== undefined) {
      // Linked files share their content with tables that were written to since.
      expect(await hashesIn(join(snapshotsFolder(dataDir), snapshot.name))).toEqual(before);
      const { setAside } = await restoreSnapshot(dataDir);
      expect(await hashesIn(dataDir)).toEqual(before);
      expect((await readdir(setAside)).sort()).toEqual(["files", "secret", "tables"]);
      await audit(dataDir, expected);
    } else await expect(restoreSnapshot(dataDir)).rejects.toThrow("holds no snapshot");
    await dispose();
  },
);

/** What is logged while a store of schema 2 is upgraded. The kills are at these points. */
const points = [
  "a snapshot is taken before the upgrade",
  "the files of the snapshot are there",
  "a snapshot was kept before the upgrade",
  "migrating the store",
  "a chat over the whole organization that a key limited to a partition may have made was narrowed to that partition: an unlimited key can set its partitionId to null again",
  "the step of the migration is done",
  "the schema of the store is noted",
  "migrating the store",
  "the step of the migration is done",
  "the schema of the store is noted",
  "migrating the store",
  "the step of the migration is done",
  "the schema of the store is noted",
  "the upgrade is complete; its snapshot is kept until the next one",
];

test("the points of an upgrade", async () => {
  const { dataDir, dispose } = await unpackStore("v2");
  const { lines } = await upgradeIn(dataDir);
  expect(lines.slice(0, points.length)).toEqual(points);
  await dispose();
});

/** The snapshot is whole, so that there is something to go back to. */
const kept = points.indexOf("a snapshot was kept before the upgrade") + 1;

test.each(points.map((point, index) => [index + 1, point] as const))(
  "killed at point %i of an upgrade (%s), it starts soundly, or goes back soundly",
  async (at) => {
    const { dataDir, expected, dispose } = await unpackStore("v2");
    const before = await hashesIn(dataDir);
    expect((await upgradeIn(dataDir, at)).isKilled).toBe(true);
    if (at < kept) {
      // Nothing of the store was touched.
      await expect(restoreSnapshot(dataDir)).rejects.toThrow("holds no snapshot");
      expect(await hashesIn(dataDir)).toEqual(before);
    }
    if (at < kept || at % 2 === 0) {
      await audit(dataDir, expected);
      expect((await listSnapshots(dataDir)).map(({ schema, isComplete }) => ({ schema, isComplete }))).toEqual([
        { schema: 2, isComplete: true },
      ]);
    }
    // Of the time before the interrupted upgrade, not of what that left half done.
    await restoreSnapshot(dataDir);
    expect(await hashesIn(dataDir)).toEqual(before);
    await dispose();
  },
);
