import { expect, test } from "bun:test";
import { connect } from "node:net";
import { arrivingBody } from "../../../src/http/body/arriving-body.ts";
import { startTestServer } from "../../start-server.ts";

const server = await startTestServer();
const chat = ((await (await server.post("/api/chat", { title: "Open", public: true })).json()) as { id: string }).id;

/** Sends a request whose body does not go on. @returns what the server sends until it closes the connection, or `last` came */
const answerToSilence = (
  path: string,
  key: string | null,
  lines: string,
  begun: string,
  last = "\0",
): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const authorization = key === null ? "" : `Authorization: Bearer ${key}\r\n`;
    const socket = connect({ host: "127.0.0.1", port: server.port }, () =>
      socket.write(`POST ${path} HTTP/1.1\r\nHost: nas\r\n${authorization}${lines}\r\n\r\n${begun}`),
    );
    socket.on("data", (chunk) => {
      answer += String(chunk);
      if (answer.includes(last)) socket.destroy();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });

/** Every encoding, declared and in chunks, begun and never finished. */
const encodings = [
  ["application/json", '{"name'],
  ["application/x-www-form-urlencoded", "name=a"],
  ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\na'],
].flatMap(([type, begun = ""]) => [
  [`Content-Type: ${type}\r\nContent-Length: 200000`, begun] as const,
  [`Content-Type: ${type}\r\nTransfer-Encoding: chunked`, `${begun.length.toString(16)}\r\n${begun}\r\n`] as const,
]);

test("a body that does not arrive is a 408 on every route, and the connection is closed; others are served", async () => {
  const reader = await server.issueKey({ role: "reader" });
  const routes: [string, string | null][] = [
    [`/api/chat/${chat}/message`, null],
    ["/api/session", null],
    ["/api/search", reader],
    ["/api/query", reader],
    [`/api/chat/${chat}/private`, reader],
    ["/api/ingest", server.key],
    ["/api/ingest/batch", server.key],
    ["/api/import", server.key],
  ];
  // Those of NDJSON look at no content type. An import waits for the one before it.
  const taken = (path: string) => encodings.slice(0, { "/api/ingest/batch": 2, "/api/import": 1 }[path]);
  const silent = routes.flatMap(([path, key]) =>
    taken(path).map(async ([lines, begun]) => [path, await answerToSilence(path, key, lines, begun)] as const),
  );
  const line = '{"name": "a", "text": "The reading room opens at nine."}\n{"na';
  const batch = answerToSilence("/api/ingest/batch", server.key, "Content-Length: 200000", line, "null,");
  expect((await server.post("/api/search", { query: "when" })).status).toBe(200);
  for (const [path, answer] of await Promise.all(silent)) {
    expect([path, answer.split("\r\n", 1)[0]]).toEqual([path, "HTTP/1.1 408 Request Timeout"]);
    expect(answer).toContain("application/problem+json");
    expect(answer).toContain('"code":"body_too_slow"');
  }
  // What was answered is stored; the last line says why there are no more.
  const answered = await batch;
  expect(answered).toContain("HTTP/1.1 200 OK");
  expect(answered).toContain('"line":1,"id"');
  expect(answered).toContain('"line":null,"error"');
  expect(answered).toContain('"code":"body_too_slow"');
});

test("a body that keeps the pace is read to its end, with pauses that its speed has earned; a slower one is given up", async () => {
  const pace = { firstBytesMs: 200, bytesPerSecond: 1_000, maxPauseMs: 300 };
  const sent = (bytes: number, everyMs: number, times: number) =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        await Bun.sleep(everyMs);
        controller.enqueue(new Uint8Array(bytes));
        times -= 1;
        if (times === 0) controller.close();
      },
    });
  const read = async (body: ReadableStream<Uint8Array<ArrayBuffer>>, given: typeof pace | null = pace) => {
    let bytes = 0;
    try {
      for await (const chunk of arrivingBody(body, given)) bytes += chunk.byteLength;
      return bytes;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(await read(sent(400, 50, 12))).toBe(4_800);
  expect(await read(sent(10, 50, 100))).toBe("body_too_slow");
  expect(await read(sent(100_000, 400, 2))).toBe("body_too_slow");
  expect(await read(sent(10, 50, 12), null)).toBe(120);
});
