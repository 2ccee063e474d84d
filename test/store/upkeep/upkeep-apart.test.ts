import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { textRows } from "../../../src/store/documents/document-rows.ts";
import { type Connection, connect, type Lance } from "../../../src/store/engine/lance.ts";
import { eraseRemovedRows, withOldVersions } from "../../../src/store/engine/maintenance.ts";
import type { StoreTable } from "../../../src/store/engine/store-table.ts";
import { createTableOpener } from "../../../src/store/engine/tables.ts";
import { openStore } from "../../../src/store/open.ts";
import {
  createUpkeepApart,
  type UpkeepApart,
  type UpkeepApartOptions,
} from "../../../src/store/upkeep/upkeep-apart.ts";
import { createUpkeepHere } from "../../../src/store/upkeep/upkeep-here.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";
import { until } from "../../until.ts";
import { filesWith } from "../erasure/files-with.ts";
import { passiveHooks } from "../open-temporary-store.ts";
import { upkeepCommand, upkeepProcesses } from "./upkeep-command.ts";

type Row = Parameters<(typeof textRows)["encode"]>[0];

let folder: string;
let lance: Lance;
let connection: Connection;
let table: StoreTable<Row>;
let warnings: string[];
const opened: UpkeepApart[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-apart-"));
  ({ lance, connection } = await connect(folder));
  table = await (await createTableOpener(lance, connection, pino({ level: "silent" }))).open(textRows, passiveHooks);
  warnings = [];
});
afterEach(async () => {
  for (const apart of opened.splice(0)) apart.close();
  table.close();
  connection.close();
  await until(() => upkeepProcesses(folder).length === 0);
  await rm(folder, { recursive: true, force: true });
});

type Options = Partial<Pick<UpkeepApartOptions, "command" | "idleMs" | "maxWorkMs" | "retryMs">>;

const open = (options: Options = {}): UpkeepApart => {
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  const here = createUpkeepHere(lance, connection, folder);
  const apart = createUpkeepApart({ command: upkeepCommand, folder, here, log, ...options });
  opened.push(apart);
  return apart;
};

const row = (id: string, text = `text of ${id}`): Row => ({ id, organizationId: "o", documentId: id, text });

const addEach = async (from: number, to: number): Promise<void> => {
  for (let at = from; at < to; at += 1) await table.add("rows", [row(`${at}`)]);
};

const tidyWith = (apart: UpkeepApart) =>
  withOldVersions(table, { mayHoldWrites: true }, (removable) =>
    apart.tidy({ table: textRows.name, ...removable, vectorIndex: null, countUnindexed: true }),
  );

const ids = async (): Promise<number[]> => (await table.find({})).map(({ id }) => Number(id)).toSorted((a, b) => a - b);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test("another process merges the files of a table, while rows are added to it", async () => {
  const apart = open();
  await addEach(0, 10);
  const first = await tidyWith(apart); // alone: the last process may have been interrupted
  expect(first).toMatchObject({ isNew: true, failure: null, unindexedRows: { id: 0 } });
  expect((await table.lance.stats()).fragmentStats.numFragments).toBe(1);
  await addEach(10, 20);
  const [second] = await Promise.all([tidyWith(apart), addEach(20, 30)]);
  expect(second).toMatchObject({ isNew: true, failure: null });
  expect(await ids()).toEqual(numbers(30));
  expect(upkeepProcesses(folder)).toHaveLength(1);
  expect(warnings).toEqual([]);
});

test("removed rows are erased by another process", async () => {
  const apart = open();
  await table.add("rows", [row("kept"), row("gone", "a secret about herons")]);
  await table.remove("rows", "id", ["gone"]);
  expect(await filesWith(folder, ["herons"])).not.toEqual([]);
  const { signal } = new AbortController();
  expect(await eraseRemovedRows(table, { work: apart, ...passiveHooks, onBegin: () => undefined, signal })).toBe(true);
  expect(await filesWith(folder, ["herons"])).toEqual([]);
  expect((await table.find({})).map(({ id }) => id)).toEqual(["kept"]);
});

test("a process that is killed fails its work; the next work has another one", async () => {
  const apart = open();
  await addEach(0, 5);
  await tidyWith(apart);
  const [pid = 0] = upkeepProcesses(folder);
  process.kill(pid, "SIGSTOP");
  const work = tidyWith(apart);
  await Bun.sleep(50);
  process.kill(pid, "SIGKILL");
  await expect(work).rejects.toThrow("the upkeep process ended");
  expect(table.mayHaveStrayFiles()).toBe(true);
  await addEach(5, 10);
  expect(await tidyWith(apart)).toMatchObject({ isNew: true, failure: null });
  expect(upkeepProcesses(folder)).not.toContain(pid);
  expect(await ids()).toEqual(numbers(10));
});

test("a process that hangs is ended, and its work fails with that reason", async () => {
  // Longer than a busy machine takes to start a process.
  const apart = open({ maxWorkMs: 10_000 });
  await addEach(0, 5);
  await tidyWith(apart);
  const [pid = 0] = upkeepProcesses(folder);
  process.kill(pid, "SIGSTOP");
  await expect(tidyWith(apart)).rejects.toThrow("it was ended, for one piece of work took over 10 s");
  await addEach(5, 10);
  expect(await tidyWith(apart)).toMatchObject({ isNew: true, failure: null });
  expect(await ids()).toEqual(numbers(10));
});

test("a process is tried again after a while where none could be started", async () => {
  const [program = "", ...rest] = upkeepCommand;
  const command = ["/nowhere/carrel", ...rest];
  const apart = open({ command, retryMs: 200 });
  await addEach(0, 3);
  await tidyWith(apart);
  expect(upkeepProcesses(folder)).toEqual([]);
  command[0] = program;
  await Bun.sleep(250);
  await tidyWith(apart);
  expect(upkeepProcesses(folder)).toHaveLength(1);
  expect(warnings).toHaveLength(1);
});

test("where no process can be started, the server does the work itself, and says so once", async () => {
  for (const command of [["/nowhere/carrel"], ["false"]]) {
    warnings = [];
    const apart = open({ command });
    await addEach(0, 3);
    expect(await tidyWith(apart)).toMatchObject({ isNew: true, failure: null });
    await tidyWith(apart);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("the server does it itself");
  }
});

test("a process without work ends, and one that is closed", async () => {
  const brief = open({ idleMs: 50 });
  await tidyWith(brief);
  await until(() => upkeepProcesses(folder).length === 0);
  await addEach(0, 3);
  expect(await tidyWith(brief)).toMatchObject({ isNew: true });
  const lasting = open();
  await tidyWith(lasting);
  expect(upkeepProcesses(folder).length).toBeGreaterThan(0);
  brief.close();
  lasting.close();
  await until(() => upkeepProcesses(folder).length === 0);
});

test("the process ends with a server that is killed", async () => {
  await addEach(0, 3);
  const parent = Bun.spawn([process.execPath, join(import.meta.dir, "upkeep-parent.ts"), folder, textRows.name], {
    stdout: "pipe",
  });
  const { value } = await parent.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toContain("tidied");
  expect(upkeepProcesses(folder)).toHaveLength(1);
  parent.kill("SIGKILL");
  await parent.exited;
  await until(() => upkeepProcesses(folder).length === 0);
});

test("what a table lacks, and what fails, is told", async () => {
  const apart = open();
  const request = { removeBefore: 0, removeUnnamed: false, vectorIndex: null, countUnindexed: false };
  await expect(apart.tidy({ table: "none", ...request })).rejects.toThrow("none");
  await expect(apart.erase({ table: "none", indexes: {} })).rejects.toThrow("none");
  expect(await apart.tidy({ table: textRows.name, ...request })).toMatchObject({ unindexedRows: {}, failure: null });
});

test("a store that closes in the middle of its upkeep does not wait for it, and is closed in order", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-closing-"));
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const index = { provider: "builtin", model: "static", dimensions: 8, analysisVersion: 1 };
  const openAgain = () => openStore({ dataDir, index, log, syncWrites: false, upkeepCommand });
  const tables = join(dataDir, "tables");
  try {
    const first = await openAgain();
    const document = sampleDocument();
    await first.documents.publish(
      document,
      "a text",
      sampleSnippets(document, [first.indexes.active().id], ["a text"]),
    );
    await first.close();
    // Each start has every table tidied once.
    const store = await openAgain();
    await until(() => upkeepProcesses(tables).length > 0);
    const [pid = 0] = upkeepProcesses(tables);
    process.kill(pid, "SIGSTOP"); // as on a machine that gives it nothing; a write of that table would wait for it
    await store.close();
    await until(() => upkeepProcesses(tables).length === 0);
    await (await openAgain()).close();
    expect(lines).toEqual([]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
