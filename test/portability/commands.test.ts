import { beforeEach, expect, test } from "bun:test";
import { appendFile, copyFile, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeExportFolder, writeExport } from "../../src/commands/portability/export-folder.ts";
import type { Manifest } from "../../src/portability/format.ts";
import { formOf } from "../call-server.ts";
import { run } from "../commands/run.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { until } from "../until.ts";

const fixture = (name: string): string => join(import.meta.dir, "../fixtures/documents", name);
/** More than one part, with what JSON has to escape. */
const longText = Array.from({ length: 3_000 }, (_, line) => `Line ${line} of the "long" book: ärger, \t 漢字 😀.`).join(
  "\n",
);
/** An import that parses anything fails. */
const noParser = {
  parser: {
    parse: async () => {
      throw new Error("an import parsed a file");
    },
  },
};

/** Work of more than five seconds, on a busy machine, says how far it is. */
const progressAlone = expect.stringMatching(/^(?:\d.* (?:exported|checked|imported)\n)*$/);

const withServer = (server: TestServer) => ({ env: { CARREL_DATA_DIR: server.dataDir } });
const lines = async (name: string, from = exported) =>
  (await readFile(join(from, name), "utf8")).split("\n").filter((line) => line !== "");
const records = async (name: string, from = exported) =>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  (await lines(name, from)).map((line): any => JSON.parse(line));
const upload = async (server: TestServer, name: string, fields: Record<string, string> = {}) => {
  const form = new FormData();
  form.set("file", Bun.file(fixture(name)), name);
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  const answer = await server.call("/api/ingest", { method: "POST", body: form });
  return (await answer.json()) as { id: string; status: string };
};

const folder = await temporaryFolder("export");
const source = await startTestServer();
const text = "In winter the reading room opens at nine.";
const metadata = { externalId: "hours", nested: { list: [1, "two", null] } };
await source.post("/api/ingest", { name: "Hours", text, partition: "House", metadata });
await source.post("/api/ingest", { name: "Long", text: longText });
await upload(source, "layout-parser-paper-fast.pdf", { partition: "Papers" });
await upload(source, "norwich-city.txt");
// The same file once more: it is stored once.
await upload(source, "norwich-city.txt", { name: "Norwich again", partition: "Papers" });
const broken = formOf({ file: new File(["%PDF-1.7\nnothing"], "broken.pdf"), async: "true" });
const { id } = (await (await source.call("/api/ingest", { method: "POST", body: broken })).json()) as { id: string };
await until(async () => (await source.ask("GET", `/api/document/${id}`)).body.status === "failed");
const chat = await source.post("/api/chat", { title: "Talk", brandSettings: { color: "#123456" } });
const chatId = ((await chat.json()) as { id: string }).id;
await source.post("/api/chat/own_chat-1", { name: "With an id of its own", public: true });
for (const message of ["When does the reading room open?", "And where?"])
  await source.post(`/api/chat/${chatId}/message`, { message });
const exported = join(folder, "exported");
const made = await run(["export", exported, "--json"], withServer(source));
expect({ status: made.status, err: made.err }).toEqual({ status: 0, err: progressAlone });
expect(JSON.parse(made.out)).toEqual(await Bun.file(join(exported, "manifest.json")).json());

let target: TestServer;
beforeEach(async () => {
  target = await startTestServer({}, { parts: noParser });
});

const importInto = async (server: TestServer, from = exported, ...options: string[]) => {
  const { status, out, err } = await run(["import", from, "--json", ...options], withServer(server));
  return { status, err, counts: status === 0 ? JSON.parse(out) : null };
};
const counts = (added: number, present: number) => ({ added, present, kept: 0, skipped: 0 });

test("the folder holds all of the organization, and neither keys nor vectors", async () => {
  expect((await readdir(exported)).sort()).toEqual(
    ["chats.ndjson", "documents.ndjson", "files", "manifest.json", "messages.ndjson", "partitions.ndjson"].sort(),
  );
  const manifest = (await Bun.file(join(exported, "manifest.json")).json()) as Manifest;
  expect(manifest).toMatchObject({ format: "carrel-export", formatVersion: 1, organization: "default" });
  expect(Object.entries(manifest.files).map(([name, { records: count }]) => [name, count])).toEqual([
    ["partitions.ndjson", 2],
    ["documents.ndjson", 6],
    ["chats.ndjson", 2],
    ["messages.ndjson", 4],
  ]);
  expect(manifest.originals.files).toBe(3);
  const documents = await records("documents.ndjson");
  expect(documents.find(({ name }) => name === "Long").text).toBe(longText);
  expect(documents.find(({ name }) => name === "Hours")).toMatchObject({
    partition: "House",
    metadata: { externalId: "hours", nested: { list: [1, "two", null] } },
    status: "processed",
    file: null,
  });
  expect(documents.find(({ name }) => name === "broken.pdf")).toMatchObject({ status: "failed", text: null });
  expect(documents.find(({ name }) => name.startsWith("layout")).pages.length).toBeGreaterThan(1);
  const all = (
    await Promise.all(Object.keys(manifest.files).map((name) => readFile(join(exported, name), "utf8")))
  ).join("");
  expect(all).not.toContain(source.key);
  expect(all).not.toMatch(/crl_|vector|"hash"/);
});

test("an import keeps ids, times, texts, files, pages, chats; a second one changes nothing", async () => {
  const first = await importInto(target);
  expect(first).toEqual({
    status: 0,
    err: progressAlone,
    counts: {
      partitions: counts(2, 0),
      documents: counts(6, 0),
      chats: counts(2, 0),
      messages: counts(4, 0),
      leftOut: [],
    },
  });
  const asked = await target.ask("POST", "/api/query", { json: { query: "What is LayoutParser a toolkit for?" } });
  const [snippet] = asked.body.relevantSnippets;
  const original = await source.ask("POST", "/api/query", { json: { query: "What is LayoutParser a toolkit for?" } });
  expect(snippet.metadata.page).toBe(original.body.relevantSnippets[0].metadata.page);
  expect(snippet.metadata.documentUploadId).toBe(original.body.relevantSnippets[0].metadata.documentUploadId);

  const second = await importInto(target);
  expect(second.counts).toEqual({
    partitions: counts(0, 2),
    documents: counts(0, 6),
    chats: counts(0, 2),
    messages: counts(0, 4),
    leftOut: [],
  });
  // An export of the copy is the same, byte for byte.
  const again = join(folder, "again");
  expect((await run(["export", again], withServer(target))).status).toBe(0);
  for (const name of ["partitions.ndjson", "documents.ndjson", "chats.ndjson", "messages.ndjson"])
    expect(await lines(name, again)).toEqual(await lines(name));
  for (const name of await readdir(join(exported, "files")))
    expect(await readFile(join(again, "files", name))).toEqual(await readFile(join(exported, "files", name)));
  await rm(again, { recursive: true });
});

test("what is here stays as it is; what was removed here comes back", async () => {
  await importInto(target);
  const documents = await records("documents.ndjson");
  const idOf = (name: string): string => documents.find((document) => document.name === name).id;
  await target.ask("PUT", `/api/document/${idOf("Hours")}`, { json: { text: "It opens at ten now." } });
  await target.ask("DELETE", `/api/document/${idOf("Long")}`);
  const { counts: found } = await importInto(target);
  expect(found.documents).toEqual({ added: 1, present: 4, kept: 1, skipped: 0 });
  expect((await target.ask("GET", `/api/document/${idOf("Hours")}`)).body.originalText).toBe("It opens at ten now.");
  expect((await target.ask("GET", `/api/document/${idOf("Long")}`)).body.originalText).toBe(longText);
});

test("another organization of the same store gets copies under ids that stay the same", async () => {
  const made = await run(
    ["key", "create", "--name", "k", "--role", "admin", "--organization", "Copy", "--json"],
    withServer(source),
  );
  const { key } = JSON.parse(made.out) as { key: string };
  const before = (await source.ask("GET", "/api/document?limit=100")).body;
  const first = await importInto(source, exported, "--organization", "Copy");
  expect(first.counts.documents).toEqual(counts(6, 0));
  expect(first.counts.messages).toEqual(counts(4, 0));
  const second = await importInto(source, exported, "--organization", "Copy");
  expect(second.counts.documents).toEqual(counts(0, 6));
  expect(second.counts.chats).toEqual(counts(0, 2));
  expect(second.counts.messages).toEqual(counts(0, 4));
  expect((await source.ask("GET", "/api/document?limit=100")).body).toEqual(before);

  const copies = (await source.ask("GET", "/api/document?limit=100", { key })).body as { id: string; name: string }[];
  const own = new Set((before as { id: string }[]).map(({ id }) => id));
  expect(copies).toHaveLength(6);
  expect(copies.filter(({ id }) => own.has(id))).toEqual([]);
  const chats = (await source.ask("GET", "/api/chat", { key })).body as { id: string; title: string | null }[];
  const talk = chats.find(({ title }) => title === "Talk");
  expect(talk?.id).not.toBe(chatId);
  const { messages } = (await source.ask("GET", `/api/chat/${talk?.id}`, { key })).body;
  const cited = messages.flatMap(
    ({ sourceDocuments }: { sourceDocuments: { metadata: { documentUploadId: string } }[] }) =>
      sourceDocuments.map(({ metadata }) => metadata.documentUploadId),
  );
  expect(cited.length).toBeGreaterThan(0);
  for (const id of cited) expect(copies.map((copy) => copy.id)).toContain(id);
});

test("without a running server the commands open the store themselves", async () => {
  const dataDir = await temporaryFolder("import");
  const env = { CARREL_DATA_DIR: dataDir };
  expect((await run(["import", exported], { env })).out).toContain("documents   6 added");
  const again = join(folder, "closed");
  const made = await run(["export", again], { env });
  expect(made.out).toContain("2 partitions, 6 documents with 3 files, 2 chats and 4 messages");
  expect(await lines("documents.ndjson", again)).toEqual(await lines("documents.ndjson"));
  await rm(dataDir, { recursive: true });
});

test("an export goes on over one that was interrupted, and over nothing else", async () => {
  const again = join(folder, "interrupted");
  expect((await run(["export", again], withServer(source))).status).toBe(0);
  const refused = await run(["export", again], withServer(source));
  expect({ status: refused.status, err: refused.err }).toEqual({
    status: 1,
    err: expect.stringContaining("is not empty"),
  });
  await rm(join(again, "manifest.json"));
  await writeFile(join(again, "export.unfinished"), "");
  await truncate(join(again, "documents.ndjson"), 10);
  await writeFile(join(again, "files", `${"0".repeat(64)}.unfinished`), "half a file");
  const unfinished = await importInto(target, again);
  expect(unfinished).toMatchObject({ status: 1, err: expect.stringContaining("is no finished export") });
  expect((await run(["export", again], withServer(source))).status).toBe(0);
  expect(await lines("documents.ndjson", again)).toEqual(await lines("documents.ndjson"));
  expect(await readdir(join(again, "files"))).toHaveLength(3);
});

test("a fault is named with file and line, and nothing is imported", async () => {
  const broken = join(folder, "broken");
  await run(["export", broken], withServer(source));
  const path = join(broken, "documents.ndjson");
  const all = await lines("documents.ndjson", broken);
  const [first = "", second = ""] = all;
  const withLine = async (...changed: string[]) => {
    await writeFile(path, `${[...changed, ...all.slice(2)].join("\n")}\n`);
    return await importInto(target, broken);
  };
  const number = await withLine(first, JSON.stringify({ ...JSON.parse(second), name: 7, createdAt: "yesterday" }));
  expect(number.err).toContain("documents.ndjson:2: name: Expected string; createdAt: ");
  expect((await withLine("{", second)).err).toContain("documents.ndjson:1: it is no JSON");
  const { text: _, ...withoutText } = JSON.parse(first);
  expect((await withLine(JSON.stringify(withoutText), second)).err).toContain("documents.ndjson:1: text: ");
  const missing = JSON.stringify({ ...JSON.parse(second), file: "0".repeat(64) });
  expect((await withLine(first, missing)).err).toContain(`documents.ndjson:2: files/${"0".repeat(64)} is missing`);
  expect((await withLine(first)).err).toContain("documents.ndjson: it was changed since the export, or is cut off");
  await writeFile(path, `${all.join("\n")}\n`);
  await appendFile(join(broken, "chats.ndjson"), "[]\n");
  expect((await importInto(target, broken)).err).toContain("chats.ndjson:3: it: Expected object");
  const manifest = await Bun.file(join(broken, "manifest.json")).json();
  await Bun.write(join(broken, "manifest.json"), JSON.stringify({ ...manifest, formatVersion: 2 }));
  expect((await importInto(target, broken)).err).toContain("format version 2, and this Carrel reads versions up to 1");
  expect((await target.ask("GET", "/api/document")).body).toEqual([]);
});

test.skipIf(process.platform === "win32")("what is no file is not waited for", async () => {
  const strange = join(folder, "strange");
  await run(["export", strange], withServer(source));
  const [original = ""] = await readdir(join(strange, "files"));
  for (const [name, words] of [
    [`files/${original}`, `files/${original} is missing`],
    ["messages.ndjson", "messages.ndjson: there is no such file"],
    ["manifest.json", "manifest.json: it is too long for a manifest"],
  ] as const) {
    await rm(join(strange, name));
    await symlink("/dev/zero", join(strange, name));
    const refused = await importInto(target, strange);
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining(words)]);
    await rm(join(strange, name));
    await copyFile(join(exported, name), join(strange, name));
  }
});

test("a server whose answer names a file elsewhere writes nothing there", async () => {
  const body = [
    { kind: "organization", organization: "o", carrel: "0", createdAt: "2026-01-31T03:00:00.000Z" },
    { kind: "document", record: { file: "../../stolen" }, follows: ["file"] },
    { kind: "part", of: "file", data: "aGVsbG8=", last: false },
  ];
  const stream = new Blob([body.map((entry) => JSON.stringify(entry)).join("\n")]).stream();
  const into = join(folder, "elsewhere");
  await makeExportFolder(into);
  expect(await writeExport(stream, into, () => {}).catch((error: Error) => error.message)).toContain("was cut off");
  expect(await readdir(folder)).not.toContain("stolen.unfinished");
});

test("an export with a file that is not what its name says is refused before anything of it is stored", async () => {
  const damaged = join(folder, "damaged");
  await run(["export", damaged], withServer(source));
  const document = (await records("documents.ndjson")).find(({ name }) => name.startsWith("layout"));
  const path = join(damaged, "files", document.file);
  const bytes = await Bun.file(path).bytes();
  const flipped = bytes.slice();
  flipped[1_000] = (bytes[1_000] ?? 0) ^ 1;
  await writeFile(path, flipped);
  const stopped = await importInto(target, damaged);
  expect(stopped.status).toBe(1);
  expect(stopped.err).toMatch(
    new RegExp(`documents\\.ndjson:\\d: files/${document.file} has another content than its name says`),
  );
  expect((await target.ask("GET", `/api/document/${document.id}`)).status).toBe(404);
  await writeFile(path, bytes);
  const { counts: found } = await importInto(target, damaged);
  expect(found.documents.added + found.documents.present).toBe(6);
  expect((await target.ask("GET", "/api/document?limit=100")).body).toHaveLength(6);
  const file = await target.call(`/api/document/${document.id}/file`);
  expect(await file.bytes()).toEqual(bytes);
});

test("a folder that cannot be made is named", async () => {
  const path = join(folder, "a-file");
  await writeFile(path, "");
  const refused = await run(["export", join(path, "exported")], withServer(source));
  expect({ status: refused.status, err: refused.err }).toEqual({
    status: 1,
    err: expect.stringMatching(
      /^carrel: The export cannot be written to .*: it, or a part of its path, is not a folder\.\n$/,
    ),
  });
});

test("an organization that does not exist is not made", async () => {
  const refused = await importInto(target, exported, "--organization", "Nobody");
  expect(refused).toMatchObject({ status: 1, err: expect.stringContaining("There is no organization") });
});

test("the example reads an export with nothing but Node.js", async () => {
  const out = join(folder, "read");
  const read = (...args: string[]) =>
    Bun.spawnSync([process.execPath, join(import.meta.dir, "../../examples/read-export.mjs"), ...args]);
  const listed = read(exported);
  expect(listed.stderr.toString()).toBe("");
  expect(listed.exitCode).toBe(0);
  expect(listed.stdout.toString()).toContain("documents.ndjson: 6 records\n");
  expect(listed.stdout.toString()).toContain("House: Hours [processed]");
  expect(read(exported, out).exitCode).toBe(0);
  const written = await readdir(out, { recursive: true });
  const long = written.find((name) => name.includes("Long "));
  expect(await readFile(join(out, long ?? ""), "utf8")).toBe(longText);
  const talk = await readFile(join(out, written.find((name) => /chats\/Talk .*\.md$/.test(name)) ?? ""), "utf8");
  expect(talk).toContain("When does the reading room open?");
  const changed = join(folder, "changed");
  await run(["export", changed], withServer(source));
  await appendFile(join(changed, "messages.ndjson"), "\n");
  const faulty = read(changed);
  expect(faulty.exitCode).toBe(1);
  expect(faulty.stdout.toString()).toContain("messages.ndjson: 4 records - CHANGED");
});

test("an export that is refused is no entry of the audit log, and none goes into the data directory", async () => {
  const exports = async () => (await source.ask("GET", "/api/audit?action=organization.exported")).body.length;
  const before = await exports();
  for (const [target, fault] of [
    [source.dataDir, "is inside the data directory"],
    [join(source.dataDir, "exported"), "is inside the data directory"],
    [exported, "is not empty"],
  ] as const) {
    const { status, err } = await run(["export", target], withServer(source));
    expect([status, err]).toEqual([1, expect.stringContaining(fault)]);
  }
  expect(await exports()).toBe(before);
});

test("an import that a signal ends stops, without a server too, and is run again", async () => {
  const dataDir = await mkdtemp(join(folder, "ended-"));
  const stop = new AbortController();
  const ended = run(["import", exported], { env: { CARREL_DATA_DIR: dataDir }, stop: stop.signal });
  await until(() => Bun.file(join(dataDir, "lock")).exists());
  stop.abort("SIGINT");
  expect(await ended).toEqual({ status: 130, out: "", err: "" });
  const again = await run(["import", exported], { env: { CARREL_DATA_DIR: dataDir } });
  expect([again.status, again.out]).toEqual([0, expect.stringContaining("documents   6 added, 0 already here")]);
});
