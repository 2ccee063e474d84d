import { describe, expect, test } from "bun:test";
import { formOf } from "../call-server.ts";
import { expectOk, expectProblem } from "./expectations.ts";
import { type Answer, type CallOptions, serveCarrel } from "./serve-carrel.ts";

/** Section 3 of the contract, its bodies: encodings, longest values, odd strings. Those that cannot be read: docs/bad-input.md. */

const carrel = await serveCarrel();
const call = carrel.call;
const document = expectOk(
  await call("POST", "/api/ingest", { json: { name: "D", text: "A lantern.", partition: "P" } }),
);
const chat = expectOk(await call("POST", "/api/chat", { json: { title: "T" } }));

/** One set of fields in each encoding a client may use. Values are text, as forms have it. */
const encodings: [string, (fields: Record<string, string>) => CallOptions][] = [
  ["JSON", (fields) => ({ json: fields })],
  ["JSON without content type", (fields) => ({ body: new TextEncoder().encode(JSON.stringify(fields)) })],
  ["JSON under the form's content type", (fields) => ({ body: JSON.stringify(fields), headers: formType })],
  [
    "JSON of another name",
    (fields) => ({
      body: JSON.stringify(fields),
      headers: { "content-type": "application/vnd.api+json; charset=UTF-8" },
    }),
  ],
  [
    "JSON behind a byte order mark",
    (fields) => ({ body: `\ufeff${JSON.stringify(fields)}`, headers: { "content-type": "application/json" } }),
  ],
  ["a URL-encoded form", (fields) => ({ body: new URLSearchParams(fields) })],
  [
    "a form as plain curl -d sends it",
    (fields) => ({
      body: Object.entries(fields)
        .map((pair) => pair.join("="))
        .join("&"),
      headers: formType,
    }),
  ],
  [
    "multipart",
    (fields) => ({
      body: Object.entries(fields).reduce((form, [name, value]) => {
        form.append(name, value);
        return form;
      }, new FormData()),
    }),
  ],
];
const formType = { "content-type": "application/x-www-form-urlencoded" };

describe.each(encodings)("every route that takes a body takes %s", (_name, encode) => {
  test.each<[string, string, Record<string, string>, (body: Answer["body"]) => unknown, unknown]>([
    [
      "POST",
      "/api/ingest",
      { name: "Ä b", text: "A new text" },
      (body) => [body.name, body.text],
      ["Ä b", "A new text"],
    ],
    [
      "POST",
      "/api/query",
      { query: "lantern", numberOfDocumentsInContext: "1" },
      (body) => body.relevantSnippets.length,
      1,
    ],
    ["POST", "/api/search", { query: "lantern" }, (body) => body.answer, null],
    ["PUT", "/api/document/:document", { name: "Renamed" }, (body) => body.name, "Renamed"],
    ["PUT", "/document/:document", { name: "D" }, (body) => body.name, "D"],
    [
      "POST",
      "/api/chat",
      { title: "Ä", logoUrl: "https://l.example" },
      (body) => [body.title, body.logoUrl],
      ["Ä", "https://l.example"],
    ],
    ["POST", "/api/chat/:chat", { title: "U" }, (body) => body.title, "U"],
    ["PUT", "/api/chat/:chat", { title: "T" }, (body) => body.title, "T"],
    ["POST", "/api/chat/:chat/message", { message: "lantern", userId: "Ü" }, (body) => body.userId, "Ü"],
    ["POST", "/api/chat/:chat/private", { message: "lantern" }, (body) => body.isSystem, true],
    ["POST", "/api/chat/:chat/public", { message: "lantern" }, (body) => body.isSystem, true],
    ["POST", "/api/partition", { name: "P" }, (body) => body.id, ":partition"],
    ["PUT", "/api/partition/:partition", { name: "P" }, (body) => body.name, "P"],
    ["POST", "/api/key", { name: "K", role: "writer" }, (body) => body.role, "writer"],
  ])("%s %s", async (method, path, fields, pick, expected) => {
    const whole = path
      .replace(":document", document.id)
      .replace(":chat", chat.id)
      .replace(":partition", document.partitionId);
    const body = expectOk(await call(method, whole, encode(fields)));
    expect(pick(body)).toEqual(expected === ":partition" ? document.partitionId : expected);
  });
});

describe("in forms", () => {
  test("metadata and brandSettings are JSON text, booleans true or false", async () => {
    const form = new URLSearchParams({
      name: "N",
      text: "t",
      metadata: '{"a":[1,"b"]}',
      upsert: "false",
      async: "false",
    });
    expect(expectOk(await call("POST", "/api/ingest", { body: form })).metadata).toEqual({ a: [1, "b"] });
    const multipart = new FormData();
    for (const [name, value] of Object.entries({ public: "true", brandSettings: '{"colour":"red"}' }))
      multipart.append(name, value);
    expect(expectOk(await call("POST", "/api/chat", { body: multipart }))).toMatchObject({
      public: true,
      brandSettings: { colour: "red" },
    });
    expect(expectOk(await call("POST", "/api/chat", { body: new URLSearchParams({ public: "false" }) })).public).toBe(
      false,
    );
  });

  test("a mimeType that was left empty counts as left out", async () => {
    const form = formOf({ name: "N", text: "A lantern.", mimeType: "" });
    expect(expectOk(await call("POST", "/api/ingest", { body: form })).mimeType).toBe("text/plain");
  });

  test("text stays text, also where it looks like something else", async () => {
    for (const text of ["true", "5", "null", '{"a":1} and more'])
      expect(
        expectOk(await call("POST", "/api/ingest", { body: new URLSearchParams({ name: text, text }) })).text,
      ).toBe(text);
  });

  test.each([
    ["public=yes", "public"],
    ["public=1", "public"],
    ["public=", "public"],
    ["brandSettings={", "brandSettings"],
    ["brandSettings=[]", "brandSettings"],
    ["title=a&title=b", "title"],
  ])("%s is a 400 that names the field", async (body, field) => {
    const { errors } = expectProblem(
      await call("POST", "/api/chat", { body, headers: formType }),
      400,
      "invalid_request",
    );
    expect(errors[0].path).toBe(field);
  });

  test("a file part on ingest is named file; elsewhere it is passed over", async () => {
    const form = formOf({ file: new File(["# Title\n\nBody text."], "Ünïcode name.md", { type: "text/markdown" }) });
    expect(expectOk(await call("POST", "/api/ingest", { body: form }))).toMatchObject({
      name: "Ünïcode name.md",
      mimeType: "text/markdown",
    });
    const other = formOf({ query: "lantern", file: new File(["x"], "x.txt") });
    expectOk(await call("POST", "/api/query", { body: other }));
  });
});

describe("fields", () => {
  test("unknown ones are ignored", async () => {
    const json = {
      name: "N",
      text: "unknown fields",
      colour: "red",
      id: "mine",
      organizationId: "theirs",
      status: "failed",
      __proto__: null,
    };
    const made = expectOk(await call("POST", "/api/ingest", { json }));
    expect(made.organizationId).toBe(document.organizationId);
    expect(made.id).not.toBe("mine");
    expect(
      expectOk(
        await call("POST", "/api/query", {
          body: '{"query":"lantern","__proto__":{"answer":false}}',
          headers: formType,
        }),
      ).answer,
    ).not.toBeNull();
    expectOk(await call("POST", "/api/chat", { json: { createdAt: 5, messages: "x" } }));
  });

  test("an optional one that is null counts as left out", async () => {
    const json = {
      name: "N",
      text: "nulls",
      url: null,
      partition: null,
      partitionId: null,
      metadata: null,
      mimeType: null,
      upsert: null,
    };
    expect(expectOk(await call("POST", "/api/ingest", { json }))).toMatchObject({ partitionId: null, metadata: null });
    const question = {
      query: "lantern",
      documentId: null,
      partitionId: null,
      prompt: null,
      numberOfDocumentsInContext: null,
      metadata: null,
    };
    expectOk(await call("POST", "/api/query", { json: question }));
    const settings = {
      title: null,
      documentId: null,
      partitionId: null,
      userId: null,
      logoUrl: null,
      public: null,
      brandSettings: null,
      name: null,
    };
    expect(expectOk(await call("POST", "/api/chat", { json: settings }))).toMatchObject({ public: false, title: null });
  });

  test.each<[string, string, Record<string, unknown>, string[]]>([
    [
      "POST",
      "/api/ingest",
      { text: "t" },
      ["name", "text", "url", "websiteUrl", "mimeType", "partitionId", "partition"],
    ],
    ["POST", "/api/query", { query: "q" }, ["query", "documentId", "partitionId", "prompt"]],
    ["PUT", "/api/document/:document", {}, ["text", "name", "partitionId"]],
    ["POST", "/api/chat", {}, ["title", "documentId", "partitionId", "userId", "logoUrl", "name"]],
    ["POST", "/api/chat/:chat/message", { message: "m" }, ["message", "userId"]],
    ["POST", "/api/partition", {}, ["name"]],
    ["POST", "/api/key", { name: "k" }, ["name", "role", "userId", "partitionId", "expiresAt"]],
  ])("%s %s: text of another type is a 400 that names it", async (method, path, base, fields) => {
    const before = await carrel.everything();
    for (const field of fields) {
      for (const value of [5, true, ["a"], { a: 1 }]) {
        const whole = path.replace(":document", document.id).replace(":chat", chat.id);
        const answer = await call(method, whole, { json: { ...base, [field]: value } });
        expect(expectProblem(answer, 400, "invalid_request").errors[0].path, `${field}: ${JSON.stringify(value)}`).toBe(
          field,
        );
      }
    }
    expect(await carrel.everything()).toBe(before);
  });

  test.each<[string, string, Record<string, unknown>, string, unknown[]]>([
    ["POST", "/api/ingest", { name: "N", text: "t" }, "metadata", ["text", 5, true, [1]]],
    ["POST", "/api/ingest", { name: "N", text: "t" }, "async", ["true", 1, {}]],
    ["POST", "/api/ingest", { name: "N", text: "t" }, "upsert", ["true", 1, {}]],
    [
      "POST",
      "/api/query",
      { query: "q" },
      "numberOfDocumentsInContext",
      [true, [], {}, 0, 51, 2.5, "0", "51", "six", "", "2.5", "-1", "0x5"],
    ],
    ["POST", "/api/query", { query: "q" }, "stream", ["true", 1]],
    ["POST", "/api/query", { query: "q" }, "answer", ["false", 0]],
    ["POST", "/api/query", { query: "q" }, "metadata", [5, [], true]],
    ["PUT", "/api/document/:document", {}, "metadata", ["text", 5, [1]]],
    ["POST", "/api/chat", {}, "public", ["true", 1, {}]],
    ["POST", "/api/chat", {}, "brandSettings", ["text", 5, [1]]],
    ["POST", "/api/chat/:chat/private", { message: "m" }, "stream", ["true", 1]],
  ])("%s %s: %o with %s of another type", async (method, path, base, field, values) => {
    const before = await carrel.everything();
    for (const value of values) {
      const whole = path.replace(":document", document.id).replace(":chat", chat.id);
      const answer = await call(method, whole, { json: { ...base, [field]: value } });
      expect(expectProblem(answer, 400, "invalid_request").errors[0].path, `${field}: ${JSON.stringify(value)}`).toBe(
        field,
      );
    }
    expect(await carrel.everything()).toBe(before);
  });
});

test("a compressed body is refused, with what is taken", async () => {
  const body = Bun.gzipSync(new TextEncoder().encode('{"query": "lantern"}'));
  for (const path of ["/api/query", "/api/ingest", "/api/ingest/batch"]) {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const answer = await call("POST", path, { body, headers });
    expectProblem(answer, 415, "unsupported_media_type");
    expect(answer.headers.get("accept-encoding")).toBe("identity");
  }
});

describe("longest and oddest values", () => {
  const ingest = (json: object) => call("POST", "/api/ingest", { json: { name: "N", text: "t", ...json } });
  const message = (json: object) => call("POST", `/api/chat/${chat.id}/message`, { json });
  const query = (json: object) => call("POST", "/api/query", { json: { answer: false, ...json } });
  const make = (json: object) => call("POST", "/api/chat", { json });
  const partition = (json: object) => call("POST", "/api/partition", { json });

  test.each<[string, (value: string) => Promise<Answer>, number]>([
    ["a document's name", (name) => ingest({ name }), 255],
    ["a partition's name", (name) => partition({ name }), 255],
    ["a partition's name at ingest", (name) => ingest({ partition: name }), 255],
    ["a chat's title", (title) => make({ title }), 255],
    ["a chat's name", (name) => make({ name }), 255],
    ["a userId", (userId) => make({ userId }), 255],
    ["a message's userId", (userId) => message({ message: "lantern", userId }), 255],
    ["a query", (text) => query({ query: text }), 8_000],
    ["a message", (text) => message({ message: text }), 8_000],
    ["a prompt", (prompt) => query({ query: "q", prompt }), 32_000],
  ])("%s may have so many characters and no more", async (_name, send, most) => {
    expectOk(await send("x".repeat(most)));
    // Characters, not UTF-16 units.
    expectOk(await send("😀".repeat(most)));
    const before = await carrel.everything();
    expectProblem(await send("x".repeat(most + 1)), 400, "invalid_request");
    expect(await carrel.everything()).toBe(before);
  });

  test("metadata and brandSettings may take 64 KiB; over it: 413", async () => {
    const of = (bytes: number) => ({ a: "x".repeat(bytes - '{"a":""}'.length) });
    expect(expectOk(await ingest({ metadata: of(65_536) })).metadata.a.length).toBe(65_528);
    expectOk(await make({ brandSettings: of(65_536) }));
    expectOk(await call("PUT", `/api/document/${document.id}`, { json: { metadata: of(65_536) } }));
    const before = await carrel.everything();
    expectProblem(await ingest({ metadata: of(65_537) }), 413, "metadata_too_large");
    expectProblem(await ingest({ metadata: { a: "é".repeat(35_000) } }), 413, "metadata_too_large");
    expectProblem(await make({ brandSettings: of(65_537) }), 413, "metadata_too_large");
    expectProblem(
      await call("PUT", `/api/document/${document.id}`, { json: { metadata: of(65_537) } }),
      413,
      "metadata_too_large",
    );
    expect(await carrel.everything()).toBe(before);
  });

  test.each(["\0", "\ud800", "\udc00x"])(
    "NUL or a lone surrogate in a name, id, title or metadata is a 400: %j",
    async (odd) => {
      const before = await carrel.everything();
      for (const answer of [
        await ingest({ name: `a${odd}` }),
        await ingest({ partition: `a${odd}` }),
        await ingest({ partitionId: `a${odd}` }),
        await ingest({ metadata: { a: odd } }),
        await ingest({ metadata: { [odd]: 1 } }),
        await ingest({ metadata: { a: [[{ b: odd }]] } }),
        await query({ query: "q", documentId: odd }),
        await query({ query: "q", metadata: { a: odd } }),
        await make({ title: odd }),
        await make({ name: odd }),
        await make({ brandSettings: { a: odd } }),
        await make({ userId: odd }),
        await partition({ name: odd }),
        await call("PUT", `/api/document/${document.id}`, { json: { name: odd } }),
        await call("PUT", `/api/partition/${document.partitionId}`, { json: { name: odd } }),
      ])
        expectProblem(answer, 400, "invalid_request");
      expect(await carrel.everything()).toBe(before);
    },
  );

  test("in text, control characters are dropped and a lone surrogate becomes U+FFFD", async () => {
    const odd = "  a\0b\u001b \ud800 c\r\n\td\u009b  ";
    expect(expectOk(await ingest({ text: odd })).text).toBe("  ab \ufffd c\r\n\td  ");
    const form = expectOk(await call("POST", "/api/ingest", { body: "name=N&text=a%00b", headers: formType }));
    expect(form.text).toBe("ab");
    const path = `/api/document/${document.id}`;
    expect(expectOk(await call("PUT", path, { json: { text: "A\0 lantern\udfff." } })).originalText).toBe(
      "A lantern\ufffd.",
    );
  });

  test.each(["", " ", "\n\t\r ", "\u00a0\u2003\u3000", "\0", "\ufeff"])(
    "text, query and message empty or only white space are a 400: %j",
    async (blank) => {
      const before = await carrel.everything();
      for (const answer of [
        await ingest({ text: blank }),
        await query({ query: blank }),
        await message({ message: blank }),
        await call("PUT", `/api/document/${document.id}`, { json: { text: blank } }),
      ])
        expectProblem(answer, 400, "invalid_request");
      expect(await carrel.everything()).toBe(before);
    },
  );

  test("metadata of odd shape comes back as it was: __proto__, 10,000 keys, empty keys, deep, big numbers", async () => {
    const odd =
      '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"":"empty","a.b":{"$gt":1},"k":[[[[1]]]],"n":1e+300,"z":-0.5}';
    const body = `{"name":"Odd","text":"odd","metadata":${odd}}`;
    const made = await call("POST", "/api/ingest", { body, headers: { "content-type": "application/json" } });
    expect(JSON.stringify(expectOk(made).metadata)).toBe(odd);
    expect(JSON.stringify(expectOk(await call("GET", `/api/document/${made.body.id}`)).metadata)).toBe(odd);
    expect(Object.prototype).not.toHaveProperty("polluted");
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`${at}`, 1]));
    const answer = await ingest({ metadata: many });
    // 10,000 keys take more than 64 KiB unless they are very short.
    if (JSON.stringify(many).length > 65_536) expectProblem(answer, 413, "metadata_too_large");
    else expect(Object.keys(expectOk(answer).metadata)).toHaveLength(10_000);
    const short = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [at.toString(36), 1]));
    expect(expectOk(await ingest({ metadata: short })).metadata).toEqual(short);
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
    expectProblem(await ingest({ metadata: deep(60) }), 400, "invalid_request");
  });
});
