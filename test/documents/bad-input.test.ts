import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { formOf } from "../call-server.ts";
import { serveSite } from "../serve-site.ts";
import { unreachable } from "./scripted-embeddings.ts";
import { type Answer, serveDocuments } from "./serve-documents.ts";

let before: string;

const server = await serveDocuments();
const site = serveSite();
const json = { name: "Kept", text: "kept text", partition: "Kept", metadata: { externalId: "kept" } };
const kept = (await server.call("POST", "/api/ingest", { json })).body.id;

/** All that a refused request could have left: documents, partitions, original files, waiting work. */
const everything = async (): Promise<string> => {
  const documents = await server.call("GET", "/api/document?limit=100&include=originalText");
  const partitions = await server.call("GET", "/api/partition?limit=100");
  const files = (await readdir(join(server.dataDir, "files"), { recursive: true }).catch(() => [])).filter((name) =>
    /[0-9a-f]{64}$/.test(name),
  );
  return JSON.stringify([documents.text, partitions.text, files, server.ingest.size]);
};

beforeEach(async () => {
  before = await everything();
});

afterEach(async () => {
  expect(await everything()).toBe(before);
});

const ingest = (json: unknown): Promise<Answer> => server.call("POST", "/api/ingest", { json });

describe("refused ingests", () => {
  test("an embedder that fails leaves nothing behind", async () => {
    server.embeddings.failure = unreachable();
    try {
      const refused = await ingest({ name: "N", text: "never embedded", partition: "New" });
      expect([refused.status, refused.body.code]).toEqual([503, "model_unreachable"]);
      const form = formOf({ partition: "New", file: new File(["never embedded either"], "a.txt") });
      expect((await server.call("POST", "/api/ingest", { body: form })).status).toBe(503);
      expect((await ingest({ url: `${site.url}/notes.md`, partition: "New" })).status).toBe(503);
      const update = await server.call("PUT", `/api/document/${kept}`, { json: { text: "other text" } });
      expect(update.status).toBe(503);
    } finally {
      server.embeddings.failure = null;
    }
  });

  test("a caller who goes away leaves nothing behind", async () => {
    const gate = Promise.withResolvers<void>();
    server.embeddings.gate = gate.promise;
    const leaving = new AbortController();
    const call = server
      .call("POST", "/api/ingest", {
        json: { name: "N", text: "nobody waits for this", partition: "New" },
        signal: leaving.signal,
      })
      .catch(() => "gone");
    while (server.turns.large.running === 0) await Bun.sleep(5);
    leaving.abort();
    expect(await call).toBe("gone");
    while (server.turns.large.running > 0) await Bun.sleep(5);
    gate.resolve();
  });
});
