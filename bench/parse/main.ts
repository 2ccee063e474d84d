/**
 * Carrel's own readers against libraries, on the same files:
 *
 *     bun bench/parse/main.ts FOLDER [FORMAT …]
 *
 * FOLDER is where the libraries are installed (`npm install --ignore-scripts yauzl @zip.js/zip.js @kenjiuno/msgreader
 * mammoth officeparser`), outside the repository. Prints what each reader finds of what each file is known to hold, its
 * CPU time, what hostile files do to it, and its size. docs/decisions/formats.md holds such figures and what follows.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Findings, factKinds, findings } from "./facts.ts";
import { hostileSamples } from "./hostile-samples.ts";
import { type Format, formats, readers } from "./readers.ts";
import { type ReaderRun, runReader } from "./run-reader.ts";
import { samples } from "./samples.ts";
import { sizeOf } from "./size.ts";

const timesAgain = 5;
const limits = { timeoutMs: 60_000, maxMemoryBytes: 1_073_741_824 };

const [folderArgument, ...wanted] = process.argv.slice(2);
if (folderArgument === undefined) throw new Error("Say in which folder the libraries are installed.");
const folder = resolve(folderArgument);
const chosen = formats.filter((format) => wanted.length === 0 || wanted.includes(format));
const scratch = mkdtempSync(join(tmpdir(), "carrel-readers-"));

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const printRow = (...cells: (string | number)[]): void => print(`| ${cells.join(" | ")} |`);
const printHead = (...cells: string[]): void => {
  print("");
  printRow(...cells);
  printRow(...cells.map(() => "---"));
};

const readersOf = (format: Format): string[] =>
  Object.entries(readers).flatMap(([name, reader]) => (reader.formats.includes(format) ? [name] : []));

const run = (
  reader: string,
  { name, format, bytes }: { name: string; format: Format; bytes: Uint8Array },
  times: number,
) => {
  const path = join(scratch, `${Bun.hash(name).toString(16)}.${format}`);
  writeFileSync(path, bytes);
  return runReader({ reader, format, path, folder, times }, limits);
};

interface Total extends Pick<Findings, "found" | "expected"> {
  files: number;
  againMs: number;
}

const addTo = (totals: Map<string, Total>, key: string, { found, expected }: Findings, againMs: number): void => {
  const total = totals.get(key) ?? { files: 0, againMs: 0, found: {}, expected: {} };
  totals.set(key, total);
  total.files++;
  total.againMs += againMs;
  for (const kind of factKinds) {
    if (expected[kind] === undefined) continue;
    total.found[kind] = (total.found[kind] ?? 0) + (found[kind] ?? 0);
    total.expected[kind] = (total.expected[kind] ?? 0) + expected[kind];
  }
};

const score = ({ found, expected }: Pick<Findings, "found" | "expected">): string[] =>
  factKinds.map((kind) => (expected[kind] === undefined ? "" : `${found[kind] ?? 0}/${expected[kind]}`));

const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);

const outcome = ({ reading, ended }: ReaderRun): string => {
  if (reading === null) return `ended: ${ended}`;
  if (reading.failure !== null) return `refused: ${reading.failure.replace(/^\w*Error: /, "").replaceAll("|", "\\|")}`;
  return `read, ${findings(reading.renderings, []).characters} characters`;
};

try {
  print("## What is found");
  printHead("format", "file", "reader", "characters", "headings", "cells", ...factKinds, "CPU ms first", "again");
  const missed: string[] = [];
  const totals = new Map<string, Total>();
  for (const sample of samples().filter(({ format }) => chosen.includes(format))) {
    for (const reader of readersOf(sample.format)) {
      const result = await run(reader, sample, timesAgain);
      if (result.reading === null || result.reading.failure !== null) {
        printRow(sample.format, sample.name, reader, outcome(result));
        continue;
      }
      const { renderings, firstMs, againMs } = result.reading;
      const found = findings(renderings, sample.facts);
      addTo(totals, `${sample.format} | ${reader}`, found, againMs);
      const figures = [found.characters, found.headings, found.cells, ...score(found), ms(firstMs), ms(againMs)];
      printRow(sample.format, sample.name, reader, ...figures);
      for (const { kind, value } of found.missed) missed.push(`- ${sample.name}, ${reader}: ${kind} \`${value}\``);
    }
  }
  print("\n## By format");
  printHead("format", "reader", "files", ...factKinds, "CPU ms again");
  for (const [key, total] of totals) printRow(key, total.files, ...score(total), ms(total.againMs));
  print("\n### Missed\n");
  for (const line of missed) print(line);

  print("\n## Hostile files");
  printHead("format", "file", "reader", "outcome", "seconds", "peak MiB");
  for (const sample of hostileSamples().filter(({ format }) => chosen.includes(format))) {
    for (const reader of readersOf(sample.format)) {
      const result = await run(reader, { ...sample, bytes: sample.make() }, 0);
      const figures = [(result.wallMs / 1_000).toFixed(1), Math.round(result.peakBytes / 1_048_576)];
      printRow(sample.format, sample.name, reader, outcome(result), ...figures);
    }
  }

  print("\n## Size");
  printHead("reader", "packages with what they need", "KiB installed", "KiB bundled and minified");
  for (const [name, reader] of Object.entries(readers)) {
    const { packages, installedBytes, bundledBytes } = await sizeOf(reader.packages, folder);
    printRow(name, packages.length, Math.round(installedBytes / 1_024), Math.round(bundledBytes / 1_024));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
