/**
 * The cases of files that were read wrongly once, by kind, and real files, read here and by other tools:
 *
 *     npx bun bench/parse/compare.ts [PYTHON TOOL …] [-- FILE …]
 *
 * PYTHON is the interpreter of an environment with the tools, for example `python3 -m venv /tmp/tools` and
 * `/tmp/tools/bin/pip install pypdf pdfplumber pymupdf pymupdf4llm 'markitdown[all]'`. The TOOL `liteparse=FOLDER` is
 * LiteParse out of a folder in which `npm install @llamaindex/liteparse` has run. Without them, only the cases are
 * read; without files, those of test/fixtures/documents.
 *
 * "Table cells F1" is the mean over the files beside which somebody has published the cells of their tables (see
 * table-truths.ts); tabula-java's `src/test/resources/technology/tabula/icdar2013-dataset` has 67 of them.
 *
 * What a real file holds nobody has written down, so tools are judged by each other: a word, three words in a row or a
 * cell of a table counts as there where at least two of the other tools give it, or the only one that gives any. "Found" is the share of those that a
 * tool gives; for cells, F1 also counts what it alone gives.
 */
import { readdirSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { parseFile } from "../../src/parse/parse-file.ts";
import { casesFolder, faultsOf, readCase, readCases } from "../../tools/samples/file-cases.ts";
import { cellsF1, cellsIn, publishedCells } from "./table-truths.ts";

interface Reading {
  text: string;
  pages: number;
  cpuMs: number;
}

const [own, files = []] = [
  process.argv
    .slice(2)
    .join("\n")
    .split(/\n?--\n?/)[0]
    ?.split("\n")
    .filter(Boolean) ?? [],
  process.argv.includes("--") ? process.argv.slice(process.argv.indexOf("--") + 1) : undefined,
];
const [python, ...tools] = own;

const print = (...cells: (string | number)[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
const head = (...cells: string[]): void => {
  process.stdout.write("\n");
  print(...cells);
  print(...cells.map(() => "---"));
};

const readHere = async (path: string): Promise<Reading | null> => {
  const bytes = await Bun.file(path).bytes();
  const options = { maxUnpackedBytes: 268_435_456, maxPages: 5_000, maxTextLength: 1e9, ocr: null };
  const read = () => parseFile({ bytes, name: path, mimeType: null }, options);
  try {
    await read();
    const before = process.cpuUsage();
    const { text, pages } = await read();
    const { user, system } = process.cpuUsage(before);
    return { text, pages: Math.max(pages.length, 1), cpuMs: (user + system) / 1_000 };
  } catch {
    return null;
  }
};

/** All files with another tool, in one process; null for those that it cannot read. */
const readThere = async (tool: string, paths: readonly string[]): Promise<(Reading | null)[]> => {
  const [name, folder] = tool.split("=");
  const reader =
    folder === undefined
      ? [python ?? "python3", join(import.meta.dir, "other-tools.py"), tool]
      : [process.execPath, join(import.meta.dir, `${name}.ts`), folder];
  const child = Bun.spawn([...reader, ...paths], { stdout: "pipe", stderr: "ignore" });
  const lines = (await new Response(child.stdout).text()).split("\n").filter((line) => line.startsWith('{"text"'));
  return paths.map((_, index) => {
    const read = JSON.parse(lines[index] ?? '{"failure":"ended"}') as Reading & { failure?: string };
    return read.failure === undefined ? read : null;
  });
};

/** What of a text is counted: words without marks of Markdown, three words in a row, cells of pipe tables. */
const partsOf = (text: string) => {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const cells = cellsIn(text).map((cell) => cell.replace(/[*_\\\s]+|<br>/g, " ").trim());
  return {
    words,
    order: words.slice(2).map((word, index) => `${words[index]} ${words[index + 1]} ${word}`),
    cells: cells.filter((cell) => cell !== ""),
  };
};

const countsOf = (items: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
};

/** How often each item stands in at least two of the others; where only one gives any, in that one. */
const agreed = (readings: readonly Map<string, number>[]): Map<string, number> => {
  const others = readings.filter(({ size }) => size > 0);
  const [only] = others;
  if (only === undefined || others.length === 1) return only ?? new Map();
  const all = new Map<string, number>();
  for (const item of new Set(others.flatMap((counts) => [...counts.keys()]))) {
    const [, second = 0] = others.map((counts) => counts.get(item) ?? 0).sort((a, b) => b - a);
    if (second > 0) all.set(item, second);
  }
  return all;
};

const sum = (counts: ReadonlyMap<string, number>): number => counts.values().reduce((total, count) => total + count, 0);
const common = (a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number =>
  [...a].reduce((total, [item, count]) => total + Math.min(count, b.get(item) ?? 0), 0);
const mean = (values: readonly number[]): string =>
  values.length === 0
    ? ""
    : `${((100 * values.reduce((total, value) => total + value, 0)) / values.length).toFixed(1)}%`;
const percent = (part: number, whole: number): string => (whole === 0 ? "" : `${((100 * part) / whole).toFixed(1)}%`);

const cases = await readCases(casesFolder);
const held = new Map<string, number[]>();
const readers = ["carrel", ...tools.map((tool) => tool.split("=")[0] ?? tool)];
const there = await Promise.all(
  tools.map((tool) =>
    readThere(
      tool,
      cases.map(({ input }) => input),
    ),
  ),
);
for (const [index, one] of cases.entries()) {
  const kind = one.name.split("/")[0] ?? "";
  const counts = held.get(kind) ?? [0, ...readers.map(() => 0)];
  held.set(kind, counts);
  counts[0] = (counts[0] ?? 0) + 1;
  const outcomes = [
    await readCase(one),
    ...there.map((read) => ({
      status: read[index] ? 200 : 415,
      text: read[index]?.text ?? "",
      warnings: [],
      detail: "",
    })),
  ];
  for (const [at, outcome] of outcomes.entries())
    if (faultsOf(outcome, one.expected).length === 0) counts[at + 1] = (counts[at + 1] ?? 0) + 1;
}
head("kind of case", "cases", ...readers);
for (const [kind, counts] of held) print(kind, ...counts);
print(
  "all",
  ...[0, ...readers].map((_, at) => [...held.values()].reduce((total, counts) => total + (counts[at] ?? 0), 0)),
);

if (tools.length >= 2) {
  const folder = resolve(import.meta.dir, "../../test/fixtures/documents");
  const kinds = [".pdf", ".docx", ".pptx", ".xlsx", ".html", ".epub"];
  const usual = readdirSync(folder).filter((name) => kinds.includes(extname(name)));
  const paths = (files.length > 0 ? files : usual.map((name) => join(folder, name))).sort();
  const others = await Promise.all(tools.map((tool) => readThere(tool, paths)));
  interface Total {
    files: number;
    pages: number;
    cpuMs: number;
    words: [number, number];
    order: [number, number];
    cells: [number, number];
    published: number[];
  }
  const totals = new Map<string, Total>();
  for (const [index, path] of paths.entries()) {
    const readings = [await readHere(path), ...others.map((read) => read[index] ?? null)];
    const parts = readings.map((reading) => {
      const { words, order, cells } = partsOf(reading?.text ?? "");
      return { words: countsOf(words), order: countsOf(order), cells: countsOf(cells) };
    });
    for (const [at, reading] of readings.entries()) {
      // A tool that does not know the format is not judged by it.
      if (reading === null) continue;
      const key = `${extname(path)} | ${readers[at]}`;
      const total = totals.get(key) ?? {
        files: 0,
        pages: 0,
        cpuMs: 0,
        words: [0, 0],
        order: [0, 0],
        cells: [0, 0],
        published: [],
      };
      totals.set(key, total);
      total.files++;
      total.pages += reading.pages;
      total.cpuMs += reading.cpuMs;
      const published = publishedCells(path);
      if (published !== null) total.published.push(cellsF1(reading.text, published));
      for (const kind of ["words", "order", "cells"] as const) {
        const wanted = agreed(parts.flatMap((part, other) => (other === at ? [] : [part[kind]])));
        const found = parts[at]?.[kind] ?? new Map<string, number>();
        total[kind][0] += common(wanted, found) * (kind === "cells" ? 2 : 1);
        total[kind][1] += sum(wanted) + (kind === "cells" && sum(wanted) > 0 ? sum(found) : 0);
      }
    }
  }
  head("format", "tool", "files", "words found", "in order", "cells F1", "table cells F1", "CPU ms a page");
  for (const [key, { files: count, pages, cpuMs, words, order, cells, published }] of [...totals].sort(([a], [b]) =>
    a < b ? -1 : 1,
  ))
    print(
      key,
      count,
      percent(...words),
      percent(...order),
      percent(...cells),
      mean(published),
      (cpuMs / pages).toFixed(1),
    );
}
