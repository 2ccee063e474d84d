import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  findPassage,
  placeWarning,
  textSections,
} from "../../../src/web/browser/console/views/document/find-passage.ts";
import { documentLink, wantedPassage } from "../../../src/web/browser/console/views/documents/record/document-words.ts";

const found = (text: string, passage: string, near = 0): string[] =>
  findPassage(text, passage, near).map(({ start, end }) => text.slice(start, end));

describe("a passage is found", () => {
  test("over line ends, hyphens, accents, ligatures and case", () => {
    expect(found("Of the ﬁnest cafe\u0301s, many re-\nopened.", "finest cafés, many reopened")).toEqual([
      "ﬁnest cafe\u0301s, many re-\nopened",
    ]);
  });
  test("at the nearest of several places", () => {
    expect(findPassage("heron ... heron ... heron", "heron", 0.9)).toEqual([{ start: 20, end: 25 }]);
    expect(findPassage("heron ... heron ... heron", "heron", 0)).toEqual([{ start: 0, end: 5 }]);
  });
  test("by its sentences, where the whole of it does not stand there", () => {
    const text = "The heron fishes at the weir. Page 3. It flies home in the evening.";
    expect(found(text, "The heron fishes at the weir. It flies home in the evening.")).toEqual([
      "The heron fishes at the weir",
      "It flies home in the evening",
    ]);
  });
  test("nowhere, rather than by chance", () => {
    expect(found("The heron fishes.", "Of otters.")).toEqual([]);
    expect(found("The heron fishes.", "... !")).toEqual([]);
    expect(found("", "heron")).toEqual([]);
  });
  test("wherever it was cut from a text of letters and signs", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), fc.nat(), fc.nat(), (text, from, length) => {
        const start = from % text.length;
        const passage = text.slice(start, start + 1 + (length % text.length));
        const letters = /[\p{L}\p{N}]/u.test(passage.normalize("NFKD"));
        const [range] = findPassage(text, passage, start / text.length);
        if (!letters) return range === undefined;
        return range !== undefined && range.start >= 0 && range.end <= text.length && range.start < range.end;
      }),
    );
  });
});

describe("sections of a text", () => {
  const cut = (text: string, snippets: { start: number; page: number | null }[], pages = 0) =>
    textSections(text, snippets, pages).map(({ start, end, page }) => [page, text.slice(start, end)]);

  test("are its pages; a page without text has its place", () => {
    const text = "First.\n\nSecond.\n\nFourth.";
    const snippets = [
      { start: 0, page: 1 },
      { start: 8, page: 2 },
      { start: 17, page: 4 },
    ];
    expect(cut(text, snippets, 5)).toEqual([
      [1, "First.\n\n"],
      [2, "Second.\n\n"],
      [3, ""],
      [4, "Fourth."],
      [5, ""],
    ]);
  });
  test("a snippet that runs over an edge does not turn the pages back", () => {
    expect(
      cut("a\nb\nc", [
        { start: 0, page: 1 },
        { start: 2, page: 2 },
        { start: 4, page: 1 },
      ]),
    ).toEqual([
      [1, "a\n"],
      [2, "b\nc"],
    ]);
  });
  test("of a text without pages are short, whole together, and cut between paragraphs", () => {
    const text = Array.from({ length: 3_000 }, (_, at) => `Paragraph ${at}.`).join("\n\n");
    const sections = textSections(text, [{ start: 0, page: null }], 0);
    expect(sections.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
    expect(sections.length).toBeGreaterThan(3);
    for (const { start } of sections.slice(1)) expect(text.slice(start - 2, start)).toBe("\n\n");
  });
  test("a table that goes on keeps its head", () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => `| ${at} | value |`);
    const text = ["Before.\n", "| number | word |", "| --- | --- |", ...rows].join("\n");
    const [, second] = textSections(text, [], 0);
    expect(second?.tableHead).toBe("| number | word |\n| --- | --- |\n");
    expect(text[second?.start ?? 0]).toBe("|");
  });
  test("an empty text is one empty section", () => {
    expect(cut("", [])).toEqual([[null, ""]]);
  });
});

describe("what the address asks for", () => {
  const snippets = [
    { id: "a", start: 0, end: 10, page: 1 },
    { id: "b", start: 10, end: 20, page: 2 },
  ];
  const text = "x".repeat(20);

  test("is a passage with its page, and a link says it", () => {
    const { searchParams } = new URL(documentLink("a/b", { start: 12, end: 15 }), "http://a");
    expect(wantedPassage(Object.fromEntries(searchParams), text, snippets)).toEqual({
      page: 2,
      range: { start: 12, end: 15 },
    });
    expect(documentLink("a/b", { page: null })).toBe("/documents/a%2Fb");
    expect(wantedPassage({ snippet: "b" }, text, snippets)).toEqual({ page: 2, range: { start: 10, end: 20 } });
    expect(wantedPassage({ page: "1" }, text, snippets)).toEqual({ page: 1, range: null });
  });
  test.each([
    { start: "5" },
    { start: "5", end: "5" },
    { start: "9", end: "21" },
    { start: "-1", end: "4" },
    { start: "1e1", end: "12" },
    { page: "0" },
  ])("%j asks for nothing", (query) => {
    expect(wantedPassage(query as Record<string, string>, text, snippets)).toEqual({ page: null, range: null });
  });
});

test("a warning names its pages", () => {
  expect(placeWarning("Pages 3, 7: without text; a picture needs OCR.").pages).toEqual([3, 7]);
  expect(placeWarning("Page 12: read by OCR.").pages).toEqual([12]);
  expect(placeWarning('Sheet "2026" holds no cells.').pages).toEqual([]);
});
