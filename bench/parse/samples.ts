import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { readableDocuments } from "../../tools/samples/expected-documents.ts";
import { type Fact, factsOfLines } from "./facts.ts";
import { madeSamples } from "./made-samples.ts";
import { type Format, formats } from "./readers.ts";
import type { Sample } from "./sample.ts";

const fixtures = join(import.meta.dir, "../../test/fixtures");
const formatOf = (name: string): Format | undefined => formats.find((format) => extname(name) === `.${format}`);

/** One handbook in the formats that people keep such things in: the same facts in each. */
const handbook: readonly Fact[] = [
  ...factsOfLines([
    "| Season | Opens | Closes | Boats |",
    "| May–June | 09:00 | 18:00 | 12 |",
    "| July–August | 08:00 | 21:00 | 24 |",
    "| September | 09:30 | 17:30 | 12 |",
    "| October | 10:00 | 16:00 | 6 |",
    "# Boathouse handbook",
    "sign the list at the desk",
    "adults: the blue ones",
    "Sign the list again.",
    "not against being left on the island overnight.",
    "New Year's Day excepted, when the boathouse stays closed.",
  ]),
];
/** Slides have titles in place of headings, and no notes. */
const handbookHeadings: readonly Fact[] = [
  ...factsOfLines(["## Opening hours", "## Taking a boat", "### Prices", "### Damage", "## When the weather turns"]),
  { kind: "note", value: "two hours later." },
];

/** The files of an archive as its own directory records them: name, size, checksum. Only for names in ASCII. */
const recordedFiles = (bytes: Buffer): Fact[] => {
  const facts: Fact[] = [];
  for (let at = bytes.indexOf("PK\u0001\u0002"); at >= 0; at = bytes.indexOf("PK\u0001\u0002", at + 46)) {
    const name = bytes.subarray(at + 46, at + 46 + bytes.readUInt16LE(at + 28)).toString();
    const value = `| ${name} | ${bytes.readUInt32LE(at + 24)} | ${bytes.readUInt32LE(at + 16)} |`;
    if (!name.endsWith("/")) facts.push({ kind: "row", value });
  }
  return facts;
};

/** The files that readers are held against: real ones, the handbook, and some made for what those lack. */
export const samples = (): Sample[] => {
  const documents = Object.entries(readableDocuments).flatMap(([name, { holds }]): Sample[] => {
    const format = formatOf(name);
    if (format === undefined || format === "zip") return [];
    return [{ name, format, bytes: readFileSync(join(fixtures, "documents", name)), facts: factsOfLines(holds) }];
  });
  const handbooks = readdirSync(join(fixtures, "same-content")).flatMap((name): Sample[] => {
    const format = formatOf(name);
    if (format === undefined) return [];
    const facts = format === "pptx" || format === "odp" ? handbook : [...handbook, ...handbookHeadings];
    return [{ name, format, bytes: readFileSync(join(fixtures, "same-content", name)), facts }];
  });
  const archives = ["simple.zip", "winter-sports.epub", "2023-half-year-analyses-by-segment.xlsx"].map(
    (name): Sample => {
      const bytes = readFileSync(join(fixtures, "documents", name));
      return { name, format: "zip", bytes, facts: recordedFiles(bytes) };
    },
  );
  return [...archives, ...documents, ...handbooks, ...madeSamples()].sort(
    (a, b) => formats.indexOf(a.format) - formats.indexOf(b.format),
  );
};
