import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { readableDocuments, refusedDocuments } from "../../tools/samples/expected-documents.ts";
import { failureOf, never, testParser } from "./test-parser.ts";

const folder = resolve(import.meta.dir, "../fixtures/documents");
const parser = testParser();
afterAll(() => parser.close());

const parse = async (name: string) =>
  parser.parse({ bytes: await Bun.file(resolve(folder, name)).bytes(), name, mimeType: null }, never);

test("every file of the folder has its expectation", () => {
  const files = readdirSync(folder).filter((name) => name !== "LICENSE.txt" && name !== "NOTICE.txt");
  expect(files.sort()).toEqual([...Object.keys(readableDocuments), ...Object.keys(refusedDocuments)].sort());
});

describe("files that give text", () => {
  test.each(Object.entries(readableDocuments))("%s", async (name, expected) => {
    const file = await parse(name);
    expect({ mimeType: file.mimeType, title: file.title, pages: file.pages.length }).toEqual({
      mimeType: expected.mimeType,
      title: expected.title,
      pages: expected.pages,
    });
    for (const part of expected.holds) expect(file.text).toContain(part);
    expect(Math.abs(file.text.length - expected.characters)).toBeLessThanOrEqual(expected.characters * 0.02);
    expect(file.text).toBe(file.text.trim());
    expect(file.text).not.toMatch(/\r|\0|[ \t]\n/);
    expect(file.pages.map((page) => page.start)).toEqual(file.pages.map((page) => page.start).sort((a, b) => a - b));
  });
});

describe("files that give none say why", () => {
  test.each(Object.entries(refusedDocuments))("%s", async (name, expected) => {
    const failure = await failureOf(parse(name));
    expect({ code: failure.code, status: failure.status }).toEqual({ code: expected.code, status: expected.status });
    expect(failure.detail).toMatch(expected.says);
  });
});

test("page offsets point at where each page's text begins", async () => {
  const slides = await parse("sample-presentation.pptx");
  expect(slides.pages.map(({ start }) => slides.text.slice(start).split("\n")[0])).toEqual([
    "# Title Slide",
    "# This is the first content slide",
    "# This is the second content slide",
    "# This is kinda backwards, huh?",
  ]);
  const sheets = await parse("stanley-cups.xlsx");
  expect(sheets.pages.map(({ start }) => sheets.text.slice(start).split("\n")[0])).toEqual([
    "# Stanley Cups",
    "# Stanley Cups Since 67",
  ]);
});

test("the same table reads the same from csv, tsv, UTF-16 and a workbook", async () => {
  const table = (text: string) =>
    text
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .slice(0, 5)
      .join("\n");
  const [csv, tsv, wide, sheet] = await Promise.all(
    ["stanley-cups.csv", "stanley-cups.tsv", "stanley-cups-utf-16.csv", "stanley-cups.xlsx"].map(parse),
  );
  expect(tsv?.text).toBe(csv?.text as string);
  expect(wide?.text).toBe(csv?.text as string);
  expect(table(sheet?.text ?? "")).toBe(table(csv?.text ?? ""));
});

test("what a header, a footer or a merged cell hides does not get into the text", async () => {
  expect((await parse("docx-hdrftr.docx")).text).not.toContain("should not be included");
  expect((await parse("fake-html-with-footer-and-header.html")).text).not.toContain("Footer");
});
