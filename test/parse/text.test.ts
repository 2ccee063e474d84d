import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Block } from "../../src/parse/blocks/blocks.ts";
import { gridRows } from "../../src/parse/blocks/grid.ts";
import { tidyText, tidyTitle } from "../../src/parse/blocks/tidy-text.ts";
import { writeMarkdown } from "../../src/parse/blocks/write-markdown.ts";
import { writePgm } from "../../src/parse/ocr/tesseract.ts";
import { readFrames, writeFrame } from "../../src/system/child-process.ts";
import { failureOf, parseBytes } from "./test-parser.ts";

const anyText = fc.string({ unit: "binary", maxLength: 200 });

test("tidy text holds nothing that the store or a reader must not see", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const tidy = tidyText(text);
      expect(tidy.isWellFormed()).toBe(true);
      expect(tidy).not.toMatch(/\0|\r|\u00ad|\ufeff|[ \t]\n|[ \t]$|\n{3}|^\n/);
      expect(tidyText(tidy)).toBe(tidy);
    }),
  );
  expect(tidyText("\ufeffa\r\nb\rc\u2028d \t\n\n\n\ne\u0000f\ud800 ")).toBe("a\nb\nc\nd\n\nef\ufffd");
});

test("titles are one line of at most 255 characters", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 600 }), (text) => {
      const title = tidyTitle(text);
      if (title === null) return;
      expect([...title].length).toBeLessThanOrEqual(255);
      expect(title).not.toMatch(/\n|\0/);
      expect(title.isWellFormed()).toBe(true);
    }),
  );
  expect(tidyTitle(" \n ")).toBeNull();
  expect(tidyTitle("T".repeat(256))).toBe("T".repeat(255));
  expect(tidyTitle("😀".repeat(300))).toBe("😀".repeat(255));
  expect(tidyTitle(`a \ufffd ${"b".repeat(300)}`)).toBe(`a \ufffd ${"b".repeat(251)}`);
});

const block: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ kind: fc.constant("paragraph" as const), text: anyText }),
  fc.record({ kind: fc.constant("heading" as const), level: fc.integer({ min: -1, max: 9 }), text: anyText }),
  fc.record({ kind: fc.constant("item" as const), depth: fc.nat(12), marker: fc.constant("-"), text: anyText }),
  fc.record({ kind: fc.constant("code" as const), language: fc.constant(""), text: anyText }),
  fc.record({ kind: fc.constant("quote" as const), text: anyText }),
  fc.record({
    kind: fc.constant("table" as const),
    rows: fc.array(fc.array(anyText, { maxLength: 4 }), { maxLength: 4 }),
  }),
);

test("pages begin in ascending order, each at the first character of its text", () => {
  fc.assert(
    fc.property(fc.array(fc.array(block, { maxLength: 4 }), { maxLength: 6 }), (pages) => {
      const blocks = pages.flatMap((content, index): Block[] => [{ kind: "page", page: index + 1 }, ...content]);
      const written = writeMarkdown(blocks);
      expect(written.pages.map(({ page }) => page)).toEqual(pages.map((_, index) => index + 1));
      let before = 0;
      for (const { start } of written.pages) {
        expect(start).toBeGreaterThanOrEqual(before);
        expect(start).toBeLessThanOrEqual(written.text.length);
        expect(written.text[start] ?? "x").not.toBe("\n");
        before = start;
      }
      expect(written.text.isWellFormed()).toBe(true);
    }),
  );
});

test("a table stays one whatever its cells hold", () => {
  const { text } = writeMarkdown([
    {
      kind: "table",
      rows: [
        ["a|b", "c\nd"],
        ["", " "],
        ["1", "2", "3"],
      ],
    },
  ]);
  expect(text).toBe("| a\\|b | c d |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |");
});

test("merged cells stand in each row they cover and once in a row", () => {
  const cell = (text: string, columns = 1, rows = 1) => ({ text, columns, rows });
  expect(gridRows([[cell("a", 1, 3), cell("b", 2)], [cell("c"), cell("d")], [cell("e")]])).toEqual([
    ["a", "b", ""],
    ["a", "c", "d"],
    ["a", "e"],
  ]);
  expect(gridRows([[cell("x", 1e9, 1e9)]])[0]).toHaveLength(1000);
});

test("frames come through whatever way the stream is cut, and not over the limit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.jsonValue(), fc.uint8Array({ maxLength: 50 })), { maxLength: 5 }),
      fc.integer({ min: 1, max: 20 }),
      async (messages, step) => {
        const bytes = Buffer.concat(messages.map(([head, body]) => writeFrame(head, body)));
        async function* cut() {
          for (let at = 0; at < bytes.length; at += step) yield new Uint8Array(bytes.subarray(at, at + step));
        }
        const frames = await Array.fromAsync(readFrames(cut(), 50));
        expect(frames.map(({ body }) => [...body])).toEqual(messages.map(([, body]) => [...body]));
        expect(JSON.stringify(frames.map(({ head }) => head))).toBe(JSON.stringify(messages.map(([head]) => head)));
      },
    ),
    { numRuns: 50 },
  );
  async function* large() {
    yield writeFrame({}, new Uint8Array(100));
  }
  await expect(Array.fromAsync(readFrames(large(), 99))).rejects.toThrow("too large");
  async function* short() {
    yield writeFrame({}, new Uint8Array(100)).subarray(0, 50);
  }
  await expect(Array.fromAsync(readFrames(short(), 100))).rejects.toThrow("inside a frame");
});

test("any bytes under any name give text or the file's own fault", async () => {
  const heads = [
    "",
    "%PDF-1.4\n",
    "PK\u0003\u0004",
    "{\\rtf1 ",
    "<?xml version='1.0'?>",
    "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1",
    "From: a\nTo: b\nMessage-ID: c\n",
    "[",
    "---\n",
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...heads),
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: "binary", maxLength: 200 }).map((text) => new TextEncoder().encode(text.toWellFormed())),
      ),
      fc.constantFrom("a.txt", "a.csv", "a.yaml", "a.xml", "a.html", "a.rtf", "a.eml", "a.json", "a"),
      async (head, tail, name) => {
        const bytes = new Uint8Array(Buffer.concat([Buffer.from(head, "latin1"), tail]));
        const failure = await failureOf(parseBytes(bytes, { name }));
        expect([0, 415, 422]).toContain(failure.status);
      },
    ),
    { numRuns: 400 },
  );
});

test("text over the limit is a 413", async () => {
  expect(await failureOf(parseBytes("x".repeat(200), {}, { maxTextLength: 100 }))).toMatchObject({
    code: "document_too_large",
  });
});

test("pictures are written as PGM", () => {
  const picture = { data: new Uint8Array([65, 66]), width: 2, height: 1 };
  expect(new TextDecoder("latin1").decode(writePgm(picture))).toBe("P5\n2 1\n255\nAB");
});
