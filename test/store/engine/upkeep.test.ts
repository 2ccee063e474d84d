import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { ApiError } from "../../../src/domain/errors.ts";
import { createFreeSpaceGuard } from "../../../src/store/disk/free-space.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { metaRows } from "../../../src/store/engine/meta-rows.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import type { Migration } from "../../../src/store/migrations/migrations.ts";
import { migrate } from "../../../src/store/migrations/migrations.ts";
import { openStore } from "../../../src/store/open.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { until } from "../../until.ts";
import { passiveHooks, silentLog } from "../open-temporary-store.ts";

const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-upkeep-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("a store of an older schema is migrated step by step, and continues after a crash", async () => {
  const { lance, connection } = await connect(folder);
  const opener = await createTableOpener(lance, connection, silentLog);
  const meta = await opener.open(metaRows, passiveHooks);
  const context = { lance, connection, brokenDeletions: passiveHooks.brokenDeletions, log: silentLog };
  await migrate(meta, context, { version: 1, steps: [] });
  const old = await connection.createTable("animals", [{ id: "a", legs: 4 }]);
  const ran: string[] = [];
  let broken = true;
  const steps: Migration[] = [
    {
      to: 3,
      name: "count tails",
      run: async ({ connection }) => {
        if (broken) throw new Error("power cut");
        await (await connection.openTable("animals")).addColumns([{ name: "tails", valueSql: "cast(1 as int)" }]);
        ran.push("tails");
      },
    },
    {
      to: 2,
      name: "name animals",
      run: async ({ connection }) => {
        await (await connection.openTable("animals")).addColumns([{ name: "name", valueSql: "cast(NULL as string)" }]);
        ran.push("name");
      },
    },
  ];
  await expect(migrate(meta, context, { version: 4, steps: [] })).rejects.toThrow(
    "no migration leads from schema 1 to 4",
  );
  await expect(migrate(meta, context, { version: 3, steps })).rejects.toThrow("power cut");
  broken = false;
  await migrate(meta, context, { version: 3, steps });
  await migrate(meta, context, { version: 3, steps });
  expect(ran).toEqual(["name", "tails"]);
  await old.checkoutLatest();
  expect((await old.query().toArray()).map((row: { toJSON(): unknown }) => row.toJSON())).toMatchObject([
    { id: "a", name: null, tails: 1 },
  ]);
  await expect(migrate(meta, context, { version: 2, steps })).rejects.toThrow(
    "newer Carrel (schema 3, this one knows 2)",
  );
});

test("a store without its schema mark runs all migrations; a new one runs none", async () => {
  const { lance, connection } = await connect(folder);
  const meta = await (await createTableOpener(lance, connection, silentLog)).open(metaRows, passiveHooks);
  const context = { lance, connection, brokenDeletions: passiveHooks.brokenDeletions, log: silentLog };
  const ran: string[] = [];
  const steps: Migration[] = [{ to: 2, name: "second", run: async () => void ran.push("second") }];
  await migrate(meta, context, { version: 2, steps });
  expect(ran).toEqual([]);
  await meta.remove("meta", "id", ["schemaVersion"]);
  await connection.createTable("animals", [{ id: "a", legs: 4 }]);
  await migrate(meta, context, { version: 2, steps });
  await migrate(meta, context, { version: 2, steps });
  expect(ran).toEqual(["second"]);
});

test("a manifest that a power loss emptied is set aside, and the version before is used", async () => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => lines.push(line) });
  const options = { dataDir: folder, index, log, syncWrites: false };
  const store = await openStore(options);
  await store.organizations.upsert("first");
  await store.organizations.upsert("second");
  await store.close();
  const versions = join(folder, "tables", "organizations.lance", "_versions");
  const [newest = ""] = (await readdir(versions)).filter((name) => name.endsWith(".manifest")).sort();
  await truncate(join(versions, newest), 0);
  const child = Bun.spawnSync(["true"]);
  await Bun.write(
    join(folder, "lock"),
    JSON.stringify({ pid: child.pid, host: "h", startedAt: "2024", address: null }),
  );
  const reopened = await openStore(options);
  expect((await reopened.organizations.list()).map(({ name }) => name)).toEqual(["first"]);
  await reopened.organizations.upsert("third");
  expect((await reopened.organizations.list()).map(({ name }) => name)).toEqual(["first", "third"]);
  await reopened.close();
  expect(lines.join("")).toContain("set aside");
  const [start = ""] = await readdir(join(folder, "quarantine"));
  const kept = await readdir(join(folder, "quarantine", start, "tables", "organizations.lance", "_versions"));
  expect(kept).toContain(newest);
});

test("a data directory that is open cannot be opened again", async () => {
  const store = await openStore({ dataDir: folder, index, log: silentLog, syncWrites: false });
  store.announce("http://127.0.0.1:1234");
  await expect(openStore({ dataDir: folder, index, log: silentLog })).rejects.toThrow(`process ${process.pid} on `);
  await expect(openStore({ dataDir: folder, index, log: silentLog })).rejects.toThrow("http://127.0.0.1:1234");
  await store.organizations.upsert("still writable");
  await store.close();
});

test("interrupted work waits again; pending documents keep their text", async () => {
  const options = { dataDir: folder, index, log: silentLog };
  const store = await openStore(options);
  const waiting = sampleDocument({ status: "processing" });
  await store.documents.add({ ...waiting, revision: null }, "text that waits");
  const updated = sampleDocument({ name: "has a revision" });
  await store.documents.publish(updated, "old text", sampleSnippets(updated, [store.indexes.active().id], ["old"]));
  await store.documents.patch(tenantOf(), updated.id, { status: "pending" }, "new text");
  await store.close();
  const reopened = await openStore(options);
  const unfinished = await reopened.documents.listUnfinished(10);
  expect(unfinished.map(({ id, status }) => [id, status])).toEqual([
    [waiting.id, "pending"],
    [updated.id, "pending"],
  ]);
  const [first, second] = unfinished as [(typeof unfinished)[0], (typeof unfinished)[0]];
  expect(await reopened.documents.getText(first)).toBe("text that waits");
  expect(await reopened.documents.getText(second)).toBe("old text");
  expect(await reopened.documents.getPendingText(second)).toBe("new text");
  expect(await reopened.documents.countByStatus()).toEqual({ pending: 2, processing: 0, processed: 0, failed: 0 });
  await reopened.close();
});

test("a nearly full disk refuses writes and logs it; they work again when there is space", async () => {
  let free = 1e9;
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
  const guard = await createFreeSpaceGuard({ dataDir: folder, log, minFreeBytes: 1e6, freeBytes: async () => free });
  await guard.reserve(0, "tables");
  expect((await stat(join(folder, "reserve"))).size).toBeGreaterThan(1e6);
  const full = guard.explain(new Error("LanceDBError: IO error: No space left on device (os error 28)"));
  expect((full as ApiError).code).toBe("storage_unavailable");
  await until(async () => (await readdir(folder)).length === 0, "the reserve is given up");
  free = 10;
  const refused = await guard.reserve(0, "tables").catch((error: unknown) => error);
  expect((refused as ApiError).code).toBe("storage_unavailable");
  free = 1e9;
  await Bun.sleep(1_050);
  await guard.reserve(0, "tables");
  expect(lines.join("")).toContain("there is space on the disk again");
  const other = new Error("something else");
  expect(guard.explain(other)).toBe(other);
});
