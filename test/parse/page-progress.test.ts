import { afterEach, expect, test } from "bun:test";
import { resolve } from "node:path";
import type { PageReached } from "../../providers/contract.ts";
import type { BuiltinParserOptions } from "../../src/parse/builtin-parser.ts";
import { lines, makePdf } from "../../tools/samples/pdf-file.ts";
import { makeZip } from "../../tools/samples/zip-file.ts";
import { never, testParser } from "./test-parser.ts";

const misbehaving = [process.execPath, resolve(import.meta.dir, "misbehaving-worker.ts")];
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const parser of open.splice(0)) await parser.close();
});

/** The pages that were told of while a parsing process read the file. */
const pagesTold = async (
  bytes: Uint8Array,
  name: string,
  options: Partial<BuiltinParserOptions> = {},
): Promise<PageReached[]> => {
  const parser = testParser(options);
  open.push(parser);
  const told: PageReached[] = [];
  await parser.parse({ bytes, name, mimeType: null }, never, (reached) => told.push(reached));
  return told;
};

const threePages = makePdf([1, 2, 3].map((page) => lines([`What stands on page ${page} of three.`], 50, 700)));

test("a PDF tells which page is read: the first and the last one, in order", async () => {
  const told = await pagesTold(threePages, "three.pdf");
  expect(told[0]).toEqual({ page: 1, pages: 3 });
  expect(told.at(-1)).toEqual({ page: 3, pages: 3 });
  expect(told.map(({ page }) => page)).toEqual(told.map(({ page }) => page).toSorted((a, b) => a - b));
});

test("pages of a file inside another are not those of the file", async () => {
  expect(await pagesTold(makeZip([{ name: "three.pdf", content: threePages }]), "all.zip")).toEqual([]);
});

test("what a process tells is believed only where it can be true", async () => {
  const told = await pagesTold(new TextEncoder().encode("%PDF-1.4"), "pages", {
    workerCommand: misbehaving,
    maxPages: 100,
  });
  expect(told).toEqual([
    { page: 2, pages: 9 },
    { page: 3, pages: 9 },
  ]);
});
