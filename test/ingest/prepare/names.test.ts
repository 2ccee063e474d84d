import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { baseName, nameOfSource, provisionalName } from "../../../src/ingest/prepare/source.ts";

const url = (originalUrl: string) => ({ sourceKind: "url", originalUrl }) as const;
const website = (originalUrl: string) => ({ sourceKind: "website", originalUrl }) as const;

describe("names taken from a source", () => {
  test("a file is called by its name, a page by its title", () => {
    const read = { title: "A title", fileName: "report.pdf" };
    expect(nameOfSource(url("https://example.com/x"), read)).toBe("report.pdf");
    expect(nameOfSource(website("https://example.com/x"), read)).toBe("A title");
    expect(nameOfSource({ sourceKind: "file", originalUrl: null }, { title: "A title", fileName: null })).toBe(
      "A title",
    );
  });

  test("without either, by the address", () => {
    const nothing = { title: null, fileName: null };
    expect(nameOfSource(url("https://example.com/a/r%C3%A9sum%C3%A9.pdf?x=1"), nothing)).toBe("résumé.pdf");
    expect(nameOfSource(website("https://example.com/"), nothing)).toBe("example.com");
    expect(nameOfSource(website("https://example.com/%E0%A4%A"), nothing)).toBe("example.com");
    expect(nameOfSource({ sourceKind: "file", originalUrl: null }, nothing)).toBe("Untitled");
  });

  test("the provisional name of an upload is its file's", () => {
    expect(provisionalName({ sourceKind: "file", originalUrl: null }, "C:\\docs\\a.txt")).toBe("a.txt");
    expect(provisionalName({ sourceKind: "file", originalUrl: null }, null)).toBe("Untitled");
  });

  test.each([
    ["../../etc/passwd", "passwd"],
    ["a\u0000b\r\nc.txt", "ab c.txt"],
    ["\u001b[31mgpj\u202e.exe\u0085", "[31mgpj.exe"],
    ["  .pdf ", ".pdf"],
    ["///", null],
    ["", null],
    ["\ud800.txt", "\ufffd.txt"],
  ])("the name of %j is %j", (fileName, name) => {
    expect(baseName(fileName)).toBe(name);
  });

  test("any name fits the limit and holds nothing a name may not", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (title) => {
        const name = nameOfSource(website("https://example.com/"), { title, fileName: null });
        expect([...name].length).toBeLessThanOrEqual(255);
        expect(name.trim()).toBe(name);
        expect(name).not.toBe("");
        expect(name.isWellFormed()).toBeTrue();
        expect(name).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
