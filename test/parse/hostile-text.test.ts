import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readContentType, readFileName } from "../../src/ingest/fetch/exchange.ts";
import { tidyText } from "../../src/parse/blocks/tidy-text.ts";
import { isLightFile } from "../../src/parse/builtin-parser.ts";
import {
  afterComments,
  detectTextKind,
  holdsMarkdownLink,
  holdsTag,
  isOneElement,
  mailHeaderNames,
} from "../../src/parse/detect/text-kind.ts";
import { withoutInnerLinks } from "../../src/parse/formats/epub.ts";
import { GatheredText } from "../../src/parse/formats/html/inline.ts";
import { parseFile } from "../../src/parse/parse-file.ts";
import { hostileTexts, textFiles } from "../../tools/samples/hostile-texts.ts";
import { makeZip } from "../../tools/samples/zip-file.ts";
import { threadCpuMs } from "../thread-cpu.ts";
import { failureOf, parseBytes } from "./test-parser.ts";

/** CPU time. Generous: what took minutes takes milliseconds. */
const longestMs = 5_000;

const inTime = async <T>(work: () => T | Promise<T>): Promise<T> => {
  const began = threadCpuMs();
  const result = await work();
  expect(threadCpuMs() - began).toBeLessThan(longestMs);
  return result;
};

describe("text that would take excessive time", () => {
  test("is recognized and, where it is small, read quickly, whatever type it claims", async () => {
    for (const [, text] of hostileTexts(120_000)) {
      const bytes = new TextEncoder().encode(text);
      await inTime(async () => {
        for (const { name, mimeType } of textFiles) {
          const file = { bytes, name, mimeType };
          if (isLightFile(file))
            await failureOf(
              parseFile(file, { maxUnpackedBytes: 1_000_000, maxPages: 10, maxTextLength: 1_000_000, ocr: null }),
            );
        }
      });
    }
  });

  test("comments before anything else, in an honest XML file too", async () => {
    expect(await inTime(() => detectTextKind(`${"<!---->".repeat(60)}x`, null, null))).toBe("text");
    const comments = Array.from({ length: 30 }, (_, at) => `<!-- part ${at} -->\n`).join("");
    const xml = `<?xml version="1.0"?>\n${comments}<list><item>one</item><item>two</item></list>`;
    expect(await inTime(() => detectTextKind(xml, "text/xml", "a.xml"))).toBe("xml");
    expect(await inTime(() => detectTextKind(`${comments}<!DOCTYPE html><p>x`, null, null))).toBe("html");
    expect((await parseBytes(xml, { name: "a.xml" })).text).toContain("two");
  });

  test("200,000 blanks, marks on one letter, headings that never end", async () => {
    const blanks = " ".repeat(200_000);
    expect(await inTime(() => tidyText(`a${blanks}x${blanks}\n${blanks}`))).toBe(`a${blanks}x`);
    expect((await inTime(() => tidyText("\u0301\u0316".repeat(200_000)))).length).toBe(30);
    const title = await inTime(() => parseBytes(`# Pumps${" ".repeat(19_000)}x`, { name: "a.md" }));
    expect(title.title).toBe("Pumps x");
    for (const sign of ["\n", "\t", "[", "\r[", "<a", "A:\n ", "# "])
      await inTime(() => detectTextKind(`${sign.repeat(100_000)}x`, null, null));
  });

  test("YAML of nothing but faults, which are not described one by one", async () => {
    const { warnings } = await inTime(() => parseBytes("*a **b ".repeat(100_000), { name: "a.yaml" }));
    expect(warnings).toEqual(["The file is no valid YAML."]);
  });

  test("headers of a far server", async () => {
    const blanks = "\t".repeat(50_000);
    expect(await inTime(() => readContentType(`text/html; charset=${blanks}charset=${blanks}"\0`))).toMatchObject({
      mimeType: "text/html",
    });
    await inTime(() => readFileName(`attachment; filename="${"\\".repeat(50_000)}`, new URL("http://a.example/x")));
    expect(readContentType('text/html; charset="UTF-8"').charset).toBe("utf-8");
    expect(readContentType("text/html;charset=").charset).toBeNull();
  });
});

describe("tables made to grow", () => {
  test("a CSV of 32 KiB with 67 million cells is a 422 that says so, and is not read beside requests", async () => {
    const csv = `${Array.from({ length: 8_000 }, () => "a").join(",")}\n${"b\n".repeat(8_000)}`;
    const file = { bytes: new TextEncoder().encode(csv), name: "a.csv", mimeType: "text/csv" };
    expect(isLightFile(file)).toBe(false);
    const failure = await inTime(() => failureOf(parseBytes(csv, { name: "a.csv", mimeType: "text/csv" })));
    expect(failure).toMatchObject({ code: "unreadable_file", status: 422 });
    expect(failure.detail).toContain("8001 rows and 8000 columns");
    const honest = "name,age,town\nAda,36,London\nAlan,41,Wilmslow\n".repeat(300);
    expect(isLightFile({ ...file, bytes: new TextEncoder().encode(honest) })).toBe(true);
  });

  test("spans of HTML cells and repeats of a spreadsheet's", async () => {
    const html = `<html><body><table>${"<tr><td colspan=1000>a<td>b".repeat(20_000)}</table>`;
    const wide = await inTime(() => failureOf(parseBytes(html, { name: "a.html" })));
    expect(wide).toMatchObject({ code: "unreadable_file", status: 422 });
    const high = `<table><tr>${`<td rowspan=10000>${"a".repeat(500)}`.repeat(900)}${"<tr><td>b".repeat(9_000)}</table>`;
    expect(await inTime(() => failureOf(parseBytes(high, { name: "a.html" })))).toMatchObject({ status: 422 });

    const long = `<table><tr>${"<td rowspan=10000>aaaaaaaa".repeat(1_000)}${"<tr>".repeat(900)}</table>`;
    expect(await inTime(() => failureOf(parseBytes(long, { name: "a.html" })))).toMatchObject({
      code: "unreadable_file",
      detail: expect.stringContaining("far more than it holds"),
    });
    const merged = `<table><tr>${"<td rowspan=1000>aaaaaaaa".repeat(100)}${"<tr><td>b".repeat(900)}</table>`;
    expect((await parseBytes(merged, { name: "a.html" })).text.match(/aaaaaaaa/g)).toHaveLength(100 * 901);

    const cell = `<table:table-cell table:number-columns-repeated="1000" office:value-type="string"><text:p>x</text:p></table:table-cell>`;
    const row = `<table:table-row table:number-rows-repeated="1000">${cell}</table:table-row>`;
    const ods = makeZip([
      { name: "mimetype", content: "application/vnd.oasis.opendocument.spreadsheet" },
      {
        name: "content.xml",
        content: `<office:document-content><office:body><office:spreadsheet><table:table table:name="A">${row.repeat(200)}</table:table></office:spreadsheet></office:body></office:document-content>`,
      },
    ]);
    expect(await inTime(() => failureOf(parseBytes(ods, { name: "a.ods" })))).toMatchObject({
      code: "unreadable_file",
      status: 422,
    });
  });
});

describe("what one pass finds is what an expression found", () => {
  const few = fc.string({ unit: fc.constantFrom("[", "]", "(", ")", "a", "\n", "<", ">", "/", " "), maxLength: 14 });

  test("links, tags, elements, ends of lines", () => {
    fc.assert(
      fc.property(few, (text) => {
        expect(holdsMarkdownLink(text)).toBe(/\[[^\]\n]+\]\([^)\n]+\)/.test(text));
        expect(holdsTag(text)).toBe(/<\/?[a-z][^>]*>/i.test(text));
        expect(tidyText(text)).toBe(
          text
            .replace(/[ \t]+(?=\n|$)/g, "")
            .replace(/\n{3,}/g, "\n\n")
            .replace(/^\n+|\s+$/g, ""),
        );
      }),
      { numRuns: 5_000 },
    );
    expect(isOneElement("<a x='1'>\n<b/></a >\n")).toBe(true);
    expect(isOneElement("<a>x</a> and more")).toBe(false);
    expect(afterComments(" <!-- a --> <!----> <p>")).toBe("<p>");
    expect(afterComments("<!-- never closed")).toBe("<!-- never closed");
  });

  test("headers of a mail: names, lines that go on, a mailbox's first line", () => {
    const head = "From me Mon\nReceived: a\n\tb\nSubject: hello\n world\n\nX-Body: no\n";
    expect([...mailHeaderNames(head)]).toEqual(["received", "subject"]);
    expect([...mailHeaderNames(" not: one\n")]).toEqual([]);
    expect([...mailHeaderNames("Cut: off")]).toEqual([]);
  });

  test("links within a book, and the end of a text that grows", () => {
    expect(withoutInnerLinks("see [one \\[1\\]](ch1.html#a) and [two](https://b.example/x) [three](")).toBe(
      "see one [1] and [two](https://b.example/x) [three](",
    );
    const gathered = new GatheredText();
    for (const piece of ["a", "\n", " "]) gathered.add(piece);
    expect([gathered.endsInSpace, gathered.endsInBreak]).toEqual([true, true]);
    gathered.add("b");
    expect([gathered.endsInSpace, gathered.endsInBreak, gathered.take()]).toEqual([false, false, "a\n b"]);
    expect(gathered.isEmpty).toBe(true);
  });
});
