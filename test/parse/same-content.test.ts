/** One handbook in the formats that people keep such things in, written by two programs: it reads the same from each. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { distance } from "fastest-levenshtein";
import { parseBytes } from "./test-parser.ts";

const folder = resolve(import.meta.dir, "../fixtures/same-content");
const names = readdirSync(folder).filter((name) => name.startsWith("boathouse"));
const textOf = async (name: string) =>
  (await parseBytes(await Bun.file(resolve(folder, name)).bytes(), { name, mimeType: "" })).text;
const texts = new Map(await Promise.all(names.map(async (name) => [name, await textOf(name)] as const)));

/** What a reader reads: without marks, addresses of links and the lines that part a table's head. */
const words = (text: string): string =>
  text
    .replace(/\]\([^)]*\)/g, "]")
    .replace(/[*_`\\>#|[\]^-]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
const likeness = (a: string, b: string): number => 1 - distance(a, b) / Math.max(a.length, b.length);

const list = [
  "- sign the list at the desk",
  "- choose a life jacket",
  "  - children: the orange ones",
  "  - adults: the blue ones",
  "- leave your mobile number",
];
const steps = ["1. Moor the boat on the north side.", "2. Bring the oars to the rack.", "3. Sign the list again."];
const table = [
  "| Season | Opens | Closes | Boats |",
  "| --- | --- | --- | --- |",
  "| May–June | 09:00 | 18:00 | 12 |",
  "| July–August | 08:00 | 21:00 | 24 |",
  "| September | 09:30 | 17:30 | 12 |",
  "| October | 10:00 | 16:00 | 6 |",
];
const isText = (name: string) => /\.(txt|md)$/.test(name);
const isSlides = (name: string) => /\.(pptx|odp)$/.test(name);

test("there are files of eleven formats", () => {
  expect(new Set(names.map((name) => name.split(".").at(-1))).size).toBe(11);
});

test.each(names)("%s has the same words in the same order", (name) => {
  const text = words(texts.get(name) as string);
  // A mail begins with who wrote it to whom; a printed page has its footnotes at its foot.
  const least = /\.(pdf|eml)$/.test(name) ? 0.88 : 0.98;
  for (const other of names) {
    if (/\.(pdf|eml)$/.test(other)) continue;
    expect([other, likeness(text, words(texts.get(other) as string)) >= least]).toEqual([other, true]);
  }
});

test.each(names.filter((name) => !isText(name)))("%s has the same lists and table", (name) => {
  const text = texts.get(name) as string;
  for (const lines of [list, steps, table]) expect(text).toContain(lines.join("\n"));
});

test.each(names.filter((name) => !isText(name) && !isSlides(name)))("%s has the same headings", (name) => {
  const headings = (texts.get(name) as string).split("\n").filter((line) => line.startsWith("#"));
  // A mail's parts stand under its subject, a book's text under its title.
  expect(headings.slice(-6)).toEqual([
    "# Boathouse handbook",
    "## Opening hours",
    "## Taking a boat",
    "### Prices",
    "### Damage",
    "## When the weather turns",
  ]);
});

test.each(names.filter((name) => !name.endsWith(".txt")))("%s has the same links", (name) => {
  expect(texts.get(name)).toContain("[boathouse.example/help](https://boathouse.example/help)");
  expect(texts.get(name)).toContain("[club's rules](https://boathouse.example/rules)");
});

test.each(names.filter((name) => !isSlides(name) && !/\.(txt|pdf)$/.test(name)))("%s has the same note", (name) => {
  const text = texts.get(name) as string;
  expect(text).toContain("two hours later.[^1] Guests");
  expect(text).toContain("[^1]: New Year's Day excepted, when the boathouse stays closed.");
});
