import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import pino from "pino";
import { connect } from "../../../src/store/engine/lance.ts";
import { judge, withdrawnAnswer } from "../../../src/store/migrations/narrow-chats.ts";
import { startTestServer, type TestServer } from "../../start-server.ts";

const chat = {
  id: "c",
  organizationId: "o",
  userId: "u",
  documentId: null as string | null,
  public: true,
  createdAt: 100,
};
const key = { organizationId: "o", userId: "u", role: "writer", partitionId: null as string | null, createdAt: 1 };
const limited = { ...key, partitionId: "p" };

test.each<[string, Partial<typeof chat>, (typeof key)[], object]>([
  ["a limited key's user", {}, [limited], { kind: "narrow", partitionId: "p" }],
  ["a private one of a limited key's user", { public: false }, [limited], { kind: "narrow", partitionId: "p" }],
  ["two keys of one partition", {}, [limited, { ...limited, role: "admin" }], { kind: "narrow", partitionId: "p" }],
  ["an unlimited key's user", {}, [key], { kind: "keep" }],
  ["the user of both", {}, [key, limited], { kind: "narrow", partitionId: "p" }],
  ["the user of both, private", { public: false }, [key, limited], { kind: "keep" }],
  ["the user of both, about one document", { documentId: "d" }, [key, limited], { kind: "keep" }],
  ["an unlimited key's, beside another user's limited one", {}, [key, { ...limited, userId: "v" }], { kind: "keep" }],
  ["a key that came later", {}, [key, { ...limited, createdAt: 101 }], { kind: "keep" }],
  ["a key that may make no chats", {}, [key, { ...limited, role: "reader" }], { kind: "keep" }],
  ["another organization's key", {}, [key, { ...limited, organizationId: "x" }], { kind: "keep" }],
  ["keys of two partitions", {}, [limited, { ...limited, partitionId: "q" }], { kind: "close" }],
  ["nobody that has a key", {}, [{ ...limited, userId: "v" }], { kind: "unknown" }],
  ["nobody that has a key, private", { public: false }, [{ ...limited, userId: "v" }], { kind: "keep" }],
])("a chat of %s", (_name, change, keys, verdict) => {
  expect(judge({ ...chat, ...change }, keys)).toEqual(verdict as ReturnType<typeof judge>);
});

const ask = async (server: TestServer, path: string, body: object, as: string | null): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(as === null ? {} : { authorization: `Bearer ${as}` }) },
    body: JSON.stringify(body),
  });

test("an older store: widened chats are narrowed, others stay, errors lose the messages of servers", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "carrel-narrow-"));
  try {
    const old = await startTestServer({}, {}, dataDir);
    const made = async (path: string, body: object, as = old.key) =>
      (await (await ask(old, path, body, as)).json()) as { id: string; key: string; partitionId: string };
    const mine = await made("/api/ingest", { name: "M", text: "The heron nests at pond one.", partition: "Mine" });
    await made("/api/ingest", { name: "T", text: "The osprey nests at pond two.", partition: "Theirs" });
    const { partitionId } = mine;
    const own = await made("/api/key", { name: "l", role: "writer", userId: "tenant", partitionId });
    const widened = await made("/api/chat", { public: true, partitionId: null }, own.key);
    const wide = await made("/api/chat", { public: true });
    const failed = await made("/api/ingest", { name: "F", text: "Something that failed." });

    // As it was before: the chat over the whole organization, and what a visitor was told there.
    await old.stop();
    const { connection } = await connect(join(dataDir, "tables"));
    await (await connection.openTable("chats")).update({
      where: `id = '${widened.id}'`,
      valuesSql: { partitionId: "cast(NULL as string)", checksum: "cast(NULL as int)" },
    });
    connection.close();

    const between = await startTestServer({}, { adminKey: old.key }, dataDir);
    const leaked = await ask(
      between,
      `/api/chat/${widened.id}/message`,
      { message: "Where does the osprey nest?" },
      null,
    );
    expect(await leaked.text()).toContain("pond two");
    await between.stop();

    const again = await connect(join(dataDir, "tables"));
    const documents = await again.connection.openTable("documents");
    await documents.update({
      where: `id = '${failed.id}'`,
      values: { status: "failed", error: "http://10.0.0.9:8000 answered 500: <html><h1>Bad</h1>", checksum: null },
    });
    await documents.dropColumns(["errorReason"]);
    const meta = await again.connection.openTable("meta");
    await meta.update({ where: "id = 'schemaVersion'", values: { value: "2", checksum: null } });
    again.connection.close();

    let log = "";
    const sink = new Writable({
      write(chunk, _encoding, done) {
        log += String(chunk);
        done();
      },
    });
    const server = await startTestServer({}, { adminKey: old.key, log: pino({ level: "info" }, sink) }, dataDir);
    try {
      const shown = async (path: string) => (await (await server.call(path)).json()) as Record<string, unknown>;
      expect(await shown(`/api/chat/${widened.id}`)).toMatchObject({ partitionId, public: true });
      expect(await shown(`/api/chat/${wide.id}`)).toMatchObject({ partitionId: null, public: true });
      const warnings = log.split("\n").filter((line) => line.includes('"level":40'));
      expect(warnings.filter((line) => line.includes(widened.id))).toHaveLength(1);
      expect(warnings.filter((line) => line.includes(wide.id))).toEqual([]);
      const asked = await ask(
        server,
        `/api/chat/${widened.id}/message`,
        { message: "Where does the osprey nest?" },
        null,
      );
      expect(asked.status).toBe(200);
      expect(await asked.text()).not.toContain("pond two");
      // What was answered before is not handed to the limited key, which can read the chat from now on.
      const read = await fetch(`${server.url}/api/chat/${widened.id}`, {
        headers: { authorization: `Bearer ${own.key}` },
      });
      const told = await read.text();
      expect(read.status).toBe(200);
      expect(told).toContain(withdrawnAnswer);
      expect(told).not.toContain("pond two");
      const { error } = await shown(`/api/document/${failed.id}`);
      expect(error).toBe("The server answered with an HTML page.");
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
