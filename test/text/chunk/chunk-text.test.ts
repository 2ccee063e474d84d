import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chunkText } from "../../../src/text/chunk/chunk-text.ts";

const paragraph = (length: number): string =>
  "The gate closes at noon and opens again at two. "
    .repeat(Math.ceil(length / 49))
    .slice(0, length)
    .trim();

describe("structure", () => {
  test("a short text is one chunk, without the white space around it", () => {
    expect(chunkText("\n  Hello there.\n\n")).toEqual([
      { text: "Hello there.", start: 3, end: 15, page: null, headings: [], context: "" },
    ]);
    expect(chunkText(" \n\t")).toEqual([]);
  });

  test("headings begin chunks, and their path goes with them", () => {
    const text = `# Handbook\n\n${paragraph(600)}\n\n## Leave\n\n${paragraph(600)}\n\n### Unpaid\n\n${paragraph(600)}\n\n## Pay\n\n${paragraph(600)}`;
    const chunks = chunkText(text);
    expect(chunks.map(({ headings }) => headings)).toEqual([
      ["Handbook"],
      ["Handbook", "Leave"],
      ["Handbook", "Leave", "Unpaid"],
      ["Handbook", "Pay"],
    ]);
    expect(chunks[1]?.text.startsWith("## Leave")).toBe(true);
  });

  test("underlined and wiki headings count, a `#` in a fence does not", () => {
    const text = `Title\n=====\n\n${paragraph(500)}\n\n\`\`\`sh\n# not a heading\nls\n\`\`\`\n\n = Battle = \n\n${paragraph(700)}`;
    const found = new Set(chunkText(text).flatMap(({ headings }) => headings));
    expect([...found]).toEqual(["Title", "Battle"]);
  });

  test("a heading is never left alone at the end of a chunk", () => {
    const text = `${paragraph(940)}\n\n#### Later\n\n${paragraph(700)}`;
    for (const chunk of chunkText(text)) expect(chunk.text.trim().endsWith("Later")).toBe(false);
  });

  test("sentences are kept whole where they fit", () => {
    for (const { text } of chunkText(paragraph(5000))) expect(text).toMatch(/^The gate[\s\S]*(?:two\.|noon.*)$/);
  });

  test("a fence that fits is kept whole", () => {
    const fence = `\`\`\`ts\n${"const value = compute();\n".repeat(20)}\`\`\``;
    const chunks = chunkText(`${paragraph(700)}\n\n${fence}\n\n${paragraph(700)}`);
    expect(chunks.filter(({ text }) => text.includes(fence))).toHaveLength(1);
  });
});

describe("tables", () => {
  const rows = Array.from({ length: 60 }, (_, index) => `| Item ${index} | ${index * 3} | some words about it |`);
  const table = ["| Name | Price | Remarks |", "|---|---|---|", ...rows].join("\n");

  test("rows are never cut, and later chunks carry the column names", () => {
    const chunks = chunkText(`Prices\n\n${table}`);
    expect(chunks.length).toBeGreaterThan(1);
    for (const [index, { text, context }] of chunks.entries()) {
      for (const line of text.split("\n").filter((line) => line.includes("|"))) expect(line).toMatch(/^\|.*\|$/);
      expect(context).toBe(index === 0 ? "" : "Name | Price | Remarks");
    }
  });

  test("a table without a delimiter row has its first row for column names", () => {
    const plain = [
      "region | revenue",
      ...Array.from({ length: 80 }, (_, index) => `land ${index} | ${index}00 million`),
    ];
    expect(chunkText(plain.join("\n")).at(-1)?.context).toBe("region | revenue");
  });

  test("what follows the table does not carry them", () => {
    const last = chunkText(`${table}\n\n${paragraph(950)}`).at(-1);
    expect(last?.context).toBe("");
  });
});

test("an over-long word is cut between characters as they are seen", () => {
  const family = "👨‍👩‍👧‍👦";
  for (const { text } of chunkText(family.repeat(200))) {
    expect(text.replaceAll(family, "")).toBe("");
    expect(text.isWellFormed()).toBe(true);
  }
});

const pieces = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.constantFrom(
    "# Head\n",
    "- item\n",
    "| a | b |\n",
    "```\n",
    "\n\n",
    ". ",
    "。",
    "a".repeat(300),
    "  ",
    "\t",
    "\r\n",
    "===\n",
    "|---|\n",
  ),
);

test("ranges are exact, ascending and bounded, and cover all that is not white space", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), fc.integer({ min: 20, max: 400 }), (parts, maxCharacters) => {
      const text = parts.join("");
      let end = 0;
      for (const chunk of chunkText(text, [], { maxCharacters })) {
        expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
        expect(chunk.start).toBeGreaterThanOrEqual(end);
        expect(chunk.text.length).toBeLessThanOrEqual(maxCharacters);
        expect(chunk.text.trim().length).toBeGreaterThan(0);
        expect(text.slice(end, chunk.start).trim()).toBe("");
        end = chunk.end;
      }
      expect(text.slice(end).trim()).toBe("");
    }),
    { numRuns: 300 },
  );
});

test("hostile texts give chunks of bounded size and number", () => {
  for (const unit of ["a", "\n", "| a | b |\n", "- a\n", "# a\n", "\u0301", "```\n", "...a ", "\ud83d", "漢。", "= "]) {
    const text = unit.repeat(Math.ceil(300_000 / unit.length));
    const chunks = chunkText(text);
    expect(chunks.length).toBeLessThanOrEqual(text.length / 200);
    for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(1000);
  }
});
