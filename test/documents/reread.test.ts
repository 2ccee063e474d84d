import { beforeEach, describe, expect, test } from "bun:test";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config/schema.ts";
import type { FileParser } from "../../providers/contract.ts";
import { generateKey } from "../../src/access/key.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { serveSite } from "../serve-site.ts";
import { startTestServer } from "../start-server.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { eventually } from "../until.ts";
import { type Answer, serveDocuments, waitForDocument } from "./serve-documents.ts";

/** What the parser makes of any file. */
let reading = "";
let failure: Error | null = null;
const parser: FileParser = {
  async parse({ bytes }) {
    if (failure !== null) throw failure;
    const text = `${reading}: ${new TextDecoder().decode(bytes)}`;
    return {
      text,
      pages: [{ page: 1, start: 0 }],
      title: null,
      mimeType: "text/plain",
      warnings: [`read by ${reading}`],
    };
  },
};

const server = await serveDocuments({ parser });
const site = serveSite();
beforeEach(() => {
  reading = "the old parser";
  failure = null;
  server.embeddings.failure = null;
  server.embeddings.gate = Promise.resolve();
});

const fileBody = (text: string, fields: Record<string, string> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new File([text], "hours.txt", { type: "text/plain" }));
  return form;
};
const addFile = async (text: string, fields?: Record<string, string>): Promise<Answer["body"]> =>
  (await server.call("POST", "/api/ingest", { body: fileBody(text, fields) })).body;
const reread = (id: string, key?: string): Promise<Answer> =>
  server.call("POST", `/api/document/${id}/reread`, key === undefined ? {} : { key });
const get = async (id: string): Promise<Answer["body"]> => (await server.call("GET", `/api/document/${id}`)).body;
const snippetsOf = async (id: string): Promise<string[]> =>
  (await server.call("GET", `/api/document/${id}/snippets`)).body.map(({ content }: { content: string }) => content);
const close = (): (() => void) => {
  const gate = Promise.withResolvers<void>();
  server.embeddings.gate = gate.promise;
  return gate.resolve;
};
const tenant = () => ({ organizationId: server.organizationId, partitionId: null });

describe("POST /api/document/:id/reread", () => {
  test("a file is parsed anew; until that is done, what it holds is found", async () => {
    const metadata = { source: "desk", externalId: "hours-1" };
    const labels = { partition: "Desk", metadata: JSON.stringify(metadata), name: "Hours" };
    const before = await addFile("open at nine", labels);
    expect(before.originalText).toBe("the old parser: open at nine");
    reading = "the new parser";
    const open = close();
    const { status, body } = await reread(before.id);
    expect([status, body.status, body.error, body.originalText]).toEqual([
      202,
      "pending",
      null,
      "the old parser: open at nine",
    ]);
    expect(await snippetsOf(before.id)).toEqual(["the old parser: open at nine"]);
    open();
    const after = await waitForDocument(server, before.id);
    expect(after).toEqual({
      ...before,
      text: undefined,
      unchanged: undefined,
      originalText: "the new parser: open at nine",
      warnings: ["read by the new parser"],
      updatedAt: expect.any(String),
    });
    expect([after.name, after.metadata, after.progress.pages]).toEqual(["Hours", metadata, 1]);
    expect(await snippetsOf(before.id)).toEqual(["the new parser: open at nine"]);
    expect((await server.call("GET", `/api/document/${before.id}/file`)).text).toBe("open at nine");
  });

  test("a file whose text was changed by hand is as its file again", async () => {
    const { id, originalText } = await addFile("open at ten");
    await server.call("PUT", `/api/document/${id}`, { json: { text: "typed by hand" } });
    await reread(id);
    expect((await waitForDocument(server, id)).originalText).toBe(originalText);
  });

  test("the same text is cut and embedded again", async () => {
    const text = "A text that stays the same.";
    const { id } = (await server.call("POST", "/api/ingest", { json: { name: "Same", text } })).body;
    const { originalText: fileText, id: file } = await addFile("the same too");
    const before = await Promise.all([id, file].map((each) => server.store.documents.get(tenant(), each)));
    server.embeddings.embedded.length = 0;
    for (const each of [id, file]) {
      expect((await reread(each)).status).toBe(202);
      expect((await waitForDocument(server, each)).status).toBe("processed");
    }
    expect(server.embeddings.embedded.toSorted()).toEqual([text, fileText].toSorted());
    expect((await get(id)).originalText).toBe(text);
    const after = await Promise.all([id, file].map((each) => server.store.documents.get(tenant(), each)));
    expect(after.map((each) => each?.textHash)).toEqual(before.map((each) => each?.textHash));
    for (const [at, each] of after.entries()) expect(each?.revision).not.toBe(before[at]?.revision);
    expect(await snippetsOf(id)).toEqual([text]);
  });

  test.each(["url", "websiteUrl"])("a document from a %s is fetched again", async (field) => {
    const address = { type: "text/plain", body: "what was there" };
    site.pages["/again"] = address;
    const { body } = await server.call("POST", "/api/ingest", {
      json: { [field]: `${site.url}/again`, name: "There" },
    });
    expect(body.originalText).toContain("what was there");
    address.body = "what is there now";
    await reread(body.id);
    const after = await waitForDocument(server, body.id);
    expect([after.originalText, after.name]).toEqual(["the old parser: what is there now", "There"]);
    const file = await server.call("GET", `/api/document/${body.id}/file`);
    expect([file.status, file.text.includes("what is there now")]).toEqual([
      field === "url" ? 200 : 404,
      field === "url",
    ]);

    delete site.pages["/again"];
    await reread(body.id);
    const gone = await waitForDocument(server, body.id);
    expect([gone.status, gone.error]).toEqual(["failed", expect.stringContaining("404")]);
    expect(gone.originalText).toBe(after.originalText);
    expect(await snippetsOf(body.id)).toEqual([after.originalText]);
  });

  test("where reading fails, the content stays and the reason is told; then it can be read again", async () => {
    const { id } = await addFile("open at noon");
    failure = new ApiError("unreadable_file", "The file cannot be read: it is odd.");
    reading = "the new parser";
    await reread(id);
    const failed = await waitForDocument(server, id);
    expect([failed.status, failed.error]).toEqual(["failed", "The file cannot be read: it is odd."]);
    expect(failed.originalText).toBe("the old parser: open at noon");
    expect(await snippetsOf(id)).toEqual(["the old parser: open at noon"]);
    failure = null;
    const again = await reread(id);
    expect([again.status, again.body.status, again.body.error]).toEqual([202, "pending", null]);
    const after = await waitForDocument(server, id);
    expect([after.status, after.error, after.originalText]).toEqual([
      "processed",
      null,
      "the new parser: open at noon",
    ]);
  });

  test("a replacement that failed is read, not the text that it was to replace", async () => {
    const ingest = (text: string) =>
      server.call("POST", "/api/ingest", {
        json: { name: "Note", text, upsert: true, async: true, metadata: { externalId: "note" } },
      });
    const { id } = (await ingest("the first text")).body;
    await waitForDocument(server, id);
    const open = close();
    const running = await Promise.all([1, 2].map((at) => addLater(`in front ${at}`)));
    for (const each of running) while (!server.ingest.isRunning(each)) await Bun.sleep(2);
    await ingest("the second text");
    expect((await server.call("POST", `/api/document/${id}/cancel`)).body.status).toBe("failed");
    expect((await reread(id)).body.originalText).toBe("the first text");
    open();
    expect((await waitForDocument(server, id)).originalText).toBe("the second text");
  });

  const addLater = async (text: string): Promise<string> =>
    (await server.call("POST", "/api/ingest", { json: { name: "Later", text, async: true } })).body.id;
});

describe("refusals", () => {
  test("a document that waits or is being read: 409", async () => {
    const open = close();
    const ids = await Promise.all(
      [1, 2, 3].map(
        async (at) =>
          (await server.call("POST", "/api/ingest", { json: { name: "Busy", text: `busy ${at}`, async: true } })).body
            .id,
      ),
    );
    await eventually(async () => {
      const states = await Promise.all(ids.map(async (id) => (await get(id)).status));
      expect(states.toSorted()).toEqual(["pending", "processing", "processing"]);
    });
    for (const id of ids) {
      const { status, body } = await reread(id);
      expect([status, body.code]).toEqual([409, "document_busy"]);
      expect(body.detail).toBe(
        `A document can be read again once it is processed or has failed; this one is ${(await get(id)).status}.`,
      );
    }
    open();
    for (const id of ids) expect((await waitForDocument(server, id)).status).toBe("processed");
  });

  test("where the file or the text is gone, nothing is changed", async () => {
    const { id } = await addFile("a file that is lost");
    const blobHash = (await server.store.documents.get(tenant(), id))?.blobHash ?? "";
    for (const name of await readdir(join(server.dataDir, "files"), { recursive: true }))
      if (name.endsWith(blobHash)) await rm(join(server.dataDir, "files", name));
    const lost = await reread(id);
    expect([lost.status, lost.body.code]).toEqual([500, "data_damaged"]);
    const kept = await get(id);
    expect([kept.status, kept.originalText]).toEqual(["processed", "the old parser: a file that is lost"]);

    const record = await server.store.documents.get(tenant(), id);
    if (record === null) throw new Error("the document is gone");
    const withoutText = { ...record, id: Bun.randomUUIDv7(), blobHash: null, revision: null };
    await server.store.documents.add({ ...withoutText, sourceKind: "text", status: "failed" }, null);
    const empty = await reread(withoutText.id);
    expect([empty.status, empty.body.code]).toEqual([422, "no_text"]);
    expect((await get(withoutText.id)).status).toBe("failed");
  });

  test("where the organization holds all that it may", async () => {
    const configure = ({ limits }: Config): void => {
      limits.organization.maxBytes = 40;
    };
    const whole = await startTestServer({}, { configure });
    const add = (text: string) => whole.ask("POST", "/api/ingest", { json: { name: "Small", text } });
    const { id } = (await add("forty bytes are all that may be stored..")).body;
    const { status, body } = await whole.ask("POST", `/api/document/${id}/reread`);
    expect([status, body.code]).toEqual([409, "quota_reached"]);
    expect((await whole.ask("GET", `/api/document/${id}`)).body.status).toBe("processed");
  });
});

test("nothing of it is lost where the server is killed: the next one does it, and finds the old content until then", async () => {
  const dataDir = await temporaryFolder("reread");
  const key = generateKey();
  const first = await startTestServer({}, { adminKey: key, parts: { parser } }, dataDir);
  const add = async (options: object) => (await first.ask("POST", "/api/ingest", options)).body.id as string;
  const file = await add({ body: fileBody("the walrus sleeps on the ice") });
  const text = await add({ json: { name: "Text", text: "The narwhal swims under the ice." } });
  await first.stop();

  const child = Bun.spawn([process.execPath, join(import.meta.dir, "killed-reader.ts"), dataDir, key, file, text], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const printed = await new Response(child.stdout).text();
  await child.exited;
  expect([child.signalCode, printed.trim()]).toEqual(["SIGKILL", '[[202,"pending"],[202,"pending"]]']);

  const gate = Promise.withResolvers<void>();
  const waiting: FileParser = { parse: async (...file) => gate.promise.then(() => parser.parse(...file)) };
  reading = "the new parser";
  const next = await startTestServer({}, { adminKey: key, parts: { parser: waiting } }, dataDir);
  const find = async (query: string) =>
    (await next.ask("POST", "/api/search", { json: { query } })).body.relevantSnippets[0]?.metadata.content;
  expect(await find("Where does the walrus sleep?")).toBe("the old parser: the walrus sleeps on the ice");
  gate.resolve();
  await eventually(async () => {
    const { body } = await next.ask("GET", `/api/document?ids=${file},${text}&include=originalText`);
    expect(body.map(({ status }: { status: string }) => status)).toEqual(["processed", "processed"]);
  });
  expect(await find("Where does the walrus sleep?")).toBe("the new parser: the walrus sleeps on the ice");
  expect(await find("Where does the narwhal swim?")).toBe("The narwhal swims under the ice.");
});
