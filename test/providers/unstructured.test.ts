import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Value } from "@sinclair/typebox/value";
import { configSchema } from "../../config/schema.ts";
import { ProviderError } from "../../providers/contract.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { noText, unreadable, unsupported } from "../../src/parse/blocks/blocks.ts";
import { createFileParser } from "../../src/parse/builtin-parser.ts";
import { createUnstructuredParser } from "../../src/parse/unstructured/parser.ts";
import { startUnstructuredReplay } from "./unstructured-recording.ts";

const settings = Value.Create(configSchema).parser;
const seen: { form: Record<string, string>; bytes: Uint8Array }[] = [];
const server = startUnstructuredReplay(seen);
afterAll(() => server.stop());

const never = new AbortController().signal;
const parse = (name: string, change: Partial<typeof settings> = {}, url = server.url) =>
  createUnstructuredParser({ ...settings, ...change }, url, 2).parse(
    { bytes: readFileSync(join(import.meta.dir, "../fixtures/documents", name)), name, mimeType: null },
    never,
  );
const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof ApiError ? error.code : error instanceof ProviderError ? error.kind : `${error}`;
};

describe("elements become the same markdown as the built-in parsers give", () => {
  test("sheets keep their names, pages and tables", async () => {
    const { text, pages } = await parse("stanley-cups.xlsx");
    expect(text).toContain(
      "## Stanley Cups\n\n| Team | Location | Stanley Cups |\n| --- | --- | --- |\n| Blues | STL | 1 |",
    );
    expect(pages.map(({ page }) => page)).toEqual([1, 2]);
    expect(text.slice(pages[1]?.start)).toStartWith("## Stanley Cups Since 67");
  });

  test("slides, documents, mail and PDF", async () => {
    expect((await parse("fake-power-point-table.pptx")).text).toContain("| Red | Green | Blue |");
    expect((await parse("docx-tables.docx")).text).toContain("|");
    const mail = await parse("fake-email-attachment.eml");
    expect(mail.title).toBe("Fake email with attachment");
    expect(mail.text).toContain("From: Mallori Harrell");
    expect((await parse("korean-text-with-tables.pdf")).pages).toEqual([{ page: 1, start: 0 }]);
  });
});

test("an old presentation that LibreOffice read for the server", async () => {
  const { title, text, pages, mimeType } = await parse("fake-power-point.ppt");
  expect([title, mimeType]).toEqual(["Adding a Bullet Slide", "application/vnd.ms-powerpoint"]);
  expect(text).toStartWith(
    "# Adding a Bullet Slide\n\n- Find the bullet slide layout\n  - Use _TextFrame.text for first bullet\n    - Use _TextFrame.add_paragraph() for subsequent bullets\n\n",
  );
  expect(pages[0]).toEqual({ page: 1, start: 0 });
});

test("asks for no layout models and for the file in one piece, and sends text as UTF-8", async () => {
  seen.length = 0;
  expect((await parse("umlauts-non-utf8.md")).text).toContain("können");
  expect(seen[0]?.form).toMatchObject({ strategy: "fast", split_pdf_page: "false" });
  expect(new TextDecoder("utf-8", { fatal: true }).decode(seen[0]?.bytes)).toContain("können");
});

test("what the file is to blame for is 415 or 422", async () => {
  expect(await codeOf(parse("password.pdf"))).toBe("unreadable_file");
  expect(await codeOf(parse("password_protected.xlsx"))).toBe("unreadable_file");
  expect(await codeOf(parse("single_table.pdf"))).toBe("no_text");
  expect(await codeOf(parse("empty.xlsx"))).toBe("no_text");
  expect(await codeOf(parse("simple.zip"))).toBe("unsupported_file_type");
  expect(await codeOf(parse("simple.doc"))).toBe("unsupported_file_type");
  expect(await codeOf(parse("DA-1p.png"))).toBe("unsupported_file_type");
});

test("what the server is to blame for is a ProviderError, and a call after a 500 works", async () => {
  expect(await codeOf(parse("stanley-cups.xlsx", {}, "http://127.0.0.1:9"))).toBe("unreachable");
  expect(await codeOf(parse("book-war-and-peace-1p.txt"))).toBe("bad_answer");
  await codeOf(parse("password_protected.xlsx"));
  expect((await parse("stanley-cups.xlsx")).text).toContain("Blues");
});

describe("two parsers as one", () => {
  const file = { bytes: new Uint8Array([1]), name: "a.doc", mimeType: null };
  const gives = (text: string) => ({
    parse: async () => ({ title: null, text, pages: [], mimeType: "x", warnings: [] }),
  });
  const fails = (error: Error) => ({ parse: () => Promise.reject(error) });

  test("the second reads what the first cannot", async () => {
    const first = fails(unsupported("no"));
    expect((await createFileParser(first, gives("read"), first).parse(file, never)).text).toBe("read");
  });

  test("a broken file is not sent on", async () => {
    const first = fails(unreadable("locked"));
    expect(await codeOf(createFileParser(first, gives("read"), first).parse(file, never))).toBe("unreadable_file");
  });

  test("a file that the first server breaks over goes to the second; one that both do is the file's fault", async () => {
    const broke = fails(new ProviderError("parser", "bad_answer", "answered 500"));
    expect((await createFileParser(broke, gives("read"), broke).parse(file, never)).text).toBe("read");
    const builtin = fails(unsupported("audio"));
    expect(await codeOf(createFileParser(broke, builtin, builtin).parse(file, never))).toBe("unsupported_file_type");
    expect(await codeOf(createFileParser(builtin, broke, builtin).parse(file, never))).toBe("unsupported_file_type");
  });

  test("where both cannot, the built-in parser says why; a second that is down is told of", async () => {
    const builtin = fails(noText("install tesseract"));
    const other = fails(unsupported("not here"));
    await expect(createFileParser(builtin, other, builtin).parse(file, never)).rejects.toThrow("install tesseract");
    await expect(createFileParser(other, builtin, builtin).parse(file, never)).rejects.toThrow("install tesseract");
    const down = fails(new ProviderError("parser", "unreachable", "down"));
    expect(await codeOf(createFileParser(builtin, down, builtin).parse(file, never))).toBe("unreachable");
  });
});
