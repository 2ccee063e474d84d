/** Blocks side by side on a page, heads above drawn tables, titles, and pages of very many texts. */
import { expect, test } from "bun:test";
import { besideOneAnother } from "../../src/parse/formats/pdf/beside.ts";
import { pageRegions } from "../../src/parse/formats/pdf/layout.ts";
import type { TextRun } from "../../src/parse/formats/pdf/page-text.ts";
import { readLines } from "../../src/parse/formats/pdf/paragraphs.ts";
import { buildRows } from "../../src/parse/formats/pdf/rows.ts";
import { withRuledTables } from "../../src/parse/formats/pdf/ruled-tables.ts";
import { buildSegments, type Segment } from "../../src/parse/formats/pdf/segments.ts";
import { regionParts } from "../../src/parse/formats/pdf/tables.ts";
import { threadCpuMs } from "../thread-cpu.ts";

const at = (text: string, x0: number, y: number, size = 10, font = "a"): Segment => ({
  text,
  x0,
  x1: x0 + text.length * size * 0.5,
  y,
  size,
  font,
});
const textsOf = (regions: readonly (readonly Segment[])[]) => regions.map((region) => region.map(({ text }) => text));

test("a large heading beside a line of the other column does not raise its words", () => {
  const run = (text: string, x: number, y: number, size: number): TextRun => ({
    text,
    x,
    y,
    size,
    width: text.length * size * 0.5,
    font: "a",
    blank: "none",
  });
  expect(buildSegments([run("safe", 50, 100, 10), run("References", 80, 103, 14)]).map(({ text }) => text)).toEqual([
    "safe",
    "References",
  ]);
  expect(buildSegments([run("10", 50, 100, 10), run("6", 60, 96, 7)]).map(({ text }) => text)).toEqual(["10⁶"]);
});

test("a line drawn from above to below parts two columns, however short their lines are", () => {
  const page = [
    at("How lock gates work", 50, 40, 18),
    at("Each of the gates is eleven metres high.", 50, 80),
    at("They are made of oak, and last long.", 50, 92),
    at("Related", 320, 76),
    at("Canals", 320, 89),
    at("Licences", 320, 101),
    at("Opening hours", 320, 113),
  ];
  const line = { x0: 300, x1: 301, y0: 60, y1: 400 };
  const columns = [
    ["How lock gates work"],
    ["Each of the gates is eleven metres high.", "They are made of oak, and last long."],
    ["Related", "Canals", "Licences", "Opening hours"],
  ];
  expect(textsOf(pageRegions(page, 800, false, [line]))).toEqual(columns);
  // Lines of a table meet others.
  const across = { x0: 50, x1: 400, y0: 60, y1: 61 };
  expect(textsOf(pageRegions(page, 800, false, [line, across]))).not.toEqual(columns);
});

test("an address and a block of numbers beside it are two blocks, rows of names and values are not", () => {
  const letter = [
    ...["Frau", "Mara Huber", "Innstr. 4", "94032 Passau"].map((text, index) => at(text, 50, 100 + index * 13.6, 10.5)),
    ...["File: 63-417", "Clerk: Mr Lenz", "Room: 214", "Telephone: 396", "Date: 6 May"].map((text, index) =>
      at(text, 330, 100 + index * 12.1, 9),
    ),
    at("Dear Mrs Huber, your application of March is complete, and we decide on it in June.", 50, 240),
  ];
  expect(textsOf(pageRegions(letter, 800))).toEqual([
    ["Frau", "Mara Huber", "Innstr. 4", "94032 Passau"],
    ["File: 63-417", "Clerk: Mr Lenz", "Room: 214", "Telephone: 396", "Date: 6 May"],
    ["Dear Mrs Huber, your application of March is complete, and we decide on it in June."],
  ]);
  // Values that all stand as much lower than their names are of rows.
  const rows = ["Height", "Weight", "Colour", "Maker"].flatMap((text, index) => [
    at(text, 50, 100 + index * 14),
    at(`value ${index}`, 200, 103 + index * 14),
  ]);
  expect(pageRegions(rows, 800)).toHaveLength(1);
});

test("a list of points beside a list of numbers, below their names", () => {
  const rows = [
    ["Ingredients", "Steps"],
    ["• flour", "1. Mix all and knead it."],
    ["• water", "2. Roll it out to 2 mm."],
    ["• butter", "3. Bake it well."],
  ].flatMap(([left = "", right = ""], index) => [at(left, 50, 100 + index * 14), at(right, 200, 100 + index * 14)]);
  const columns = besideOneAnother(buildRows(rows));
  expect(columns?.map(([first]) => first?.text)).toEqual(["Ingredients", "Steps"]);
});

test("columns of text with a table in one of them, and the number of the page below both", () => {
  const sentences = [
    "Ice slows turbines in winter, and owners lose",
    "a tenth of the yield. Sensors see it late. We",
    "heat the leading edge instead, and measure it",
    "over one season at two sites in the north. In",
    "April the heaters are taken down and stored.",
  ];
  const page = [
    ...sentences.map((text, index) => at(text, 50, 100 + index * 11)),
    ...sentences.slice(0, 3).map((text, index) => at(text, 300, 100 + index * 11)),
    ...[
      ["Site", "Plain", "Heated"],
      ["Suorva", "811", "874"],
      ["Storliden", "640", "677"],
    ].flatMap((cells, index) => cells.map((text, column) => at(text, 330 + column * 60, 160 + index * 11))),
    at("1", 285, 600),
  ];
  expect(textsOf(pageRegions(page, 800)).map((region) => region[0])).toEqual([sentences[0], sentences[0], "1"]);
});

test("names above the lines of a table are its head, with those of groups; a title is not", () => {
  const [top, pitch] = [100, 20];
  const lines = [0, 1, 2].map((row) => ({ x0: 50, x1: 350, y0: top + row * pitch, y1: top + row * pitch + 0.5 }));
  const uprights = [50, 150, 250, 350].map((x) => ({ x0: x, x1: x + 0.5, y0: top, y1: top + 2 * pitch }));
  const body = [
    ["Ash", "9:10", "9:40"],
    ["Elm", "9:12", "9:44"],
  ].flatMap((cells, row) =>
    cells.map((text, column) => at(text, 55 + column * 100, top + row * pitch + 14, 10, "plain")),
  );
  const read = (head: readonly Segment[]) =>
    withRuledTables([...head, ...body], [...lines, ...uprights], new Set()).flatMap(({ table }) => table ?? []);
  expect(read(["Runner", "5 km", "8 km"].map((text, column) => at(text, 55 + column * 100, 94, 10, "bold")))).toEqual([
    ["Runner", "5 km", "8 km"],
    ["Ash", "9:10", "9:40"],
    ["Elm", "9:12", "9:44"],
  ]);
  expect(read([at("Results of the race in May and of that in June", 55, 94, 10, "bold")])).toEqual([
    ["Ash", "9:10", "9:40"],
    ["Elm", "9:12", "9:44"],
  ]);
});

test("an author and a date in the middle below the title head nothing", () => {
  const style = {
    bodySize: 10,
    bodyFont: "a",
    headingSizes: [18, 14, 12],
    outline: new Map(),
    words: new Set<string>(),
  };
  const page = [
    at("Eels in Canals", 180, 50, 18),
    at("Maria Quist", 215, 80, 12),
    at("May 2027", 220, 100, 12),
    at("Aim", 50, 140, 14),
    at("We count eels at twelve weirs of the old canal in the summer, and look where they rest.", 50, 160),
  ];
  expect(readLines(buildRows(page), style).map(({ kind }) => kind)).toEqual([
    "heading",
    "paragraph",
    "paragraph",
    "heading",
    "paragraph",
  ]);
});

test("a page of 28,000 texts all over the place is read in linear time", () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const texts = Array.from({ length: 28_000 }, () =>
    at(String(Math.floor(random() * 900)), random() * 1_980, random() * 2_790, 4),
  );
  const before = threadCpuMs();
  regionParts(texts, (one, next) => `${one} ${next}`);
  expect(threadCpuMs() - before).toBeLessThan(5_000);
});
