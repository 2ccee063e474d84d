import { beforeAll, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { quoteAnswer } from "../../../src/answers/quote/quote.ts";
import { composeQuotedAnswer } from "../../../src/answers/quote/write-quotations.ts";
import type { FoundSnippet } from "../../../src/retrieval/contract.ts";
import { chunkText } from "../../../src/text/chunk/chunk-text.ts";
import { parseBytes } from "../../parse/test-parser.ts";

/** Whatever is asked, each quotation of the built-in answerer leads to characters that say it, on the page it names. */

interface Document {
  name: string;
  text: string;
  pages: { page: number; start: number }[];
  snippets: FoundSnippet[];
}

const folder = join(import.meta.dir, "../../fixtures/documents");
const documents: Document[] = [];

beforeAll(async () => {
  for (const name of (await readdir(folder)).sort()) {
    const parsed = await parseBytes(await Bun.file(join(folder, name)).bytes(), { name }).catch(() => null);
    if (parsed === null) continue;
    const { text, pages } = parsed;
    const snippets = chunkText(text, pages).map((chunk, position) => ({
      ...chunk,
      id: `${position}`,
      documentId: name,
      position,
      distance: 1,
      score: 1,
    }));
    documents.push({ name, text, pages, snippets });
  }
}, 120_000);

/** Range of a text, found in a document with its white space folded. */
const rangeOf = (text: string, folded: string, from: number, to: number): { start: number; end: number } | null => {
  const pattern = folded.split(" ").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(pattern.join("\\s+"), "u").exec(text.slice(from, to));
  return found === null ? null : { start: from + found.index, end: from + found.index + found[0].length };
};

const pagesIn = ({ pages, text }: Document, start: number, end: number): number[] =>
  pages
    .filter((page, index) => page.start < end && (pages[index + 1]?.start ?? text.length + 1) > start)
    .map(({ page }) => page);

const words = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]{2,}/gu) ?? [];

test("the fixtures have pages, several languages and tables", () => {
  expect(documents.length).toBeGreaterThan(25);
  expect(documents.filter(({ pages }) => pages.length > 1).length).toBeGreaterThan(4);
});

test("each quotation is found at its snippet's place, on its snippet's page", async () => {
  let quoted = 0;
  let onPages = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(), { minLength: 2, maxLength: 8 }),
      async (chosen, places, asked) => {
        const document = documents[chosen % documents.length];
        if (document === undefined) throw new Error("no documents");
        const { snippets, text } = document;
        const found = [...new Set(places.map((place) => snippets[place % snippets.length]))].filter(
          (snippet) => snippet !== undefined,
        );
        const vocabulary = words(found.map((snippet) => snippet.text).join(" "));
        const question = asked.map((place) => vocabulary[place % vocabulary.length] ?? "what").join(" ");
        const quotations = await quoteAnswer(question, found);
        for (const quotation of quotations) {
          const snippet = found[quotation.snippet];
          if (snippet === undefined) throw new Error("a mark without a snippet");
          expect(text.slice(snippet.start, snippet.end)).toBe(snippet.text);
          const range = rangeOf(text, quotation.text, snippet.start, snippet.end);
          if (range === null) throw new Error(`not in ${document.name}: ${quotation.text}`);
          quoted++;
          if (snippet.page === null) continue;
          onPages++;
          // A snippet on two pages has a sentence or row that runs over.
          if (pagesIn(document, snippet.start, snippet.end).length === 1)
            expect(pagesIn(document, range.start, range.end)).toEqual([snippet.page]);
        }
        for (const quotation of quotations.filter(({ head }) => head === null)) {
          const line = composeQuotedAnswer([quotation]);
          const mark = / \[(\d+)\]$/.exec(line);
          // Signs of Markdown and footnote marks of the source are left out of what is shown.
          const bare = (shown: string) =>
            shown.replace(/(?: ?\[\^?\d{1,3}\])+|\]\([^)]*\)/gu, "").replace(/[^\p{L}\p{N}]+/gu, "");
          expect(bare(found[Number(mark?.[1]) - 1]?.text ?? "")).toContain(bare(line.slice(0, mark?.index)));
        }
      },
    ),
    { numRuns: 400 },
  );
  expect(quoted).toBeGreaterThan(300);
  expect(onPages).toBeGreaterThan(30);
});

test("every snippet of every fixture lies on one page, or a sentence of it runs over", () => {
  for (const document of documents) {
    for (const { start, end, page, text } of document.snippets) {
      const pages = pagesIn(document, start, end);
      if (document.pages.length === 0) expect(page).toBeNull();
      else if (pages.length === 1) expect(page).toBe(pages[0] ?? 0);
      else expect(text).toMatch(/[^.!?。]\s*\n\n/u);
    }
  }
});
