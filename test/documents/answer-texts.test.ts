import { expect, test } from "bun:test";
import { holdOpen } from "../http/hold-open.ts";
import { eventually } from "../until.ts";
import { serveDocuments } from "./serve-documents.ts";

const mebibyte = 1024 * 1024;

// Nothing is processed: a text that waits is answered like any other.
const server = await serveDocuments({
  paused: true,
  config: (config) => {
    config.server.maxInFlightBytes = 40 * mebibyte;
  },
});

const store = async (name: string, bytes: number): Promise<void> => {
  const json = { name, text: name.padEnd(bytes, " ."), async: true };
  expect((await server.call("POST", "/api/ingest", { json })).status).toBe(202);
};
/** Sends so many bytes of a longer body: the server counts them, and waits for the rest. */
const openUpload = async (bytes: number) =>
  holdOpen(Number(new URL(server.url).port), {
    key: await server.key(),
    path: "/api/ingest",
    headers: `Content-Type: application/json\r\nContent-Length: ${bytes + 1}`,
    begun: Buffer.alloc(bytes, " "),
  });
const list = (limit: number) => server.call("GET", `/api/document?include=originalText&limit=${limit}`);

test("a list carries 32 MiB of text, and says what to do where it would be more", async () => {
  for (const name of ["a", "b", "c", "d"]) await store(name, 8 * mebibyte);
  const whole = await list(4);
  expect(whole.status).toBe(200);
  expect(whole.body.map(({ originalText }: { originalText: string }) => originalText.length)).toEqual(
    Array(4).fill(8 * mebibyte),
  );
  await store("e", 1);
  const refused = await list(5);
  expect([refused.status, refused.body.code]).toEqual([413, "answer_too_large"]);
  expect(refused.body.detail).toContain("fewer");
  expect((await list(3)).status).toBe(200);
  expect((await server.call("GET", "/api/document?limit=5")).status).toBe(200);
});

test("a list that does not fit beside what others hold is told to come again", async () => {
  const upload = await openUpload(20 * mebibyte);
  await eventually(async () => {
    const { status, headers, body } = await list(4);
    expect([status, body.code, headers.has("retry-after")]).toEqual([503, "overloaded", true]);
  });
  upload.destroy();
  await eventually(async () => expect((await list(4)).status).toBe(200));
});

test("lists asked for at once are answered, or told to come again", async () => {
  for (const { status, headers } of await Promise.all(Array.from({ length: 6 }, () => list(4)))) {
    expect([200, 503]).toContain(status);
    expect(headers.has("retry-after")).toBe(status === 503);
  }
  await eventually(async () => expect((await list(4)).status).toBe(200));
});
