import { afterAll, beforeAll, expect, test } from "bun:test";
import { until } from "../until.ts";
import { type DocumentServer, serveDocuments } from "./serve-documents.ts";

const mebibyte = 1024 * 1024;
let server: DocumentServer;

beforeAll(async () => {
  // Nothing is processed: a text that waits is answered like any other.
  server = await serveDocuments({
    paused: true,
    config: (config) => {
      config.server.maxInFlightBytes = 40 * mebibyte;
    },
  });
});
afterAll(() => server.stop());

const store = async (name: string, bytes: number): Promise<void> => {
  const json = { name, text: name.padEnd(bytes, " ."), async: true };
  expect((await server.call("POST", "/api/ingest", { json })).status).toBe(202);
};
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

test("lists asked for at once hold no more than the bound together; the others are told to come again", async () => {
  const seen = new Set<number>();
  // Whether two of them overlap, and whether one is through before the others fill the bound, is chance.
  await until(async () => {
    for (const { status, headers } of await Promise.all(Array.from({ length: 6 }, () => list(4)))) {
      seen.add(status);
      expect(headers.has("retry-after")).toBe(status === 503);
    }
    return seen.has(200) && seen.has(503);
  }, "a list that is answered beside one that is refused");
  expect([...seen].sort()).toEqual([200, 503]);
  expect((await list(4)).status).toBe(200);
});
