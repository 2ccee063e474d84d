import { afterAll, beforeAll, expect, mock, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateKey } from "../../../src/access/key.ts";
import { integrityCheck } from "../../../src/doctor/checks/integrity.ts";
import type { NewDamage } from "../../../src/store/engine/damage.ts";
import { checkStore, compareLater } from "../../../src/store/recovery/check-store.ts";
import { compareWithSeal } from "../../../src/store/recovery/seal.ts";
import { sampleDocument, sampleSnippets } from "../../../tools/samples/records.ts";
import { startTestServer, type TestServer } from "../../start-server.ts";
import { eventually } from "../../until.ts";
import { filesWith } from "../erasure/files-with.ts";
import { openTemporaryStore, silentLog } from "../open-temporary-store.ts";

const adminKey = generateKey();
const fileText = "The lighthouse code is ZEPHYR.";
const words = ["anchor", "basalt", "cobalt"];
let folder: string;
let ids: string[];
let fileId: string;
let chatId: string;
let receiptId: string;

const dataOf = (name: string): string => join(folder, name);
const start = (dataDir: string): Promise<TestServer> => startTestServer({}, { adminKey, eraseWithinMs: 500 }, dataDir);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-flips-"));
  const server = await start(dataOf("base"));
  ids = [];
  for (const word of words) {
    const text = `The code of ${word} is ${word.toUpperCase()}-17.`;
    ids.push((await server.ask("POST", "/api/ingest", { json: { name: word, text } })).body.id);
  }
  const form = new FormData();
  form.append("file", new File([fileText], "lighthouse.txt"));
  fileId = (await server.ask("POST", "/api/ingest", { body: form })).body.id;
  chatId = (await server.ask("POST", "/api/chat", { json: { title: "Codes" } })).body.id;
  await server.ask("POST", "/api/partition", { json: { name: "Codes" } });
  await server.ask("POST", `/api/chat/${chatId}/message`, { json: { message: "What is the code of basalt?" } });
  const asked = await server.ask("POST", "/api/query", { json: { query: "Which code has basalt?" } });
  receiptId = asked.body.receipt.id;
  await server.ask("POST", "/api/feedback", { json: { receiptId, rating: "down", comment: "Egrets have another." } });
  await server.stop();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Files of the store whose path begins so, without those that nothing reads. */
const filesIn = async (dataDir: string, prefix: RegExp): Promise<string[]> =>
  (await readdir(dataDir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dataDir.length + 1))
    .filter((path) => prefix.test(path))
    .sort();

/** Flips one byte where a text stands in one of the files. */
const flipIn = async (dataDir: string, prefix: RegExp, text: string): Promise<void> => {
  for (const path of await filesIn(dataDir, prefix)) {
    const bytes = await readFile(join(dataDir, path));
    const at = bytes.indexOf(text);
    if (at === -1) continue;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(join(dataDir, path), bytes);
    return;
  }
  throw new Error(`no file holds ${text}`);
};

/** The file that holds the records that were written last. */
const newestRecords = async (dataDir: string): Promise<string> => {
  const paths = await filesIn(dataDir, /documents\.lance\/data\//);
  const changed = await Promise.all(
    paths.map(async (path) => ({ path, at: (await stat(join(dataOf("base"), path))).mtimeMs })),
  );
  return join(dataDir, changed.sort((a, b) => b.at - a.at)[0]?.path ?? "");
};

/** A copy of the store that is damaged, and its server. @returns what a check at rest said before the start */
const damaged = async (name: string, damage: (dataDir: string) => Promise<void>) => {
  const dataDir = dataOf(name);
  await cp(dataOf("base"), dataDir, { recursive: true });
  await damage(dataDir);
  const { damage: found } = await checkStore({ dataDir, onProgress: noProgress }, unstopped);
  return { found, server: await start(dataDir) };
};

const report = async (server: TestServer) => {
  const { text } = await server.ask("POST", "/api/check");
  return JSON.parse(text.trimEnd().split("\n").at(-1) ?? "");
};
const namesDamage = async (server: TestServer, id: string): Promise<void> => {
  const { damage } = await report(server);
  expect(damage.flatMap((one: { id: string; belongsTo: string }) => [one.id, one.belongsTo])).toContain(id);
  expect((await server.ask("GET", "/health/ready")).body).toMatchObject({
    status: "degraded",
    problems: ["data_damaged"],
  });
};
const noProgress = () => undefined;
const unstopped = new AbortController().signal;

test("a sound store: the check finds nothing, at rest and while it runs", async () => {
  const { found, server } = await damaged("sound", async () => undefined);
  expect(found).toEqual([]);
  expect(await report(server)).toMatchObject({ damage: [] });
  expect((await server.ask("GET", "/health/ready")).body.status).toBe("ready");
  await server.stop();
});

test("a sound document of more passages than a search returns, all with one word", async () => {
  const { store, dispose } = await openTemporaryStore();
  const document = sampleDocument({ name: "long" });
  const texts = Array.from({ length: 12_000 }, () => "heron");
  await store.documents.publish(document, "heron", sampleSnippets(document, [store.indexes.active().id], texts));
  const { damage } = await store.damage.check(() => undefined, new AbortController().signal);
  expect(damage).toEqual([]);
  await dispose();
});

test("a text: an error that names it, never another text; sent again, it is whole", async () => {
  const { found, server } = await damaged("text", (dataDir) => flipIn(dataDir, /texts\.lance\/data/, "BASALT"));
  expect(found.map(({ where, belongsTo }) => [where, belongsTo])).toContainEqual(["texts", String(ids[1])]);
  const id = String(ids[1]);
  for (const path of [`/api/document/${id}`, `/api/document/${id}/text`]) {
    const answer = await server.ask("GET", path);
    expect([answer.status, answer.body.code]).toEqual([500, "data_damaged"]);
    expect(answer.body.detail).toContain(id);
  }
  expect((await server.ask("GET", `/api/document/${ids[0]}`)).body.originalText).toContain("ANCHOR-17");
  expect((await server.ask("GET", "/api/document")).body).toHaveLength(4);
  await namesDamage(server, id);
  const findings = await integrityCheck.run({ config: server.config, env: {}, embedded: null, signal: unstopped });
  expect(findings).toMatchObject([{ status: "failed", detail: expect.stringContaining("texts") }]);
  await server.ask("PUT", `/api/document/${id}`, { json: { text: "The code of basalt is new." } });
  expect((await server.ask("GET", `/api/document/${id}`)).body.originalText).toBe("The code of basalt is new.");
  expect((await server.ask("GET", "/health/ready")).body.status).toBe("ready");
  await server.stop();
});

test("a record of a document: the others are listed, it is named, and can be deleted", async () => {
  const { found, server } = await damaged("record", (dataDir) => flipIn(dataDir, /documents\.lance\/data/, "cobalt"));
  expect(found.map(({ where }) => where)).toContain("documents");
  const id = String(ids[2]);
  const list = await server.ask("GET", "/api/document");
  expect([list.status, list.body.length, list.headers.get("x-carrel-damaged")]).toEqual([200, 3, "1"]);
  expect((await server.ask("GET", `/api/document/${id}`)).body.code).toBe("data_damaged");
  const asked = await server.ask("POST", "/api/query", { json: { query: "What is the code of cobalt?" } });
  expect(asked.status === 200 ? asked.body.receipt.warnings.join() : asked.body.code).toMatch(/damaged/);
  await namesDamage(server, id);
  expect((await server.ask("DELETE", `/api/document/${id}`)).status).toBe(200);
  expect((await server.ask("GET", `/api/document/${id}`)).status).toBe(404);
  await server.stop();
});

/** @param part of the file, or less than zero: bytes before its end */
const flipAt = async (path: string, part: number): Promise<void> => {
  const bytes = await readFile(path);
  const at = part < 0 ? bytes.length + part : Math.floor(bytes.length * part);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
};

test.each([
  ["an id", async (dataDir: string) => await flipIn(dataDir, /documents\.lance\/data/, ids[0] ?? "")],
  ["a page", async (dataDir: string) => await flipAt(await newestRecords(dataDir), 0.5)],
  ["the version of a file's format", async (dataDir: string) => await flipAt(await newestRecords(dataDir), -8)],
])("without seals, records of documents with %s damaged: no document is a silent 404", async (what, damage) => {
  const { server } = await damaged(`unsealed ${what}`, async (dataDir) => {
    for (const path of await filesIn(dataDir, /_seal\.json$/)) await rm(join(dataDir, path));
    await damage(dataDir);
  });
  const list = await server.ask("GET", "/api/document");
  expect(list.body.length < 4 ? list.headers.get("x-carrel-damaged") : "1").toMatch(/^[1-4]$/);
  const answers = await Promise.all([...ids, fileId].map((id) => server.ask("GET", `/api/document/${id}`)));
  const codes = answers.map(({ status, body }) => (status === 200 ? "sound" : body.code));
  expect(codes.filter((code) => code !== "sound" && code !== "data_damaged")).toEqual([]);
  expect(codes).toContain("data_damaged");
  expect(codes).toContain("sound");
  expect((await server.ask("GET", "/health/ready")).body.status).toBe("degraded");
  await server.stop();
});

test("a start reads a bounded part of large stores: the rest is compared after it", async () => {
  const dataDir = dataOf("limited");
  await cp(dataOf("base"), dataDir, { recursive: true });
  const [path = ""] = await filesIn(dataDir, /texts\.lance\/data\//);
  await flipAt(join(dataDir, path), 0.1);
  const limited = await compareWithSeal(join(dataDir, "tables/texts.lance"), { limit: { bytesLeft: 0 } });
  expect(limited).toMatchObject({ broken: [], isPart: true, isSealed: true });
  const noted: Partial<NewDamage>[] = [];
  const mended = Promise.withResolvers<string>();
  const warn = mock();
  await rm(join(dataDir, "tables/chats.lance"), { recursive: true }); // dropped before it is its turn
  const end = compareLater({
    dataDir,
    names: ["chats", "texts"],
    engine: { mend: async (name) => mended.resolve(name) },
    damage: { note: (one) => void noted.push(one) },
    log: { ...silentLog, warn },
  });
  expect(await mended.promise).toBe("texts");
  expect(noted).toMatchObject([{ kind: "table", where: "texts" }]);
  expect(warn).not.toHaveBeenCalled();
  await end();
});

test("a message: the chat is an error that says so, and can be deleted", async () => {
  const { server } = await damaged("message", (dataDir) =>
    flipIn(dataDir, /messages\.lance\/data/, "What is the code"),
  );
  const answer = await server.ask("GET", `/api/chat/${chatId}`);
  expect([answer.status, answer.body.code]).toEqual([500, "data_damaged"]);
  await namesDamage(server, chatId);
  expect((await server.ask("DELETE", `/api/chat/${chatId}`)).status).toBe(200);
  expect((await server.ask("GET", "/health/ready")).body.status).toBe("ready");
  await server.stop();
});

test.each([
  ["chats", "sealed"],
  ["messages", "sealed"],
  ["partitions", "sealed"],
  ["keys", "sealed"],
  ["keys", "not sealed before it was killed"],
] as const)("all rows of %s, %s: the rest is served, and the damage is named with the backup", async (table, seal) => {
  const { server } = await damaged(`all-${table}-${seal}`, async (dataDir) => {
    const isSealed = seal === "sealed";
    if (!isSealed) await rm(join(dataDir, `tables/${table}.lance/_seal.json`));
    for (const path of await filesIn(dataDir, new RegExp(`tables/${table}\\.lance/data/`))) {
      const bytes = await readFile(join(dataDir, path));
      await writeFile(join(dataDir, path), bytes.fill(0, 0, isSealed ? bytes.length : bytes.length >> 1));
    }
  });
  expect((await server.ask("GET", "/api/document")).body).toHaveLength(4);
  const asked = await server.ask("POST", "/api/query", { json: { query: "What is the code of cobalt?" } });
  expect(asked.body.answer).toContain("COBALT-17");
  const chat = await server.ask("GET", `/api/chat/${chatId}`);
  expect(chat.body.code).toBe(table === "chats" || table === "messages" ? "data_damaged" : undefined);
  const ready = (await server.ask("GET", "/health/ready")).body;
  expect(ready).toMatchObject({ status: "degraded", problems: ["data_damaged"] });
  const { findings } = (await server.ask("GET", "/api/doctor")).body;
  expect(findings).toContainEqual(
    expect.objectContaining({ check: "integrity", status: "failed", detail: expect.stringContaining(table) }),
  );
  if (table === "chats") {
    // The erasure of a chat removes messages whose chat is not known: it may be a damaged one.
    const { id, organizationId } = (await server.ask("POST", "/api/chat", { json: { title: "Sweepings" } })).body;
    await server.ask("DELETE", `/api/chat/${id}`);
    await eventually(async () => expect(await filesWith(dataOf("all-chats-sealed"), ["Sweepings"])).toEqual([]));
    const tenant = { organizationId, partitionId: null };
    expect(await server.program.deps.store.messages.list(tenant, chatId, { thread: null, limit: 9 })).toHaveLength(2);
  }
  await server.stop();
});

test("all records of documents: the server starts, and says that they are damaged", async () => {
  const { server } = await damaged("records", async (dataDir) => {
    for (const word of [...words, "lighthouse.txt"]) await flipIn(dataDir, /documents\.lance\/data/, word);
  });
  const list = await server.ask("GET", "/api/document");
  expect([list.status, list.body.length, list.headers.get("x-carrel-damaged")]).toEqual([200, 0, "4"]);
  expect((await server.ask("GET", `/api/document/${ids[0]}`)).body.code).toBe("data_damaged");
  const asked = await server.ask("POST", "/api/query", { json: { query: "What is the code of cobalt?" } });
  expect(asked.body.code).toBe("data_damaged");
  await namesDamage(server, String(ids[0]));
  await server.stop();
});

test("a receipt is an error that names it, and damaged feedback is not listed", async () => {
  const { found, server } = await damaged("receipt", async (dataDir) => {
    await flipIn(dataDir, /receipts\.lance\/data/, "Which code has");
    await flipIn(dataDir, /feedback\.lance\/data/, "Egrets");
  });
  expect(found.map(({ where }) => where)).toEqual(expect.arrayContaining(["receipts", "feedback"]));
  const answer = await server.ask("GET", `/api/receipt/${receiptId}`);
  expect([answer.status, answer.body.code]).toEqual([500, "data_damaged"]);
  expect((await server.ask("GET", "/api/feedback")).text).not.toContain("have another");
  await namesDamage(server, receiptId);
  await server.stop();
});

test("snippets are made again from the text; meanwhile a question is answered, or says that it waits", async () => {
  const { found, server } = await damaged("snippet", (dataDir) =>
    flipIn(dataDir, /snippets_\w+\.lance\/data/, "ANCHOR"),
  );
  expect(found.map(({ where }) => where.slice(0, 8))).toContain("snippets");
  const ask = () => server.ask("POST", "/api/query", { json: { query: "What is the code of anchor?" } });
  const first = await ask();
  if (first.status !== 200) expect(first.body.code).toBe("index_incomplete");
  await eventually(async () => expect((await ask()).body.answer).toContain("ANCHOR-17"));
  await eventually(async () => expect(await report(server)).toMatchObject({ damage: [] }));
  await server.stop();
});

test("manifests and lists of removed rows are put back, indexes are made again", async () => {
  const { found, server } = await damaged("small", async (dataDir) => {
    for (const table of await readdir(join(dataDir, "tables"))) {
      const [manifest = ""] = await filesIn(dataDir, new RegExp(`^tables/${table}/_versions/\\d+\\.manifest`));
      for (const path of [
        manifest,
        ...(await filesIn(dataDir, new RegExp(`^tables/${table}/(_indices|_deletions)/`))),
      ]) {
        const bytes = await readFile(join(dataDir, path));
        const at = bytes.length >> 1;
        bytes[at] = (bytes[at] ?? 0) ^ 16;
        await writeFile(join(dataDir, path), bytes);
      }
    }
  });
  expect(found.length).toBeGreaterThan(5);
  for (const [at, id] of ids.entries())
    expect((await server.ask("GET", `/api/document/${id}`)).body.originalText).toContain(words[at] ?? "");
  expect((await server.ask("GET", `/api/chat/${chatId}`)).body.messages).toHaveLength(2);
  const asked = await server.ask("POST", "/api/query", { json: { query: "What is the code of cobalt?" } });
  expect(asked.body.answer).toContain("COBALT-17");
  expect(await report(server)).toMatchObject({ damage: [] });
  await server.stop();
});

const removeFiles = async (dataDir: string): Promise<void> => {
  const hashes = new Bun.Glob("files/??/*").scan(dataDir);
  for await (const path of hashes) await rm(join(dataDir, path));
};

test.each([
  ["altered", (dataDir: string) => flipIn(dataDir, /^files\//, "ZEPHYR")],
  ["removed", removeFiles],
] as const)(
  "a file that is %s while the server runs is not sent; sent again, it is whole; deleted, it is no damage",
  async (how, spoil) => {
    const { server } = await damaged(`file-${how}`, async () => undefined);
    const path = `/api/document/${fileId}/file`;
    expect((await server.ask("GET", path)).text).toBe(fileText);
    await spoil(server.dataDir);
    const answer = await server.ask("GET", path);
    expect([answer.status, answer.body.code]).toEqual([500, "data_damaged"]);
    expect((await report(server)).damage).toMatchObject([{ kind: "file" }]);
    const form = new FormData();
    form.append("file", new File([fileText], "again.txt"));
    const again = await server.ask("POST", "/api/ingest", { body: form });
    expect((await server.ask("GET", path)).text).toBe(fileText);
    await spoil(server.dataDir);
    expect((await server.ask("GET", path)).status).toBe(500);
    await server.ask("DELETE", `/api/document/${fileId}`);
    expect((await report(server)).damage).toMatchObject([{ kind: "file" }]); // the other document has it too
    await server.ask("DELETE", `/api/document/${again.body.id}`);
    expect((await report(server)).damage).toEqual([]);
    await server.stop();
  },
);

test("a secret that is altered keeps the server from starting, and is named", async () => {
  const dataDir = dataOf("secret");
  await cp(dataOf("base"), dataDir, { recursive: true });
  const secret = await readFile(join(dataDir, "secret"));
  secret[3] = (secret[3] ?? 0) ^ 1;
  await writeFile(join(dataDir, "secret"), secret);
  await expect(start(dataDir)).rejects.toThrow("the secret in the data directory is damaged");
  const { damage } = await checkStore({ dataDir, onProgress: noProgress }, unstopped);
  expect(damage).toMatchObject([{ kind: "secret" }]);
});
