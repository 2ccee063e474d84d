import { expect, test } from "bun:test";
import fc from "fast-check";
import { readContentType, readFileName } from "../../../src/ingest/fetch/exchange.ts";

const url = new URL("https://example.com/files/Plan%20B.pdf?x=1");

test.each([
  ["attachment; filename=\"plain.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%82%AC.pdf", "Größe €.pdf"],
  ["attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf; filename=plain.pdf", "Größe.pdf"],
  ["attachment; filename*=iso-8859-1''Gr%F6%DFe%20%A3.pdf", "Größe £.pdf"],
  ["attachment; filename*=ISO-8859-1'de'Gr%F6%DFe.pdf", "Größe.pdf"],
  ["attachment; filename=plain.pdf; filename*=UTF-8''%ff", "plain.pdf"],
  ["attachment; filename*=koi8-r''%ff.pdf", "Plan B.pdf"],
  ['inline; filename="a \\"b\\"; c.pdf"', 'a "b"; c.pdf'],
  ["attachment; FileName = plain.pdf ; size=1", "plain.pdf"],
  ["attachment; filename=two words.pdf", "two words.pdf"],
  ["attachment; filename=\"x\"; filename*=utf-8''..%2F..%2Fetc%2Fpasswd", "passwd"],
  ['attachment; filename=".."', null],
  ["attachment", "Plan B.pdf"],
  [undefined, "Plan B.pdf"],
])("the file name of %p is %p", (header, name) => {
  expect(readFileName(header, url)).toBe(name);
});

test("type and charset", () => {
  expect(readContentType('Text/HTML ; Charset="ISO-8859-1"')).toEqual({ mimeType: "text/html", charset: "iso-8859-1" });
  expect(readContentType("text/html;x=1; charset=utf-8 ")).toEqual({ mimeType: "text/html", charset: "utf-8" });
  for (const header of [undefined, "", "html", "text/html/x", "*/*"])
    expect(readContentType(header)).toEqual({ mimeType: null, charset: null });
});

test("no header is refused", () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      readContentType(header);
      expect(readFileName(header, url)).not.toBe("");
    }),
  );
});
