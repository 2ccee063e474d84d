import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { formOf } from "../../call-server.ts";
import { echoEndpoints } from "../echo-endpoint.ts";
import { rawRequest } from "../raw-request.ts";
import { answerOf, startApp } from "../start-app.ts";

const maxBodyBytes = 2_000_000;
const maxDocumentBytes = 1_000_000;
type Sent = string | FormData | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

const app = await startApp({
  endpoints: echoEndpoints,
  configure(config) {
    config.server.maxBodyBytes = maxBodyBytes;
    config.ingest.maxDocumentBytes = maxDocumentBytes;
  },
});

const post = async (body: Sent, contentType?: string) => {
  const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
  return answerOf(await app.call("POST", "/api/echo", { body, headers }));
};
const echoed = async (body: Sent, contentType?: string): Promise<unknown> => {
  const { status, body: answer } = await post(body, contentType);
  expect(status).toBe(200);
  return (answer as { body: unknown }).body;
};
const refused = async (body: Sent, contentType?: string) => {
  const { status, body: answer } = await post(body, contentType);
  return { status, code: (answer as { code: string }).code };
};

const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=x";
const field = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("encodings", () => {
  test("a part of JSON is a field, whether it has a file name or not", async () => {
    const data = new FormData();
    data.set("metadata", new Blob(['{"a":["Käse"]}'], { type: "application/json" }), "blob");
    expect(await echoed(data)).toEqual({ metadata: { a: ["Käse"] } });
  });

  test("a part of a multipart body may name its charset", async () => {
    const part = `--x\r\nContent-Disposition: form-data; name="name"\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nKäse\r\n--x--\r\n`;
    expect(await echoed(bytesOf(part), multipart)).toEqual({ name: "Käse" });
  });
});

describe("bodies that cannot be read", () => {
  const malformed = { status: 400, code: "malformed_body" };
  test.each([
    ["broken JSON under the form type", '{"name": "x"', form],
    ["no content type and no JSON", "name=x", ""],
    [
      "multipart cut off in a file",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      multipart,
    ],
    ["multipart with broken part headers", "--x\r\nno header\r\n\r\nabc\r\n--x--\r\n", multipart],
    ["10,000 multipart fields", `${field("a", "1").repeat(10_000)}--x--\r\n`, multipart],
  ])("%s", async (_, body, type) => {
    expect(await refused(bytesOf(body), type)).toEqual(malformed);
  });

  test("a connection that ends before its body ends the request and nothing else", async () => {
    const head = `POST /api/echo HTTP/1.1\r\nHost: nas\r\nAuthorization: Bearer ${app.keys.admin}\r\nConnection: close\r\n`;
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: app.port,
      socket: { open: (opened) => void opened.write(`${head}Content-Length: 100\r\n\r\n{"name"`), data() {} },
    });
    await socket.flush();
    socket.end();
    expect(await rawRequest(app.port, `${head}Content-Length: 12\r\n\r\n{"name":"x"}`)).toContain("HTTP/1.1 200");
  });
});

describe("bodies that are too large", () => {
  const tooLarge = { status: 413, code: "body_too_large" };
  const chunks = (count: number) => {
    let sent = 0;
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === count) controller.close();
        else controller.enqueue(new Uint8Array(100_000).fill(0x20));
        sent += 1;
      },
    });
  };

  test("by what they declare and by what comes", async () => {
    expect(await refused(new Uint8Array(maxBodyBytes + 1), "application/json")).toEqual(tooLarge);
    expect(await refused(chunks(30), "application/json")).toEqual(tooLarge);
    expect(await refused(chunks(30), multipart)).toEqual(tooLarge);
    expect(await refused(chunks(19), "application/json")).toEqual({ status: 400, code: "malformed_body" });
  });

  test.each(["application/json", multipart])(
    "%s: a client that declares one and waits for the answer gets it",
    async (type) => {
      const head = `POST /api/echo HTTP/1.1\r\nHost: nas\r\nAuthorization: Bearer ${app.keys.admin}\r\nContent-Type: ${type}\r\n`;
      const answer = await rawRequest(app.port, `${head}Content-Length: ${maxBodyBytes + 1}\r\n\r\n{"name": "a`);
      expect(answer).toContain("HTTP/1.1 413");
      expect(answer).toContain('"code":"body_too_large"');
    },
  );
});

describe("files", () => {
  const withFile = (bytes: Uint8Array<ArrayBuffer>, name: string, fields: Record<string, string> = {}) => {
    const data = formOf({ file: new File([bytes], name, { type: "text/markdown" }) });
    for (const [key, value] of Object.entries(fields)) data.set(key, value);
    return data;
  };
  const isStored = async (bytes: Uint8Array) =>
    (await app.store.blobs.read(createHash("sha256").update(bytes).digest("hex"))) !== null;

  test("are there while the request is answered and go afterwards, unless taken", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const { body } = await post(withFile(bytes, "Größe.md", { name: "a" }));
    expect(body).toMatchObject({
      body: { name: "a" },
      file: { name: "Größe.md", mimeType: "text/markdown", bytes: 60_000 },
      stored: 60_000,
    });
    expect(await isStored(bytes)).toBe(false);
    await post(withFile(bytes, "a.md", { name: "keep" }));
    expect(await isStored(bytes)).toBe(true);
    await app.store.blobs.release(createHash("sha256").update(bytes).digest("hex"));
  });

  test("go when the request fails: in validation, in the handler, in a later part", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(1_000));
    expect((await post(withFile(bytes, "a.md", { count: "900" }))).status).toBe(400);
    expect((await post(withFile(bytes, "a.md", { metadata: "{" }))).status).toBe(400);
    expect((await post(withFile(bytes, "a.md", { name: "fail" }))).status).toBe(422);
    const cut = Buffer.concat([
      bytesOf('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'),
      bytes,
      bytesOf(`\r\n${field("name", "x")}`),
    ]);
    expect(await refused(cut, multipart)).toEqual({ status: 400, code: "malformed_body" });
    expect(await isStored(bytes)).toBe(false);
  });

  test("of two requests with the same bytes, one that fails does not take the other's file", async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(5_000));
    const names = ["fail", "a", "keep", "fail", "a", "fail"];
    const answers = await Promise.all(names.map((name) => post(withFile(bytes, "a.md", { name }))));
    expect(answers.map(({ status }) => status)).toEqual([422, 200, 200, 422, 200, 422]);
    for (const { body } of answers) if ("stored" in (body as object)) expect(body).toMatchObject({ stored: 5_000 });
    expect(await isStored(bytes)).toBe(true);
  });

  test("are limited", async () => {
    expect(await refused(withFile(new Uint8Array(maxDocumentBytes + 1), "a.md"))).toEqual({
      status: 413,
      code: "document_too_large",
    });
    expect((await post(withFile(new Uint8Array(maxDocumentBytes), "a.md"))).status).toBe(200);
  });

  test("a field left empty in a browser is no file, an empty file is one, two are too many", async () => {
    const empty = '--x\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--x--\r\n';
    expect((await post(empty, multipart)).body).toMatchObject({ file: null });
    expect((await post(withFile(new Uint8Array(0), "empty.md"))).body).toMatchObject({
      file: { name: "empty.md", bytes: 0 },
    });
    const two = withFile(new Uint8Array(10), "a.md");
    two.append("file", new File(["b"], "b.md"));
    expect((await post(two)).body).toMatchObject({ code: "invalid_request", errors: [{ path: "file" }] });
  });

  test("without a name are files too, whatever their type", async () => {
    const bytes = Uint8Array.from({ length: 500 }, (_, index) => index % 256);
    for (const type of ["text/plain", "application/pdf", ""]) {
      const data = formOf({ name: "a", file: new Blob([bytes], { type }) });
      const { body } = await post(data);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      expect(body).toMatchObject({ body: { name: "a" }, file: { name: null, hash: sha256 }, stored: 500 });
    }
  });

  test("under the name of another field are refused, and keep no file", async () => {
    for (const type of ["text/plain", "application/octet-stream", ""]) {
      const bytes = new TextEncoder().encode(`beside a field that came as a file ${type}`);
      const data = withFile(bytes, "a.md");
      data.set("metadata", new File(['{"a":1}'], "metadata.json", { type }));
      expect((await post(data)).body).toMatchObject({ status: 400, errors: [{ path: "metadata" }] });
      expect(await isStored(bytes)).toBe(false);
    }
  });

  test("a file's name may be encoded as RFC 8187 says, in UTF-8 or ISO 8859-1", async () => {
    for (const encoded of ["UTF-8''Gr%C3%B6%C3%9Fe.md", "iso-8859-1''Gr%F6%DFe.md"]) {
      const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="plain.md"; filename*=${encoded}\r\n\r\nabc\r\n--x--\r\n`;
      expect((await post(body, multipart)).body).toMatchObject({ file: { name: "Größe.md" } });
    }
  });

  test("a file's name holds no folder", async () => {
    const body =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="../../etc/passwd"\r\n\r\nabc\r\n--x--\r\n';
    expect((await post(body, multipart)).body).toMatchObject({ file: { name: "passwd" } });
  });
});

test("fields by the name of a prototype's do no harm in any encoding", async () => {
  for (const [body, type] of [
    ['{"__proto__": {"name": "x"}, "constructor": 1, "name": "a"}', "application/json"],
    ["__proto__=1&constructor=2&name=a", form],
    [`${field("__proto__", "1")}${field("constructor", "2")}${field("name", "a")}--x--\r\n`, multipart],
  ] as const) {
    expect(await echoed(body, type)).toEqual({ name: "a" });
  }
});
