import { afterAll, describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { examine } from "../../src/doctor/examine.ts";
import { versionHeader } from "../../src/http/shared-role.ts";
import { createLogger } from "../../src/log/log.ts";
import { openProgram } from "../../src/program/open-program.ts";
import { headObject, newHead } from "../../src/replication/head.ts";
import { senderHeader } from "../../src/replication/send-on.ts";
import { formOf } from "../call-server.ts";
import { bucket } from "../fake-s3.ts";
import { startTestServer, type TestServer, testConfig } from "../start-server.ts";
import { createSharedServers, sharedStoreAt } from "./shared-servers.ts";

const servers = createSharedServers();
let writer = await servers.start();
const reader = await servers.start();
afterAll(() => servers.end());

const ingest = async (at: TestServer, name: string, text: string): Promise<{ id: string; version: string }> => {
  const answer = await at.post("/api/ingest", { name, text });
  expect(answer.status).toBe(200);
  const { id } = (await answer.json()) as { id: string };
  return { id, version: answer.headers.get(versionHeader) ?? "" };
};

const ask = async (
  at: TestServer,
  query: string,
  version?: string,
): Promise<{ answer: string; receipt: { id: string } }> => {
  const headers: Record<string, string> = { "content-type": "application/json" };
  if (version !== undefined) headers[versionHeader] = version;
  const answer = await at.call("/api/query", { method: "POST", headers, body: JSON.stringify({ query }) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { answer: string; receipt: { id: string } };
};

/** Asks again and again, for no longer than that. */
const until = async (ms: number, isSo: () => Promise<boolean>): Promise<boolean> => {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    if (await isSo()) return true;
    await Bun.sleep(50);
  }
  return false;
};

describe("what is stored through one server", () => {
  test("is read there at once, and elsewhere with its version at once", async () => {
    const { version } = await ingest(reader, "gate.txt", "The code of the north gate is zebra.");
    expect((await ask(reader, "What is the code of the north gate?")).answer).toContain("zebra");
    expect((await ask(writer, "What is the code of the north gate?", version)).answer).toContain("zebra");
    const later = await ingest(writer, "gate2.txt", "The code of the south gate is heron.");
    expect((await ask(reader, "What is the code of the south gate?", later.version)).answer).toContain("heron");
  });

  test("a version that nobody has stored yet is waited for, then refused", async () => {
    const headers = { [versionHeader]: "999999999" };
    expect((await reader.call("/api/document", { headers })).status).toBe(503);
  }, 20_000);

  test("is read elsewhere within two seconds without it", async () => {
    const { id } = await ingest(writer, "soon.txt", "The kettle is in the shed.");
    expect(await until(2_000, async () => (await reader.call(`/api/document/${id}`)).status === 200)).toBe(true);
    expect((await reader.call(`/api/document/${id}`, { method: "DELETE" })).ok).toBe(true);
    expect((await reader.call(`/api/document/${id}`)).status).toBe(404);
    expect((await ask(reader, "Where is the kettle?")).answer).not.toContain("shed");
  });

  test("an uploaded file is the same from each of them, until it is deleted", async () => {
    const form = formOf({ file: new File(["The lamp is blue.\n"], "lamp.md", { type: "text/markdown" }) });
    const uploaded = await reader.call("/api/ingest", { method: "POST", body: form });
    const { id } = (await uploaded.json()) as { id: string };
    const version = uploaded.headers.get(versionHeader) ?? "";
    for (const server of [reader, writer]) {
      const file = await server.call(`/api/document/${id}/file`, { headers: { [versionHeader]: version } });
      expect(await file.text()).toBe("The lamp is blue.\n");
    }
    expect([...servers.s3.objects.keys()].filter((key) => key.includes("/files/"))).toHaveLength(1);
  });

  test("the receipt of an answer, and what is said of it", async () => {
    const { receipt } = await ask(reader, "What is the code of the north gate?");
    for (const server of [reader, writer]) expect((await server.call(`/api/receipt/${receipt.id}`)).status).toBe(200);
    const said = await reader.post("/api/feedback", { receiptId: receipt.id, rating: "up" });
    expect(said.status).toBe(200);
    const list = (await (await reader.call("/api/feedback")).json()) as unknown[];
    expect(list).toHaveLength(1);
  });

  test("a chat goes on at any of them, as a stream too", async () => {
    const made = await reader.post("/api/chat", { name: "gates" });
    const { id } = (await made.json()) as { id: string };
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const body = JSON.stringify({ message: "What is the code of the north gate?" });
    const answer = await reader.call(`/api/chat/${id}/private`, { method: "POST", headers, body });
    expect(await answer.text()).toContain("zebra");
    const version = made.headers.get(versionHeader) ?? "";
    expect((await writer.call(`/api/chat/${id}`, { headers: { [versionHeader]: version } })).status).toBe(200);
  });
});

test("a key works everywhere as soon as it is made, and nowhere two seconds after it is revoked", async () => {
  const made = await reader.post("/api/key", { name: "two", role: "reader" });
  const { id, key } = (await made.json()) as { id: string; key: string };
  const isTaken = async (server: TestServer): Promise<boolean> =>
    (await server.call("/api/document", { headers: { authorization: `Bearer ${key}` } })).status === 200;
  expect(await isTaken(reader)).toBe(true);
  expect(await isTaken(writer)).toBe(true);
  expect((await writer.call(`/api/key/${id}`, { method: "DELETE" })).ok).toBe(true);
  expect(await isTaken(writer)).toBe(false);
  expect(await until(2_000, async () => !(await isTaken(reader)))).toBe(true);
});

test("a question asks the bucket for nothing but news", async () => {
  await ask(reader, "What is the code of the south gate?");
  servers.s3.requests.length = 0;
  for (const gate of ["north", "south"]) await ask(reader, `What is the code of the ${gate} gate?`);
  const others = servers.s3.requests.filter((request) => !request.startsWith(`GET /${bucket}/store/heads/`));
  // The writer shows meanwhile that it lives, and keeps the receipts.
  expect(others.filter((request) => request.startsWith("GET") && request.includes("/tables/snippets"))).toEqual([]);
});

test("a document that is read in costs a number of requests that does not grow", async () => {
  await ingest(writer, "first of two.txt", "The first of two boats.");
  await Bun.sleep(1_500); // upkeep and receipts of before
  servers.s3.requests.length = 0;
  await ingest(writer, "second of two.txt", "The second of two boats.");
  const puts = servers.s3.requests.filter((request) => request.startsWith("PUT"));
  // Of documents, texts and snippets: rows, transaction and manifest, in two heads at most; a beat may come in between.
  expect(puts.length).toBeLessThanOrEqual(24);
});

test("what only says that another server sent it on is not believed", async () => {
  const mark = Buffer.from(JSON.stringify({ clientAddress: "local", operator: null, at: Date.now() })).toString(
    "base64url",
  );
  const headers = { "x-carrel-sent-on": `${mark}.${mark}` };
  const document = await fetch(`${writer.url}/api/document`, { headers });
  const notes = await fetch(`${writer.url}/internal/notes`, { method: "POST", headers, body: "{}" });
  expect([document.status, notes.status]).toEqual([401, 404]);
});

test("doctor names the server that writes", async () => {
  const context = { config: reader.config, env: {}, embedded: null, signal: new AbortController().signal };
  const found = (await examine(context)).filter(({ check }) => check === "shared store");
  const detail = `s3://${bucket}/store is written by the server at ${writer.url}, which answers.`;
  expect(found).toEqual([{ check: "shared store", status: "ok", detail, fix: null }]);
});

test("a command without a server says what to do", async () => {
  const config = testConfig(await servers.newFolder(), { store: sharedStoreAt(servers.s3) });
  const open = openProgram({ config, log: createLogger(config.log), embedded: null });
  await expect(open).rejects.toThrow("The store is shared (s3://vault/store)");
});

test("a request that was sent on is not sent on again: two servers could send it to and fro for ever", async () => {
  const headers = { "content-type": "application/json", [senderHeader]: "x.y" };
  const body = JSON.stringify({ name: "again.txt", text: "The code of the barn is shrew." });
  expect((await reader.call("/api/ingest", { method: "POST", headers, body })).status).toBe(503);
});

describe("the writer's place", () => {
  test("is taken by another server as soon as the writer stops, and not given back", async () => {
    await writer.stop();
    let id = "";
    const isStored = async (): Promise<boolean> => {
      const answer = await reader.post("/api/ingest", {
        name: "third.txt",
        text: "The code of the west gate is otter.",
      });
      if (answer.status === 200) ({ id } = (await answer.json()) as { id: string });
      else expect(answer.status).toBe(503);
      return answer.status === 200;
    };
    expect(await until(15_000, isStored)).toBe(true);
    writer = await servers.start(writer.dataDir);
    expect((await writer.call(`/api/document/${id}`)).status).toBe(200);
    await ingest(writer, "fourth.txt", "The code of the east gate is lynx.");
    expect((await ask(writer, "What is the code of the east gate?")).answer).toContain("lynx");
  }, 40_000);

  test("who lost it acknowledges nothing, and nothing of it is left", async () => {
    // `reader` writes now. Another process takes its place, and dies.
    const { objects } = servers.s3;
    const take = (): void => {
      const [key = ""] = [...objects.keys()].filter((one) => one.includes("/heads/")).sort();
      const head = JSON.parse(new TextDecoder().decode(objects.get(key)?.bytes)) as { number: number; epoch: number };
      const next = { ...head, number: head.number + 1, epoch: head.epoch + 1, nonce: "x" };
      const name = `store/heads/${String(999_999_999_999_999 - next.number).padStart(15, "0")}.json`;
      const taken = { ...next, keeper: { id: "dead", address: "http://127.0.0.1:9" } };
      objects.set(name, { bytes: new TextEncoder().encode(JSON.stringify(taken)), modifiedAt: new Date() });
    };
    take();
    const refused = await reader.post("/api/ingest", { name: "lost.txt", text: "The code of the attic is vole." });
    expect([refused.status, await refused.text()]).toEqual([503, expect.any(String)]);
    // Some seconds later the dead one's place is taken by one of the two.
    const isStored = async (): Promise<boolean> =>
      (await writer.post("/api/ingest", { name: "found.txt", text: "The code of the cellar is mole." })).status === 200;
    expect(await until(25_000, isStored)).toBe(true);
    for (const server of [reader, writer]) {
      const isThere = async (name: string): Promise<boolean> => {
        const list = (await (await server.call("/api/document?limit=100")).json()) as { name: string }[];
        return list.some((document) => document.name === name);
      };
      expect(await until(5_000, () => isThere("found.txt"))).toBe(true);
      expect(await isThere("lost.txt")).toBe(false);
    }
  }, 60_000);
});

describe("refused at the start", () => {
  test("a bucket in which several can create one object", async () => {
    const folder = await servers.newFolder();
    servers.s3.intervene = async (request) =>
      request.method === "PUT" && request.url.includes("/races/") ? new Response() : null;
    const start = startTestServer({ store: sharedStoreAt(servers.s3) }, {}, folder);
    await expect(start).rejects.toThrow("of 16 writes of one new object at the same time 16 succeeded");
    servers.s3.intervene = () => null;
  });

  test("a data directory with a store of its own, where the bucket has another one", async () => {
    const folder = await servers.newFolder();
    const own = await startTestServer({}, {}, folder);
    await own.stop();
    const start = startTestServer({ store: sharedStoreAt(servers.s3) }, {}, folder);
    await expect(start).rejects.toThrow("holds another store than s3://vault/store");
  });
});

/** A data directory with a document that was stored without a bucket. */
const storedAlone = async (): Promise<{ folder: string; id: string }> => {
  const folder = await servers.newFolder();
  const own = await startTestServer({}, {}, folder);
  const { id } = await ingest(own, "old.txt", "The old boat is called Marigold.");
  await own.stop();
  return { folder, id };
};

test("an empty bucket takes the store of the data directory", async () => {
  const { folder, id } = await storedAlone();
  const store = sharedStoreAt(servers.s3, "moved");
  const first = await startTestServer({ store }, {}, folder);
  const second = await startTestServer({ store }, {}, await servers.newFolder());
  const headers = { authorization: `Bearer ${first.key}` };
  expect((await fetch(`${second.url}/api/document/${id}`, { headers })).status).toBe(200);
  await second.stop();
}, 30_000);

test("a server that was killed while it brought its store into the bucket brings it again; another one waits for it", async () => {
  const { folder, id } = await storedAlone();
  const store = sharedStoreAt(servers.s3, "killed");
  const head = {
    ...{ ...newHead, number: 1, epoch: 1, nonce: "n", arriving: true },
    keeper: { id: "first", address: "http://127.0.0.1:9" },
  };
  servers.s3.objects.set(`killed/${headObject(1)}`, {
    bytes: Buffer.from(JSON.stringify(head)),
    modifiedAt: new Date(),
  });
  await writeFile(join(folder, "shared.json"), JSON.stringify({ bucket: `s3://${bucket}/killed`, id: "first" }));

  const waiting = startTestServer({ store }, {}, await servers.newFolder());
  await Bun.sleep(1_000);
  const again = await startTestServer({ store }, {}, folder);
  const second = await waiting;
  const headers = { authorization: `Bearer ${again.key}` };
  for (const { url } of [again, second])
    expect((await fetch(`${url}/api/document/${id}`, { headers })).status).toBe(200);
  await second.stop();
}, 60_000);

test("a data directory that stored something alone is not replaced by the shared store that it was a part of", async () => {
  const folder = await servers.newFolder();
  const store = sharedStoreAt(servers.s3, "left");
  const shared = await startTestServer({ store }, {}, folder);
  await ingest(shared, "shared.txt", "The shared boat is called Teasel.");
  await shared.stop();
  const alone = await startTestServer({}, {}, folder);
  const { id } = await ingest(alone, "own.txt", "The own boat is called Sorrel.");
  await alone.stop();
  await expect(startTestServer({ store }, {}, folder)).rejects.toThrow("holds another store than");
  const moved = await startTestServer({ store: sharedStoreAt(servers.s3, "left-for") }, {}, folder);
  expect((await moved.call(`/api/document/${id}`)).status).toBe(200);
}, 60_000);
