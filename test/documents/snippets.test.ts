import { describe, expect, test } from "bun:test";
import { serveDocuments } from "./serve-documents.ts";

/** Some thousand characters in paragraphs that differ. */
const text = Array.from(
  { length: 40 },
  (_, at) => `# Part ${at}\n\nIn part ${at} ${"the bird nests again. ".repeat(20)}`,
).join("\n\n");

const server = await serveDocuments();
const id = (await server.call("POST", "/api/ingest", { json: { name: "Birds", text } })).body.id;

const list = (query: string, of = id) => server.call("GET", `/api/document/${of}/snippets?${query}`);

describe("GET /api/document/:id/snippets", () => {
  test("tells how the text was cut, in the order of the text", async () => {
    const { status, body, headers } = await list("limit=100");
    expect(status).toBe(200);
    expect(body.length).toBeGreaterThan(10);
    expect(headers.get("x-total-count")).toBe(String(body.length));
    const { originalText } = (await server.call("GET", `/api/document/${id}`)).body;
    let end = 0;
    for (const snippet of body) {
      expect(snippet.start).toBeGreaterThanOrEqual(end);
      expect(originalText.slice(snippet.start, snippet.end)).toBe(snippet.content);
      end = snippet.end;
    }
    expect(body[0].headings).toEqual(["Part 0"]);
  });

  test("is paged, with the total of all", async () => {
    const all = (await list("limit=100")).body;
    const paged = [];
    for (let skip = 0; skip < all.length; skip += 7) {
      const { body, headers } = await list(`limit=7&skip=${skip}`);
      expect(headers.get("x-total-count")).toBe(String(all.length));
      paged.push(...body);
    }
    expect(paged).toEqual(all);
    expect((await list(`skip=${all.length}`)).body).toEqual([]);
    expect((await list("skip=9007199254740991")).body).toEqual([]);
    expect((await list("limit=101")).status).toBe(400);
  });

  test("a new text is cut anew; nothing of the old one is left", async () => {
    const made = (await server.call("POST", "/api/ingest", { json: { name: "Short", text: "before" } })).body;
    await server.call("PUT", `/api/document/${made.id}`, { json: { text: "after" } });
    const contents = (await list("", made.id)).body.map(({ content }: { content: string }) => content);
    expect(contents).toEqual(["after"]);
  });
});
