import { afterEach, beforeEach, expect, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { createGate } from "../../../src/async/keyed-mutex.ts";
import { ApiError } from "../../../src/domain/errors.ts";
import type { DocumentRecord } from "../../../src/domain/records.ts";
import type { DocumentTables } from "../../../src/store/documents/document-tables.ts";
import { connect } from "../../../src/store/engine/lance.ts";
import { createMaintenance } from "../../../src/store/engine/maintenance.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { maxUntidied } from "../../../src/store/engine/upkeep-due.ts";
import { openStore } from "../../../src/store/open.ts";
import { organizationRows } from "../../../src/store/records/accounts.ts";
import { requeueProcessing } from "../../../src/store/recovery/reconcile.ts";
import { createUpkeepHere } from "../../../src/store/upkeep/upkeep-here.ts";
import { sampleDocument, sampleSnippets, tenantOf } from "../../../tools/samples/records.ts";
import { openTemporaryStore, passiveHooks, silentLog } from "../open-temporary-store.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-power-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test("upkeep removes an older version only when a newer one is on disk", async () => {
  const { lance, connection } = await connect(folder);
  const opener = await createTableOpener(lance, connection, silentLog);
  const synced: number[] = [];
  const openTable = () =>
    opener.open(organizationRows, {
      ...passiveHooks,
      sync: async () => void synced.push(await table.lance.version()),
    });
  let table = await openTable();
  const versions = async () => (await table.lance.listVersions()).map(({ version }) => version);
  const write = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      await Bun.sleep(5); // versions are told apart by the millisecond
      await table.add("all", [{ id: Bun.randomUUIDv7(), name: `${at}`, createdAt: at }], false);
    }
  };
  const tidy = async () => {
    const before = await table.lance.version();
    synced.length = 0;
    await createMaintenance(() => table, {
      log: silentLog,
      work: createUpkeepHere(lance, connection, folder),
      opener,
      turn: (work) => work(),
      upkeepGate: createGate(),
      limits: maxUntidied.other,
    }).run();
    expect(synced).toEqual([before]);
    expect(await versions()).toContain(before); // what `optimize` made is not on disk yet
    return before;
  };
  await write(12);
  expect(Math.min(...(await versions()))).toBeLessThan(await tidy());
  await write(2);
  const last = await tidy();
  expect(Math.min(...(await versions()))).toBe(last); // those before are gone

  // What another process committed last is not known to be on disk either.
  await write(12);
  table.close();
  table = await openTable();
  await tidy();
  await write(1);
  await tidy();
  expect((await table.find({})).length).toBe(27);
  table.close();
  connection.close();
});

test("indexes written shortly before a power loss are rebuilt, after a kill they are not", async () => {
  const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
  const dataDir = join(folder, "running");
  const store = await openStore({ dataDir, index, log: silentLog });
  const indexId = store.indexes.active().id;
  for (let at = 0; at < 5; at += 1) {
    const document = sampleDocument({ name: `number ${at}` });
    await store.documents.publish(document, "text", sampleSnippets(document, [indexId], ["apple"]));
  }
  const left = join(folder, "left");
  await cp(dataDir, left, { recursive: true, preserveTimestamps: true });
  await store.close();

  /** Tables of which a start says that it makes their indexes again. */
  const madeAgain = async (dataDir: string): Promise<Set<unknown>> => {
    const lines: { table?: string; msg: string }[] = [];
    const log = pino({ level: "info" }, { write: (line: string) => lines.push(JSON.parse(line)) });
    const documentIndexes = () => readdir(join(dataDir, "tables", "documents.lance", "_indices"));
    const before = await documentIndexes();
    const reopened = await openStore({ dataDir, index, log });
    const { total } = await reopened.documents.list(tenantOf(), {}, { limit: 10, skip: 0, sortOrder: "asc" });
    expect(total).toBe(5);
    const told = new Set(lines.filter(({ msg }) => msg.includes("rebuilt")).map(({ table }) => table));
    if (told.size > 0) expect((await documentIndexes()).some((name) => !before.includes(name))).toBe(true);
    await reopened.close();
    return told;
  };
  const rebooted = join(folder, "rebooted");
  await cp(left, rebooted, { recursive: true, preserveTimestamps: true });
  const lock = join(rebooted, "lock");
  await writeFile(lock, JSON.stringify({ ...JSON.parse(await readFile(lock, "utf8")), boot: "an earlier run" }));
  const remade = await madeAgain(rebooted);
  for (const name of ["documents", "texts", `snippets_${indexId}`]) expect(remade).toContain(name);
  if (process.platform === "linux") expect(await madeAgain(left)).toEqual(new Set());
});

test("the new labels of a document and its pending text are one commit", async () => {
  const { store, dataDir, dispose } = await openTemporaryStore();
  const document = sampleDocument({ name: "old" });
  const indexId = store.indexes.active().id;
  await store.documents.publish(document, "old text", sampleSnippets(document, [indexId], ["apple"]));
  const { connection } = await connect(join(dataDir, "tables"));
  const changed = await store.documents.relabel(
    tenantOf(),
    document.id,
    { name: { name: "new", titleTerms: "new" }, metadata: { a: 1 } },
    { fields: { status: "pending", attempts: 0 }, pendingText: "new text" },
  );
  // Upkeep makes versions of its own: in each that is left, the record is as it was before, or as it is now.
  const table = await connection.openTable("documents");
  for (const { version } of await table.listVersions()) {
    await table.checkout(version);
    for (const { name, status } of await table.query().select(["name", "status"]).toArray())
      expect(["old processed", "new pending"]).toContain(`${name} ${status}`);
  }
  table.close();
  expect(changed).toMatchObject({ name: "new", metadata: { a: 1 }, status: "pending" });
  const stored = await store.documents.get(tenantOf(), document.id);
  expect(stored).toMatchObject({ name: "new", metadata: { a: 1 }, status: "pending" });
  expect(await store.documents.getText(stored as DocumentRecord)).toBe("old text");
  expect(await store.documents.getPendingText(stored as DocumentRecord)).toBe("new text");
  connection.close();
  await dispose();
});

test("a start succeeds although a full disk cannot store the status of interrupted work", async () => {
  const tries: string[] = [];
  const documents = (error: Error) =>
    ({
      find: async () => [sampleDocument({ status: "processing" })],
      upsert: async (_scope: string, [document]: DocumentRecord[]) => {
        tries.push(`${document?.status} ${document?.attempts}`);
        throw error;
      },
    }) as unknown as DocumentTables["documents"];
  await requeueProcessing({ documents: documents(new ApiError("storage_unavailable", "the disk is full")) });
  expect(tries).toEqual(["pending 1", "pending 1"]); // the second time with the space that was kept in reserve
  const other = requeueProcessing({ documents: documents(new Error("something else")) });
  expect(await other.catch(String)).toContain("something else");
});
