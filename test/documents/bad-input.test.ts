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
  server = await serveDocuments({
    config: (config) => {
      config.fetch.timeoutMs = 3_000;
      config.fetch.maxBytes = 200_000;
      config.ingest.maxDocumentBytes = 300_000;
      config.server.maxBodyBytes = 1_000_000;
    },
  });
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

/** What stays the same from run to run. */
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
  test.each<[string, () => unknown]>([
    ["no source", () => ({ name: "N" })],
    ["an empty object", () => ({})],
    ["several sources", () => ({ name: "N", text: "t", url: "https://example.com/a.txt" })],
    ["all sources", () => ({ name: "N", text: "t", url: "https://a.example", websiteUrl: "https://b.example" })],
    ["no name with text", () => ({ text: "t" })],
    ["a name of 300 characters", () => ({ name: "n".repeat(300), text: "t" })],
    ["a blank name", () => ({ name: "  ", text: "t" })],
    ["NUL in a name", () => ({ name: "a\0b", text: "t" })],
    ["a name of the wrong type", () => ({ name: 5, text: "t" })],
    ["text of the wrong type", () => ({ name: "N", text: { a: 1 } })],
    ["empty text", () => ({ name: "N", text: "" })],
    ["white space for text", () => ({ name: "N", text: " \n\t\u00a0 " })],
    ["nothing but NUL for text", () => ({ name: "N", text: "\0\0" })],
    ["text that is too long", () => ({ name: "N", text: "long ".repeat(70_000) })],
    ["metadata that is a list", () => ({ name: "N", text: "t", metadata: [1] })],
    ["metadata of 70 KiB", () => ({ name: "N", text: "t", metadata: { a: "x".repeat(70 * 1024) } })],
    ["NUL deep in metadata", () => ({ name: "N", text: "t", metadata: { a: [{ b: "\0" }] } })],
    ["a lone surrogate in metadata", () => ({ name: "N", text: "t", metadata: { "\ud800": 1 } })],
    ["a wrong boolean", () => ({ name: "N", text: "t", async: "yes" })],
    ["an external id that is no text", () => ({ name: "N", text: "t", upsert: true, metadata: { externalId: 5 } })],
    ["an unknown partition", () => ({ name: "N", text: "t", partitionId: "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23" })],
    ["a partition id of another form", () => ({ name: "N", text: "t", partitionId: "' OR 1=1 --" })],
    ["another organization's partition", () => ({ name: "N", text: "t", partitionId: ids.partitionElsewhere })],
    [
      "partition and partitionId that disagree",
      () => ({ name: "N", text: "t", partitionId: ids.other, partition: "Kept" }),
    ],
    ["a new partition and a partitionId", () => ({ name: "N", text: "t", partitionId: ids.other, partition: "New" })],
    ["a partition name of 300 characters", () => ({ name: "N", text: "t", partition: "p".repeat(300) })],
    ["something that is no address", () => ({ url: "not an address", partition: "New" })],
    ["an address of another scheme", () => ({ websiteUrl: "file:///etc/passwd", partition: "New" })],
    ["an address that answers 404", () => ({ url: `${site.url}/nothing`, partition: "New" })],
    ["an address that answers 500", () => ({ websiteUrl: `${site.url}/error`, partition: "New" })],
    ["an address that redirects for ever", () => ({ url: `${site.url}/loop`, partition: "New" })],
    ["an address that does not answer", () => ({ url: `${site.url}/silent`, partition: "New" })],
    ["an address that never ends", () => ({ url: `${site.url}/endless`, partition: "New" })],
    ["an address that holds no text", () => ({ url: `${site.url}/empty`, partition: "New" })],
    ["an address of a picture", () => ({ url: `${site.url}/picture`, partition: "New" })],
  ])("%s", async (_name, json) => {
    expect(shown(await ingest(json()))).toMatchSnapshot();
  });

  test.each<[string, CallOptions]>([
    ["a body that is cut off", raw('{"name": "N", "text": "t')],
    ["an empty body", raw("")],
    ["a body that is a list", raw("[]")],
    ["a body of an unknown type", raw("name: N", "application/yaml")],
    ["a body that is too large", raw(`{"text": "${"x".repeat(1_100_000)}"}`)],
    ["a body that is not UTF-8", raw(new Uint8Array([0x7b, 0xff, 0x7d]))],
    ["JSON nested too deep", raw("[".repeat(10_000))],
    ["metadata with a lone surrogate, escaped", raw('{"name": "N", "text": "t", "metadata": {"a": "\\ud800"}}')],
    ["a form's metadata that is no JSON", raw("name=N&text=t&metadata={", "application/x-www-form-urlencoded")],
    ["multipart without a boundary", raw("x", "multipart/form-data")],
  ])("%s", async (_name, options) => {
    expect(shown(await server.call("POST", "/api/ingest", options))).toMatchSnapshot();
  });

  const fixture = (name: string) => Bun.file(join(import.meta.dir, "../fixtures/documents", name)).bytes();

  test.each<[string, () => Promise<[string, Uint8Array<ArrayBuffer>]>]>([
    ["an empty file", async () => ["empty.txt", new Uint8Array()]],
    ["a file of white space", async () => ["blank.txt", await fixture("fake-text-all-whitespace.txt")]],
    ["a file that is too large", async () => ["large.txt", new Uint8Array(310_000).fill(97)]],
    ["a PDF that is cut off", async () => ["cut.pdf", (await fixture("fake-memo.pdf")).slice(0, 2_000)]],
    ["a PDF that is locked", async () => ["locked.pdf", await fixture("password.pdf")]],
    ["a sound file", async () => ["sound.wav", new TextEncoder().encode("RIFF\0\0\0\0WAVEfmt \0\0")]],
  ])("%s", async (_name, file) => {
    const [name, bytes] = await file();
    const form = new FormData();
    form.append("partition", "New");
    form.append("file", new File([bytes], name));
    expect(shown(await server.call("POST", "/api/ingest", { body: form }))).toMatchSnapshot();
  });

  test("a file beside a text", async () => {
    const form = new FormData();
    form.append("name", "N");
    form.append("text", "t");
    form.append("file", new File(["words"], "a.txt"));
    expect(shown(await server.call("POST", "/api/ingest", { body: form }))).toMatchSnapshot();
  });

  test("an embedder that fails leaves nothing behind", async () => {
    server.embeddings.failure = unreachable();
    try {
      expect(shown(await ingest({ name: "N", text: "never embedded", partition: "New" }))).toMatchSnapshot();
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

describe("an address that leads to a private network", () => {
  test("is refused, also behind a redirect and when asked for later", async () => {
    const guarded = await serveDocuments({
      config: (config) => {
        config.fetch.allowPrivateAddresses = false;
      },
    });
    try {
      const answer = await guarded.call("POST", "/api/ingest", { json: { url: `${site.url}/page`, partition: "New" } });
      expect(shown(answer)).toMatchSnapshot();
      expect((await guarded.call("GET", "/api/document")).body).toEqual([]);
      expect((await guarded.call("GET", "/api/partition")).body).toEqual([]);
    } finally {
      await guarded.stop();
    }
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

describe("refused lists", () => {
  test.each([
    "limit=0",
    "limit=101",
    "limit=-1",
    "limit=1.5",
    "limit=many",
    "skip=-1",
    "sortOrder=up",
    "status=done",
    "include=everything",
    "metadata=%7B",
    "metadata=%5B1%5D",
    'metadata={"a":{"$regex":"x"}}',
    "partitionId=0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23",
  ])("%s", async (query) => {
    expect(shown(await server.call("GET", `/api/document?${query}`))).toMatchSnapshot();
  });

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
});

describe("refused changes", () => {
  test.each<[string, () => unknown]>([
    ["blank text", () => ({ text: " " })],
    ["a blank name", () => ({ name: "" })],
    ["a name of 300 characters", () => ({ name: "n".repeat(300) })],
    ["metadata of the wrong type", () => ({ metadata: "text" })],
    ["metadata of 70 KiB", () => ({ metadata: { a: "x".repeat(70 * 1024) } })],
    ["an unknown partition", () => ({ partitionId: "0197a1c2-5b7e-7c3a-9d41-2f6e8b0c1d23", text: "other" })],
    ["another organization's partition", () => ({ partitionId: ids.partitionElsewhere, name: "Other" })],
    ["a list", () => []],
  ])("%s", async (_name, json) => {
    expect(shown(await server.call("PUT", `/api/document/${ids.document}`, { json: json() }))).toMatchSnapshot();
  });
});

describe("who may do what", () => {
  test("a reader may look and not touch; without a key nobody may", async () => {
    const key = await server.key({ role: "reader" });
    expect((await server.call("GET", `/api/document/${ids.document}`, { key })).status).toBe(200);
    expect((await server.call("GET", "/api/document", { key })).status).toBe(200);
    for (const [method, path] of [
      ["POST", "/api/ingest"],
      ["POST", "/api/ingest/batch"],
      ["PUT", `/api/document/${ids.document}`],
      ["DELETE", `/document/${ids.document}`],
      ["POST", `/api/document/${ids.document}/retry`],
      ["POST", `/api/document/${ids.document}/cancel`],
    ] as const) {
      const refused = await server.call(method, path, { key, json: { name: "N", text: "t" } });
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, "role_forbidden"]);
      const unknown = await server.call(method, path, { key: "crl_unknown", json: {} });
      expect([path, unknown.status]).toEqual([path, 401]);
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
