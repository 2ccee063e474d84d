import { expect, test } from "bun:test";
import { rename, rm } from "node:fs/promises";
import { derivedId } from "../../src/domain/ids.ts";
import type { DocumentEntry, Entry } from "../../src/portability/entry.ts";
import { formOf } from "../call-server.ts";
import { startTestServer, type TestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { eventually } from "../until.ts";

const [server, copy] = [await startTestServer(), await startTestServer()];

const exportFrom = async (from: TestServer): Promise<Entry[]> => {
  const answer = await from.call("/api/export");
  expect(answer.headers.get("content-type")).toBe("application/x-ndjson");
  return (await answer.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Entry);
};
const importTo = (to: TestServer, entries: readonly (object | string)[]) =>
  to.ask("POST", "/api/import", {
    body: entries.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))).join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
const documentsOf = (entries: readonly Entry[]): DocumentEntry[] =>
  entries.filter((entry) => entry.kind === "document");
const entryOf = (name: string, text: string | null, change: object = {}, follows: string[] = []) => {
  const now = new Date(1_700_000_000_000).toISOString();
  const record = {
    id: Bun.randomUUIDv7(),
    partitionId: null,
    partition: null,
    name,
    addedByUserId: "u",
    createdAt: now,
    updatedAt: now,
    sourceKind: "text",
    originalUrl: null,
    mimeType: "text/plain",
    declaredMimeType: null,
    metadata: null,
    tokens: null,
    status: "processed",
    error: null,
    errorReason: null,
    warnings: [],
    pages: [],
    text,
    pendingText: null,
    file: null,
    ...change,
  };
  return { kind: "document", record, follows };
};

test("what one server exports, another one imports as it came", async () => {
  await server.post("/api/ingest", { name: "Heron", text: "The heron nests at pond one.", partition: "Birds" });
  const form = formOf({ file: new File(["Name,Room\nAda,12\n"], "rooms.csv", { type: "text/csv" }) });
  await server.call("/api/ingest", { method: "POST", body: form });
  const entries = await exportFrom(server);
  expect(entries.map(({ kind }) => kind)).toEqual(["organization", "partition", "document", "document", "part", "end"]);
  const answer = await importTo(copy, entries);
  expect({ status: answer.status, documents: answer.body.documents }).toEqual({
    status: 200,
    documents: { added: 2, present: 0, kept: 0, skipped: 0 },
  });
  expect((await exportFrom(copy)).slice(1)).toEqual(entries.slice(1));
});

test("free-form objects that the API would refuse are refused here, however deep they are", async () => {
  const deep = (levels: number): string => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  const line = (metadata: string): string =>
    JSON.stringify(entryOf("Deep", "Nothing.", { metadata: "HERE" })).replace('"HERE"', metadata);
  for (const [metadata, words] of [
    [deep(32), "nested deeper than 32"],
    [deep(100_000), "nested deeper than 32"],
    [JSON.stringify({ a: "a".repeat(65_536) }), "more than 64 KiB"],
  ] as const) {
    const answer = await copy.ask("POST", "/api/import", { body: line(metadata) });
    expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining(words)]);
  }
  expect((await copy.ask("POST", "/api/import", { body: line(deep(31)) })).body.documents.added).toBe(1);
});

test("an export of a store that cannot be read is refused with the reason, not cut off", async () => {
  const folder = await temporaryFolder("export");
  const alone = await startTestServer({}, {}, folder);
  await alone.post("/api/ingest", { name: "Pumps", text: "The pump is serviced each spring." });
  await rename(folder, `${folder}-away`);
  const answer = await alone.ask("GET", "/api/export");
  await rename(`${folder}-away`, folder);
  expect([answer.status, answer.body.code]).toEqual([503, "storage_unavailable"]);
  expect((await exportFrom(alone)).at(-1)?.kind).toBe("end");
  await alone.stop();
  await rm(folder, { recursive: true });
});

test("a file of another organization is not told of, nor taken", async () => {
  const form = formOf({ file: new File(["Name,Room\nGrace,7\n"], "theirs.csv", { type: "text/csv" }) });
  await server.call("/api/ingest", { method: "POST", body: form });
  const theirs = documentsOf(await exportFrom(server)).find(({ record }) => record.name === "theirs.csv")?.record.file;
  const here = entryOf("Copy", "Grace", { sourceKind: "file", file: theirs });
  const none = entryOf("Copy", "Grace", { sourceKind: "file", file: "0".repeat(64) });
  const key = await server.issueKey({ organization: "Others", role: "admin" });
  for (const { record } of [here, none]) {
    const body = JSON.stringify({ kind: "document", record, follows: [] });
    const answer = await server.ask("POST", "/api/import", { body, key });
    expect([answer.status, answer.body.detail]).toEqual([400, "line 1: its file was not sent."]);
  }
  // Of the own organization it is enough to name it.
  const body = JSON.stringify(here);
  expect((await server.ask("POST", "/api/import", { body })).body.documents.added).toBe(1);
});

test("an export taken while documents come and go is whole in itself", async () => {
  let isOver = false;
  const churn = async (worker: number): Promise<void> => {
    for (let round = 0; !isOver; round += 1) {
      const form = formOf({
        file: new File([`Name,Room\nW${worker},${round}\n`], `w${worker}-${round}.csv`, { type: "text/csv" }),
        partition: `Shelf ${round % 3}`,
      });
      const made = (await (await server.call("/api/ingest", { method: "POST", body: form })).json()) as { id: string };
      const chat = (await (await server.post("/api/chat", { title: "T" })).json()) as { id: string };
      await server.post(`/api/chat/${chat.id}/message`, { message: `Which room has W${worker}?` });
      if (round % 2 === 0) await server.ask("DELETE", `/api/document/${made.id}`);
      if (round % 3 === 0) await server.ask("DELETE", `/api/chat/${chat.id}`);
    }
  };
  const workers = [0, 1, 2].map(churn);
  await Bun.sleep(500);
  for (let round = 0; round < 5; round += 1) {
    const entries = await exportFrom(server);
    expect(entries.at(-1)?.kind).toBe("end");
    const sent = new Set<string>();
    for (const { record, follows } of documentsOf(entries)) {
      if (follows.includes("file")) sent.add(record.file ?? "");
      if (record.file !== null) expect(sent).toContain(record.file);
      if (record.status === "processed") expect(record.text).toBeString();
    }
    const chats = new Set(entries.flatMap((entry) => (entry.kind === "chat" ? [entry.record.id] : [])));
    for (const entry of entries) if (entry.kind === "message") expect(chats).toContain(entry.record.chatId);
  }
  isOver = true;
  await Promise.all(workers);
  const fresh = await startTestServer();
  const entries = await exportFrom(server);
  expect((await importTo(fresh, entries)).status).toBe(200);
  expect((await exportFrom(fresh)).slice(1)).toEqual(entries.slice(1));
});

test("a document that was not processed yet is processed here", async () => {
  const waiting = entryOf("Waiting", null, { status: "pending", pendingText: "The ibis waits for its turn." });
  const answer = await importTo(copy, [waiting]);
  expect(answer.body.documents.added).toBe(1);
  await eventually(async () => {
    const { status, originalText } = (await copy.ask("GET", `/api/document/${waiting.record.id}`)).body;
    expect({ status, originalText }).toEqual({ status: "processed", originalText: "The ibis waits for its turn." });
  });
});

test("a document that failed after it was processed is found, and failed", async () => {
  const entry = entryOf("Failed later", "The egret was found before.", { status: "failed", error: "It went wrong." });
  await importTo(copy, [entry]);
  expect((await copy.ask("GET", `/api/document/${entry.record.id}`)).body).toMatchObject({
    status: "failed",
    error: "It went wrong.",
    updatedAt: entry.record.updatedAt,
  });
  const asked = await copy.ask("POST", "/api/search", { json: { query: "egret" } });
  expect(asked.body.relevantSnippets[0]?.metadata.documentUploadId).toBe(entry.record.id);
});

test("a partition of the same name takes the documents; one that was renamed keeps its name", async () => {
  const id = Bun.randomUUIDv7();
  const { body: own } = await copy.ask("POST", "/api/partition", { json: { name: "Shared" } });
  const partition = { kind: "partition", record: { id, name: "Shared", createdAt: new Date().toISOString() } };
  const document = entryOf("In the shared one", "A text about storks.", { partitionId: id, partition: "Shared" });
  const answer = await importTo(copy, [partition, document]);
  expect(answer.body.partitions).toEqual({ added: 0, present: 1, kept: 0, skipped: 0 });
  expect((await copy.ask("GET", `/api/document/${document.record.id}`)).body.partitionId).toBe(own.id);

  const record = { id: Bun.randomUUIDv7(), name: "First name", createdAt: new Date().toISOString() };
  await importTo(copy, [{ kind: "partition", record }]);
  await copy.ask("PUT", `/api/partition/${record.id}`, { json: { name: "Second name" } });
  expect((await importTo(copy, [{ kind: "partition", record }])).body.partitions.added).toBe(0);
  expect((await copy.ask("GET", `/api/partition/${record.id}`)).body.name).toBe("Second name");
});

test("messages of a chat that is not there are left out, and counted", async () => {
  const message = {
    id: Bun.randomUUIDv7(),
    chatId: "nowhere",
    thread: "t",
    userId: "u",
    isSystem: false,
    message: "Is anybody there?",
    sourceDocuments: [],
    createdAt: new Date().toISOString(),
  };
  const answer = await importTo(copy, [{ kind: "message", record: message }]);
  expect(answer.body.messages).toEqual({ added: 0, present: 0, kept: 0, skipped: 1 });
  expect(answer.body.leftOut).toEqual([
    { kind: "messages", code: "chat_missing", reason: expect.any(String), count: 1, first: "line 1" },
  ]);
});

test.each<[string, () => (object | string)[], string]>([
  ["a line that is no JSON", () => ["{"], "line 1: it is no JSON"],
  ["a line that is no object", () => ["7"], "line 1: it is no JSON object"],
  ["an unknown kind", () => [{ kind: "key", record: {} }], "line 1: its `kind` is unknown"],
  ["a part of nothing", () => [{ kind: "part", of: "text", data: "x", last: true }], "it follows no document"],
  [
    "a record at fault",
    () => [{ ...entryOf("x", "x"), at: "documents.ndjson:7", record: {} }],
    "documents.ndjson:7: id: ",
  ],
  ["a text that is cut off", () => [entryOf("x", null, {}, ["text"])], "its text is cut off"],
  ["a file that is not sent", () => [entryOf("x", "x", { file: "0".repeat(64) })], "its file was not sent"],
  [
    "a file of another hash",
    () => [
      entryOf("x", "x", { file: "0".repeat(64) }, ["file"]),
      { kind: "part", of: "file", data: "eHk=", last: true },
    ],
    "its file has another SHA-256",
  ],
  [
    "a file that is no Base64",
    () => [
      entryOf("x", "x", { file: "0".repeat(64) }, ["file"]),
      { kind: "part", of: "file", data: "%%%", last: true },
    ],
    "its file is not in Base64",
  ],
  ["a time that is none", () => [entryOf("x", "x", { createdAt: "2026-19-39T00:00:00.000Z" })], "createdAt: "],
])("%s is refused with a 400 that names it", async (_name, entries, detail) => {
  const answer = await importTo(copy, entries() as object[]);
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: "invalid_request" });
  expect(answer.body.detail).toContain(detail);
  // Nothing is left of a file that no document took.
  const files = await Array.fromAsync(new Bun.Glob("*/*").scan(`${copy.dataDir}/files`));
  const exported = documentsOf(await exportFrom(copy)).flatMap(({ record: { file } }) => (file === null ? [] : [file]));
  expect(files.filter((name) => !exported.includes(name.split("/")[1] ?? ""))).toEqual([]);
});

test("a derived id has the form of an id, and is the same every time", () => {
  const id = Bun.randomUUIDv7();
  const derived = derivedId("organization", id);
  expect(derived).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(derived.slice(0, 13)).toBe(id.slice(0, 13));
  expect(derivedId("organization", id)).toBe(derived);
  expect(derivedId("another", id)).not.toBe(derived);
  expect(derivedId("organization", "own_chat-1")).toMatch(/^[0-9a-f-]{36}$/);
});

const chatOf = (id: string, change: object = {}) => ({
  kind: "chat",
  record: {
    id,
    name: "Chat",
    title: null,
    userId: "u",
    documentId: null,
    partitionId: null,
    partition: null,
    public: false,
    logoUrl: null,
    brandSettings: null,
    createdAt: new Date(1_700_000_000_000).toISOString(),
    named: true,
    ...change,
  },
});
const messageOf = (id: string, chatId: string, message: string) => ({
  kind: "message",
  record: {
    id,
    chatId,
    thread: "t",
    userId: "u",
    isSystem: false,
    message,
    sourceDocuments: [],
    createdAt: new Date(1_700_000_000_000).toISOString(),
  },
});
const keyOf = (organization: string) => copy.issueKey({ organization, role: "admin" });
const importAs = (key: string, entries: readonly object[]) =>
  copy.ask("POST", "/api/import", {
    key,
    body: entries.map((entry) => JSON.stringify(entry)).join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
const added = (count: number) => ({ added: count, present: 0, kept: 0, skipped: 0 });

test("one export imported into three organizations at once, beside upserts, is whole in each", async () => {
  const keys = await Promise.all(["side1", "side2", "side3"].map(keyOf));
  const partition = { id: Bun.randomUUIDv7(), name: "Zebras", createdAt: new Date().toISOString() };
  const documents = Array.from({ length: 70 }, (_, at) =>
    entryOf(`Zebra ${at}`, `Stripe${at} is the name of a zebra.`, {
      partitionId: partition.id,
      partition: partition.name,
      metadata: { externalId: `z${at}` },
      ...(at % 10 === 9 ? { status: "pending", text: null, pendingText: `Stripe${at} waits to be read.` } : {}),
    }),
  );
  const entries = [
    { kind: "partition", record: partition },
    ...documents,
    chatOf("zebra-chat"),
    ...Array.from({ length: 30 }, (_, at) => messageOf(Bun.randomUUIDv7(), "zebra-chat", `message ${at}`)),
  ];
  const ask = (key: string, method: string, path: string, json?: unknown) =>
    copy.ask(method, path, { key, ...(json === undefined ? {} : { json }) });
  const upserts = keys.flatMap((key) =>
    Array.from({ length: 5 }, (_, at) =>
      ask(key, "POST", "/api/ingest", {
        name: `Zebra ${at}`,
        text: `Stripe${at} was upserted.`,
        metadata: { externalId: `z${at}` },
        upsert: true,
      }),
    ),
  );
  const imported = await Promise.all(keys.map((key) => importAs(key, entries)));
  const upserted = await Promise.all(upserts);
  expect(upserted.map(({ status }) => status)).toEqual(upserted.map(() => 200));
  for (const { status, body } of imported)
    expect({ status, ...body }).toMatchObject({
      documents: added(70),
      chats: added(1),
      messages: added(30),
      leftOut: [],
    });
  const everywhere: string[] = [];
  for (const key of keys) {
    const listed = await ask(key, "GET", "/api/document?limit=100");
    const ids = listed.body.map(({ id }: { id: string }) => id);
    everywhere.push(...ids);
    expect(listed.headers.get("x-total-count")).toBe(String(ids.length));
    expect(
      new Set(listed.body.map(({ metadata }: { metadata: { externalId: string } }) => metadata.externalId)).size,
    ).toBe(70);
    const found = await ask(key, "POST", "/api/search", { query: "Stripe42" });
    expect(JSON.stringify(found.body.relevantSnippets[0])).toContain("Stripe42");
    const partitions = await ask(key, "GET", "/api/partition");
    expect(partitions.body).toMatchObject([{ name: "Zebras", documents: 70 }]);
    const [chat] = (await ask(key, "GET", "/api/chat")).body;
    everywhere.push(chat.id, partitions.body[0].id);
    expect((await ask(key, "GET", `/api/chat/${chat.id}`)).body.messages).toHaveLength(30);
    const again = await importAs(key, entries);
    expect(again.body).toMatchObject({
      documents: { added: 0 },
      chats: { added: 0, present: 1 },
      messages: { added: 0 },
    });
  }
  expect(new Set(everywhere).size).toBe(everywhere.length);
});

test("a message with the id of another chat's message gets one of its own, and deleting goes on", async () => {
  const keys = [await keyOf("mine"), await keyOf("theirs")] as const;
  const id = Bun.randomUUIDv7();
  const first = await importAs(keys[0], [chatOf("chat-a"), chatOf("chat-b"), messageOf(id, "chat-a", "the first")]);
  expect(first.body.messages).toEqual(added(1));
  expect((await importAs(keys[0], [messageOf(id, "chat-b", "the second")])).body.messages).toEqual(added(1));
  const other = await importAs(keys[1], [
    chatOf("chat-c"),
    messageOf(id, "chat-c", "the third"),
    messageOf(id, "chat-c", "twice"),
  ]);
  expect(other.body.messages).toEqual({ added: 1, present: 1, kept: 0, skipped: 0 });
  expect((await importAs(keys[0], [messageOf(id, "chat-b", "the second")])).body.messages).toMatchObject({
    present: 1,
  });
  const messages = await Promise.all(
    [keys[0], keys[0], keys[1]].map(
      async (key, at) => (await copy.ask("GET", `/api/chat/chat-${"abc"[at]}`, { key })).body.messages,
    ),
  );
  expect(messages.map(([one]) => one.message)).toEqual(["the first", "the second", "the third"]);
  expect(new Set(messages.flat().map((one) => one.id)).size).toBe(3);
});

test("an import keeps to the quotas, also the operator's, and says what it left out", async () => {
  const small = await startTestServer(
    {},
    {
      configure(config) {
        config.limits.organization.maxDocuments = 3;
      },
    },
  );
  const sent = ["one", "two", "three", "four", "five"].map((name) => entryOf(name, `This is ${name}.`));
  const answer = await importTo(small, [...sent, chatOf("after-it")]);
  expect(answer.body).toMatchObject({
    documents: { added: 3, present: 0, kept: 0, skipped: 2 },
    chats: added(1),
    leftOut: [
      {
        kind: "documents",
        code: "quota_reached",
        count: 2,
        first: "line 4",
        reason: expect.stringContaining("3 documents"),
      },
    ],
  });
  expect((await small.ask("GET", "/api/document")).headers.get("x-total-count")).toBe("3");
  expect((await importTo(small, sent)).body.documents).toEqual({ added: 0, present: 3, kept: 0, skipped: 2 });
});

test("addresses that are not http, and control characters of names and messages, are left out", async () => {
  const bell = String.fromCharCode(7);
  const web = entryOf("Web", "A page.", { sourceKind: "website", originalUrl: "https://example.com/a" });
  const script = entryOf(`Scr${bell}ipt`, "A script.", { sourceKind: "website", originalUrl: "javascript:alert(1)" });
  const chat = chatOf("logo-chat", { logoUrl: "file:///etc/passwd", name: `A${bell} name` });
  const answer = await importTo(copy, [
    web,
    script,
    chat,
    messageOf(Bun.randomUUIDv7(), "logo-chat", `a${bell}b\tc\nd`),
  ]);
  expect(answer.body.leftOut).toMatchObject([
    { kind: "documents", code: "address_refused", count: 1, first: "line 2" },
    { kind: "chats", code: "address_refused", count: 1 },
  ]);
  const stored = async ({ record }: ReturnType<typeof entryOf>) =>
    (await copy.ask("GET", `/api/document/${record.id}`)).body;
  expect(await stored(web)).toMatchObject({ name: "Web", originalUrl: "https://example.com/a" });
  expect(await stored(script)).toMatchObject({ name: "Script", originalUrl: null });
  expect((await copy.ask("GET", "/api/chat/logo-chat")).body).toMatchObject({
    name: "A name",
    logoUrl: null,
    messages: [{ message: "ab\tc\nd" }],
  });
});

test("a record of more values than any has is refused before it is read", async () => {
  const line = `{"kind":"message","record":{"x":[${"[],".repeat(300_000)}[]],"y":"${"\\u0000"}"}}`;
  const answer = await importTo(copy, [line]);
  expect({ status: answer.status, detail: answer.body.detail }).toMatchObject({
    status: 400,
    detail: expect.stringContaining("line 1: it holds more than"),
  });
  const long = entryOf("Commas", `One, ${'and, \\ " so on, '.repeat(2_500)}`);
  const padded = {
    ...long,
    record: { ...long.record, warnings: Array.from({ length: 4 }, () => ", ".repeat(30_000)) },
  };
  expect((await importTo(copy, [padded])).body.documents).toEqual(added(1));
});

test("millions of blank lines cost little and let other requests go first, however their lines end", async () => {
  let isEnded = false;
  const importing = copy
    .ask("POST", "/api/import", {
      body: "\n".repeat(15_000_000) + " \r\n".repeat(5_000_000),
      headers: { "content-type": "application/x-ndjson" },
    })
    .finally(() => {
      isEnded = true;
    });
  let beside = 0;
  while (!isEnded) {
    expect((await copy.ask("GET", "/health/live")).status).toBe(200);
    beside += 1;
  }
  expect((await importing).status).toBe(200);
  expect(beside).toBeGreaterThan(3);
});
