import { expect, test } from "bun:test";
import { documentsOfKind } from "../../src/answers/gather/file-kinds.ts";
import type { Store } from "../../src/store/contract.ts";
import { sampleDocument, tenantOf } from "../../tools/samples/records.ts";

const scope = { documentId: null, partitionId: null, metadata: null };
const items = ["report.pdf", "budget 2026.xlsx", "Team", "notes.md", "offer.pdf", "prices.csv"].map((name) =>
  sampleDocument({
    name,
    mimeType: name === "Team" ? "application/vnd.openxmlformats-officedocument.presentationml.presentation" : null,
  }),
);
const found = async (text: string, total = items.length) => {
  const store = { documents: { list: async () => ({ items, total }) } } as unknown as Pick<Store, "documents">;
  return (await documentsOfKind(store, tenantOf(), scope, text))?.map(({ name }) => name) ?? null;
};

test.each([
  ["what's in the powerpoint?", ["Team"]],
  ["Was steht in der Präsentation?", ["Team"]],
  ["summarise the spreadsheet", ["budget 2026.xlsx", "prices.csv"]],
  ["what is in the excel file", ["budget 2026.xlsx"]],
  ["which of my files are spreadsheets", ["budget 2026.xlsx", "prices.csv"]],
  ["which PDFs do I have?", ["report.pdf", "offer.pdf"]],
  ["how many pdf files are there?", ["report.pdf", "offer.pdf"]],
  ["list the ebooks", []],
  ["summarise the pdf about roofs", null],
  ["what is on the menu?", null],
  ["which documents are there?", null],
])("documents of a kind: %s", async (text, names) => {
  expect(await found(text)).toEqual(names);
});

test("of more documents than are looked at, nothing is told", async () => {
  expect(await found("which PDFs do I have?", 2_001)).toBe(null);
});
