import { describe, expect, test } from "bun:test";
import {
  isFiltered,
  listAddress,
  listRequest,
  readListQuery,
  wholeList,
} from "../../../src/web/browser/console/views/documents/list-query.ts";
import { mergeRows } from "../../../src/web/browser/console/views/documents/load-list.ts";
import { documentWords, failureOf } from "../../../src/web/browser/console/views/documents/record/document-words.ts";

const queryOf = (address: string) => readListQuery(Object.fromEntries(new URL(address, "http://a").searchParams));

describe("the address of the list", () => {
  test("holds what the list shows, and nothing of the whole list", () => {
    expect(listAddress(wholeList)).toBe("/documents");
    const query = {
      search: "año & Söhne",
      partitionId: "p1",
      status: "failed",
      metadata: '{"year":2026}',
      order: "oldest",
      page: 7,
    } as const;
    expect(queryOf(listAddress(query))).toEqual(query);
    expect([isFiltered(query), isFiltered({ ...wholeList, page: 3, order: "a-z" })]).toEqual([true, false]);
    expect(listRequest(query)).toMatchObject({ searchValue: "año & Söhne", sortOrder: "asc", limit: 100, skip: 600 });
  });

  test.each(["?page=-3", "?page=x", "?page=0", "?state=gone", "?order=up"])("%s is read as the whole list", (given) => {
    expect(queryOf(`/documents${given}`)).toEqual(wholeList);
  });
});

describe("a list that is loaded again", () => {
  const row = (id: string, name = id) => ({ id, name });

  test("moves nothing while it is held: rows change in place, new ones are counted", () => {
    const merged = mergeRows([row("b"), row("a")], [row("d"), row("c"), row("b", "B")], true);
    expect(merged).toEqual({ rows: [row("b", "B"), row("a")], newer: 2 });
  });

  test("shows all that is new when nobody holds it, and at first", () => {
    expect(mergeRows([row("a")], [row("b"), row("a")], false)).toEqual({ rows: [row("b"), row("a")], newer: 0 });
    expect(mergeRows([], [row("a")], true)).toEqual({ rows: [row("a")], newer: 0 });
  });
});

describe("states in words", () => {
  const progress = { pages: 0, chunks: 0, embedded: 0 };
  const base = { status: "processing", error: null, progress, warnings: [] as string[] } as const;

  test("say how far reading is", () => {
    expect(documentWords(base).text).toBe("reading");
    const reading = (page: number) => documentWords({ ...base, reading: { page, pages: 120 } }).text;
    expect([1, 41, 120].map(reading)).toEqual(["reading 0 %", "reading 34 %", "reading 99 %"]);
    expect(documentWords({ ...base, progress: { ...progress, pages: 1 } }).text).toBe("1 page read");
    expect(documentWords({ ...base, progress: { pages: 120, chunks: 300, embedded: 40 } }).text).toBe(
      "40 of 300 passages can be found",
    );
    expect(documentWords({ ...base, status: "processed" })).toEqual({ mood: "good", text: "ready" });
    expect(documentWords({ ...base, status: "processed", warnings: ["a", "b"] }).text).toBe("ready, 2 warnings");
    expect(documentWords({ ...base, status: "failed", error: "cancelled" })).toEqual({
      mood: "quiet",
      text: "cancelled",
    });
  });

  // The messages are those of the parsers and the fetcher.
  test.each([
    ["Reading a picture (image/png) needs OCR. Install the tesseract program, or set up Unstructured.", "needsOcr"],
    ["The PDF holds no text that can be read (3 pages): a scan needs OCR. Install the tesseract program.", "needsOcr"],
    ["The PDF is locked with a password. Unlock it and try again.", "locked"],
    ["The book is locked by its seller (DRM).", "protected"],
    ["The file is empty.", "noText"],
    ["The file was read, but it holds no text.", "noText"],
    ["Files of type audio/wav hold no text that can be read.", "unknownType"],
    ["Old Word files cannot be read here. Save the file in the new format, or set up Unstructured.", "oldFormat"],
    ["The PDF has 12000 pages, more than 10000 (parser.maxPages). Split it.", "tooLarge"],
    ["The PDF is broken or cut off.", "broken"],
    ["Reading a picture took longer than 60000 ms.", "tooSlow"],
    ["Something that nobody thought of", "other"],
  ] as const)("%s: %s", (message, kind) => {
    expect(failureOf(message).kind).toBe(kind);
    expect(failureOf(message).remedy.length).toBeGreaterThan(0);
  });
});
