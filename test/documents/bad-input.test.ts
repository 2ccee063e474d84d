import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { unreachable } from "./scripted-embeddings.ts";
import { type Answer, type CallOptions, type DocumentServer, serveDocuments } from "./serve-documents.ts";
import { type Site, serveSite } from "./serve-site.ts";

let server: DocumentServer;
let site: Site;
let ids: { partition: string; other: string; document: string; elsewhere: string; partitionElsewhere: string };
let before: string;

beforeAll(async () => {
  server = await serveDocuments();
  site = serveSite();
  const json = { name: "Kept", text: "kept text", partition: "Kept", metadata: { externalId: "kept" } };
  const kept = await server.call("POST", "/api/ingest", { json });
  const key = await server.key({ organization: "other" });
  const elsewhere = await server.call("POST", "/api/ingest", { key, json: { ...json, partition: "Elsewhere" } });
  const other = await server.store.partitions.upsert(
    { organizationId: server.organizationId, partitionId: null },
    "Other",
  );
  ids = {
    partition: kept.body.partitionId,
    other: other.partition.id,
    document: kept.body.id,
    elsewhere: elsewhere.body.id,
    partitionElsewhere: elsewhere.body.partitionId,
  };
});

afterAll(async () => {
  site.stop();
  await server.stop();
});

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

/** What stays the same from one id to another. */
const shown = ({ status, body }: Answer): object => {
  const hidden = (text: string) =>
    text
      .replaceAll(site.url, "http://site")
      .replaceAll(ids.document, "<document>")
      .replaceAll(ids.elsewhere, "<elsewhere>");
  const { code, detail, errors } = body;
  return { status, code, detail: hidden(detail), ...(errors === undefined ? {} : { errors }) };
};

const ingest = (json: unknown): Promise<Answer> => server.call("POST", "/api/ingest", { json });
const raw = (body: string | Uint8Array<ArrayBuffer>, type = "application/json"): CallOptions => ({
  body,
  headers: { "content-type": type },
});

describe("refused ingests", () => {
  test("an embedder that fails leaves nothing behind", async () => {
    server.embeddings.failure = unreachable();
    try {
      const refused = await ingest({ name: "N", text: "never embedded", partition: "New" });
      expect([refused.status, refused.body.code]).toEqual([503, "model_unreachable"]);
      const form = new FormData();
      form.append("partition", "New");
      form.append("file", new File(["never embedded either"], "a.txt"));
      expect((await server.call("POST", "/api/ingest", { body: form })).status).toBe(503);
      expect((await ingest({ url: `${site.url}/files/notes.md`, partition: "New" })).status).toBe(503);
      const update = await server.call("PUT", `/api/document/${ids.document}`, { json: { text: "other text" } });
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

describe("documents that are not there", () => {
  test.each(["0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23", "1", "' OR '1'='1", "%2f..%2f", "x".repeat(2_000)])(
    "id %s is 404 everywhere",
    async (id) => {
      const path = `/api/document/${id.startsWith("%") ? id : encodeURIComponent(id)}`;
      for (const [method, suffix] of operations) {
        const { status, body } = await server.call(
          method,
          path + suffix,
          method === "PUT" ? { json: { name: "N" } } : {},
        );
        expect([method, suffix, status, body.code]).toEqual([method, suffix, 404, "document_not_found"]);
      }
    },
  );

  test("another organization's id is 404 everywhere, exactly as one that does not exist", async () => {
    for (const [method, suffix] of operations) {
      const options = method === "PUT" ? { json: { name: "N", text: "t" } } : {};
      const theirs = await server.call(method, `/api/document/${ids.elsewhere}${suffix}`, options);
      const nobodys = await server.call(method, `/api/document/0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23${suffix}`, options);
      expect(shown(theirs)).toEqual(shown(nobodys));
    }
  });

  const operations: [string, string][] = [
    ["GET", ""],
    ["PUT", ""],
    ["DELETE", ""],
    ["GET", "/text"],
    ["GET", "/file"],
    ["GET", "/events"],
    ["POST", "/retry"],
    ["POST", "/cancel"],
  ];
});

describe("odd input", () => {
  test("quotes and SQL in what reaches a filter find nothing and harm nothing", async () => {
    for (const text of ["' OR 1=1 --", "'; DROP TABLE documents; --", "%", "_", "\\", '"', "\u0000"]) {
      const value = encodeURIComponent(text);
      const search = await server.call("GET", `/api/document?searchValue=${value}`);
      expect([200, 400]).toContain(search.status);
      if (search.status === 200) expect(search.body).toEqual([]);
      const filter = encodeURIComponent(JSON.stringify({ [text]: text, externalId: text }));
      const filtered = await server.call("GET", `/api/document?metadata=${filter}`);
      if (filtered.status === 200) expect(filtered.body).toEqual([]);
    }
  });

  test("metadata of odd shape is kept as it is", async () => {
    const odd = `{"__proto__": {"a": 1}, "constructor": "c", "toString": null, "a.b": {"$gt": 1}, "${"k".repeat(300)}": [[[]]]}`;
    const answer = await server.call("POST", "/api/ingest", raw(`{"name": "Odd", "text": "odd", "metadata": ${odd}}`));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"__proto__":{"a":1}');
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, at]));
    const keys = await ingest({ name: "Keys", text: "keys", metadata: many });
    expect([keys.status, Object.keys(keys.body.metadata).length]).toEqual([200, 5_000]);
    for (const { body } of [answer, keys]) await server.call("DELETE", `/api/document/${body.id}`);
  });
});
