import { expect, test } from "bun:test";
import { analyzeText, coverText } from "../../../src/ingest/index/analyzed-text.ts";
import { toSnippets } from "../../../src/ingest/index/publication.ts";
import { sampleDocument } from "../../../tools/samples/records.ts";

const never = new AbortController().signal;
const body = Array.from({ length: 6 }, (_, page) => `Page ${page} speaks of many things.`);
const paged = (cover: string, pages = 6) => {
  const parts = [cover, ...body].slice(0, pages);
  const starts = parts.map((_, at) => ({ page: at + 1, start: parts.slice(0, at).join("\n\n").length + (at && 2) }));
  return { text: parts.join("\n\n"), pages: starts };
};
const coverOf = ({ text, pages }: ReturnType<typeof paged>): string => coverText(text, pages);

test("the short lines at the top of the first page, without marks of headings", () => {
  expect(coverOf(paged("# Norwell Group plc\n\n## Annual Report 2019"))).toBe("Norwell Group plc\nAnnual Report 2019");
});

test("a first page of prose is none, nor is that of a letter or of a text without pages", () => {
  const prose = "It goes on for longer than any line of a cover does. ".repeat(5);
  expect(coverOf(paged(prose))).toBe("");
  expect(coverOf(paged(`# Title\n\n${prose}\n\nshort`))).toBe("Title");
  expect(coverOf(paged("# Norwell", 4))).toBe("");
  expect(coverText("# Norwell\n\nText", [])).toBe("");
});

test("a long cover is read to a limit", () => {
  expect(coverOf(paged("word\n".repeat(500))).length).toBeLessThan(100);
});

test("snippets are found by the terms of the name and then of the cover", async () => {
  const document = sampleDocument({ name: "scan_17.pdf" });
  const source = paged("# Norwell Group\n\n## Annual Report 2019");
  const { chunks, title, coverTerms } = await analyzeText({ ...source, name: document.name }, never);
  const indexed = chunks.map((chunk) => ({ ...chunk, vectors: new Map<string, null>() }));
  const snippets = toSnippets(document, document.revision, { chunks: indexed, title, coverTerms });
  expect(snippets.length).toBeGreaterThan(0);
  for (const { titleTerms } of snippets) {
    expect(titleTerms).toStartWith(`${title?.terms} `);
    expect(titleTerms.split(" ")).toContain("norwel");
    expect(titleTerms.split(" ")).toContain("2019");
  }
});
