import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { startTestServer } from "../start-server.ts";

const server = await startTestServer();

const get = (path: string, headers: Record<string, string>): Promise<Response> =>
  fetch(server.url + path, { headers, decompress: false });

const paths = ["/openapi.json", "/embed.js", "/docs/guide/cli.md"];

describe.each(paths)("%s", (path) => {
  test.each([
    ["br, gzip", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP", "gzip"],
    ["gzip;q=1.0, br;q=0", "gzip"],
    ["br;q=0.0, gzip ; q=0.000", null],
    ["gzip;q=0.5", "gzip"],
    ["identity", null],
    ["x-gzip, brotli", null],
    ["", null],
  ])("is sent to a client that accepts %p as %p", async (accepted, encoding) => {
    const plain = await (await get(path, { "accept-encoding": "identity" })).text();
    const answer = await get(path, { "accept-encoding": accepted });
    const bytes = await answer.bytes();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    const decoded = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes;
    expect(new TextDecoder().decode(decoded)).toBe(plain);
    if (encoding !== null) expect(bytes.length).toBeLessThan(plain.length * 0.7);
  });

  test("has an ETag for each form, by which it is not sent twice", async () => {
    const tags = new Set<string>();
    for (const accepted of ["identity", "gzip", "br"]) {
      const tag = (await get(path, { "accept-encoding": accepted })).headers.get("etag") ?? "";
      expect(tag).toMatch(/^"[a-z0-9]+(?:-br|-gzip)?"$/);
      tags.add(tag);
      for (const known of [tag, `"other", W/${tag}`, "*"]) {
        const again = await get(path, { "accept-encoding": accepted, "if-none-match": known });
        expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag]);
        expect(again.headers.get("vary")).toContain("Accept-Encoding");
        expect(again.headers.get("cache-control")).toMatch(/^(?:no-cache|public, max-age=\d+)$/);
      }
      const other = await get(path, { "accept-encoding": accepted, "if-none-match": '"other"' });
      expect(other.status).toBe(200);
    }
    expect(tags.size).toBe(3);
  });

  test("HEAD tells the same without a body", async () => {
    const answer = await fetch(server.url + path, { method: "HEAD", headers: { "accept-encoding": "br" } });
    expect([answer.status, answer.headers.get("content-encoding"), await answer.text()]).toEqual([200, "br", ""]);
  });
});
