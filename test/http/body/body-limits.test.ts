import { afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { socketPath } from "../../../src/runtime/operator-socket.ts";
import { startTestServer } from "../../start-server.ts";
import { eventually, until } from "../../until.ts";
import { holdOpen } from "../hold-open.ts";

const mebibyte = 1024 * 1024;
const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=x";

const server = await startTestServer({ server: { maxInFlightBytes: 8 * mebibyte } });
const publicChat = ((await (await server.post("/api/chat", { title: "Open", public: true })).json()) as { id: string })
  .id;
const ingested = await server.post("/api/ingest", { name: "a", text: "The reading room opens at nine." });
const documentId = ((await ingested.json()) as { id: string }).id;

/** A body of so many bytes in an encoding, most of them in a field that nobody knows. */
const bodyOf = (type: string, bytes: number, fields: Record<string, string>): string => {
  const make = (length: number): string => {
    const all = { ...fields, unknown: "x".repeat(length) };
    if (type === form) return new URLSearchParams(all).toString();
    if (type !== multipart) return JSON.stringify(all);
    const parts = Object.entries(all).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    return `${parts.join("")}--x--\r\n`;
  };
  return make(bytes - make(0).length);
};

const streamed = (text: string): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + 50_000));
      at += 50_000;
    },
  });
};

const send = async (method: string, path: string, type: string, body: string | ReadableStream, key = server.key) => {
  const answer = await fetch(server.url + path, {
    method,
    body,
    headers: { "content-type": type, ...(key === "" ? {} : { authorization: `Bearer ${key}` }) },
  });
  const said = (await answer.json()) as { code?: string; text?: string };
  return { status: answer.status, code: said.code, headers: answer.headers, said };
};

const tooLarge = { status: 413, code: "body_too_large" };

describe.each([["application/json"], [form], [multipart]])("%s", (type) => {
  test("1 MiB is taken where no document is, and not a byte more, declared or in chunks", async () => {
    const routes = [
      ["POST", "/api/search", { query: "when" }],
      ["POST", "/api/query", { query: "when" }],
      ["POST", "/api/partition", { name: "p" }],
      ["POST", "/api/key", { name: "k" }],
      ["POST", "/api/chat", { title: "c" }],
      ["PUT", `/api/chat/${publicChat}`, { title: "c" }],
      ["POST", `/api/chat/${publicChat}/private`, { message: "when" }],
      ["POST", `/api/chat/${publicChat}/message`, { message: "when" }],
    ] as const;
    for (const [method, path, fields] of routes) {
      const fits = bodyOf(type, mebibyte, fields);
      expect([path, (await send(method, path, type, fits)).status]).toEqual([path, 200]);
      const over = bodyOf(type, mebibyte + 1, fields);
      expect(await send(method, path, type, over)).toMatchObject(tooLarge);
      expect(await send(method, path, type, streamed(over))).toMatchObject(tooLarge);
    }
  });

  test("without a key, 256 KiB", async () => {
    const path = `/api/chat/${publicChat}/message`;
    const fields = { message: "when" };
    expect((await send("POST", path, type, bodyOf(type, 256 * 1024, fields), "")).status).toBe(200);
    const over = bodyOf(type, 256 * 1024 + 1, fields);
    // The memory of a request that was refused is given back a moment after its answer.
    await eventually(async () => expect(await send("POST", path, type, over, "")).toMatchObject(tooLarge));
    await eventually(async () => expect(await send("POST", path, type, streamed(over), "")).toMatchObject(tooLarge));
  });

  test("an ingest and a new text may be longer", async () => {
    const long = bodyOf(type, 2 * mebibyte, { name: "long", text: "long" });
    expect((await send("POST", "/api/ingest", type, long)).status).toBe(200);
    expect((await send("PUT", `/api/document/${documentId}`, type, streamed(long))).status).toBe(200);
  });
});

describe("over all requests", () => {
  const opened: Socket[] = [];
  const letAllGo = () => {
    for (const socket of opened.splice(0)) socket.destroy();
  };
  afterEach(letAllGo);

  /** A request whose body begins and does not go on, until the tests end. */
  const hold = async (path: string, headers: string, begun: Buffer | string, key = server.key): Promise<Socket> => {
    const socket = await holdOpen(server.port, { key, path, headers, begun });
    opened.push(socket);
    return socket;
  };
  const ingest = (bytes: number) =>
    send("POST", "/api/ingest", "application/json", bodyOf("application/json", bytes, { name: "n", text: "t" }));
  const search = () => server.post("/api/search", { query: "when" });

  /**
   * A request that fills the memory: others are refused until it ends. Where the server saw another one first, this one
   * was refused or closed itself, and is begun again.
   */
  const fill = async (
    begin: () => Promise<Socket>,
  ): Promise<{ holder: Socket; refused: Awaited<ReturnType<typeof send>> }> => {
    for (;;) {
      const holder = await begin();
      let hasEnded = false;
      holder.on("data", (answer) => {
        hasEnded ||= String(answer).includes("overloaded");
      });
      holder.on("close", () => {
        hasEnded = true;
      });
      const refused = await eventually(async () => {
        const answer = await ingest(mebibyte);
        if (!hasEnded) expect(answer).toMatchObject({ status: 503, code: "overloaded" });
        return answer;
      });
      if (!hasEnded) return { holder, refused };
      holder.destroy();
    }
  };

  test("what has arrived is counted: other long requests get a 503 with Retry-After, short questions go on", async () => {
    const headers = `Content-Type: application/json\r\nContent-Length: ${30 * mebibyte}`;
    const { holder, refused } = await fill(() => hold("/api/ingest", headers, " ".repeat(7.5 * mebibyte)));
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await search()).status).toBe(200);
    holder.destroy();
    await eventually(async () => expect((await ingest(mebibyte)).status).toBe(200));
  });

  test("what is only declared is not: requests that do not go on keep nobody out", async () => {
    const key = await server.issueKey({ role: "writer" });
    const path = `/api/chat/${publicChat}/message`;
    for (let held = 0; held < 40; held += 1) {
      const json = "Content-Type: application/json\r\nContent-Length";
      await Promise.all([
        hold("/api/ingest", `${json}: ${7 * mebibyte}`, "{", key),
        hold(path, `${json}: ${256 * 1024}`, "{", ""),
        hold("/api/session", `${json}: ${256 * 1024}`, "{", ""),
      ]);
    }
    expect((await ingest(mebibyte)).status).toBe(200);
    expect((await send("POST", path, "application/json", '{"message": "when"}', "")).status).toBe(200);
    const signIn = JSON.stringify({ key: server.key });
    expect((await send("POST", "/api/session", "application/json", signIn, "")).status).toBe(200);
  });

  test("one key's requests leave room for those of others", async () => {
    const key = await server.issueKey({ role: "writer" });
    const declared = `Content-Type: application/json\r\nContent-Length: ${30 * mebibyte}`;
    for (let held = 0; held < 8; held += 1) await hold("/api/ingest", declared, " ".repeat(0.9 * mebibyte), key);
    const body = bodyOf("application/json", mebibyte, { name: "n", text: "t" });
    expect(await send("POST", "/api/ingest", "application/json", body, key)).toMatchObject({ status: 503 });
    expect((await ingest(mebibyte)).status).toBe(200);
  });

  test("what comes in chunks is counted as it comes", async () => {
    const headers = "Content-Type: application/json\r\nTransfer-Encoding: chunked";
    const size = 7.5 * mebibyte;
    const { holder } = await fill(() =>
      hold("/api/ingest", headers, `${size.toString(16)}\r\n${" ".repeat(size)}\r\n`),
    );
    const body = streamed(bodyOf("application/json", mebibyte, { name: "n", text: "t" }));
    expect(await send("POST", "/api/ingest", "application/json", body)).toMatchObject({ status: 503 });
    holder.destroy();
    await eventually(async () => expect((await ingest(mebibyte)).status).toBe(200));
  });

  test("fields of a multipart body are counted, files are not", async () => {
    const part = (disposition: string) => `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
    const begin = (disposition: string) =>
      hold(
        "/api/ingest",
        `Content-Type: ${multipart}\r\nContent-Length: ${20 * mebibyte}`,
        part(disposition) + "a".repeat(7.9 * mebibyte),
      );
    const withFile = await begin('name="file"; filename="a.txt"');
    const other = await begin('name="picture"; filename="a.png"');
    await Bun.sleep(300);
    expect((await ingest(mebibyte)).status).toBe(200);
    const { holder } = await fill(() => begin('name="text"'));
    for (const socket of [withFile, other, holder]) socket.destroy();
    await eventually(async () => expect((await ingest(mebibyte)).status).toBe(200));
  });

  test("the lines of a batch are counted, and one for which there is no room spoils only itself", async () => {
    const { holder } = await fill(() =>
      hold(
        "/api/ingest/batch",
        `Content-Length: ${20 * mebibyte}`,
        `{"name": "a", "text": "${"a".repeat(7.5 * mebibyte)}`,
      ),
    );
    const lines = [mebibyte, 100].map((bytes) => bodyOf("application/json", bytes, { name: "n", text: "t" }));
    const batch = await server.call("/api/ingest/batch", { method: "POST", body: lines.join("\n") });
    const answers = (await batch.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { line: 1, error: { code: "overloaded" } },
      { line: 2, status: "pending" },
    ]);
    holder.destroy();
    await eventually(async () => expect((await ingest(mebibyte)).status).toBe(200));
  });

  test("a body that is longer than all may hold is taken where nothing else is in flight", async () => {
    expect((await ingest(9 * mebibyte)).status).toBe(200);
  });

  test("an answer is counted until its client has taken it", async () => {
    const { id } = (await (
      await server.post("/api/ingest", { name: "n", text: `Winter. ${" ".repeat(7.5 * mebibyte)}.` })
    ).json()) as { id: string };
    await eventually(async () => expect((await ingest(mebibyte)).status).toBe(200)); // that answer is counted no more
    // Over TCP a kernel may take all of the answer for a client that reads nothing; a Unix socket's buffer stays small.
    const reader = connect({ path: socketPath(server.dataDir) });
    opened.push(reader);
    await new Promise((resolve) => reader.once("connect", resolve));
    reader.pause();
    reader.write(`GET /api/document/${id} HTTP/1.1\r\nHost: nas\r\n\r\n`);
    await until(() => reader.bytesRead > 0, "the answer begins: it is counted from here on");
    expect(await ingest(mebibyte)).toMatchObject({ status: 503, code: "overloaded" });
    expect((await server.call(`/api/document/${id}/text`)).status).toBe(503);
    let came = 0;
    reader.on("data", (chunk) => {
      came += chunk.length;
    });
    reader.resume();
    await until(() => came >= 7.5 * mebibyte);
    await eventually(async () => expect((await ingest(mebibyte)).status).toBe(200));
    const whole = (await (await server.call(`/api/document/${id}`)).json()) as { originalText: string };
    expect(whole.originalText).toHaveLength(7.5 * mebibyte + 9);
    const head = await server.call(`/api/document/${id}`, { method: "HEAD" });
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(7.5 * mebibyte);
  });
});
