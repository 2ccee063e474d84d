import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openZip } from "../../src/parse/containers/zip.ts";
import { lines, makePdf } from "../../tools/samples/pdf-file.ts";
import { makeZip } from "../../tools/samples/zip-file.ts";

const folder = join(import.meta.dir, "../../test/fixtures/documents");
/** The largest would be all that is measured. */
const maxFileBytes = 280_000;

/** One file of a mixed heap, unlike every other one of it. */
export interface MixedFile {
  name: string;
  bytes: Uint8Array;
}

const markerOf = (number: number): string => `zq${number.toString(36).padStart(4, "0")}x`;

/** Part of an office file, and the tag before whose first occurrence's text the marker goes. */
const officeParts: Record<string, { part: RegExp; into: RegExp }> = {
  docx: { part: /^word\/document\.xml$/, into: /<w:t(?: [^>]*)?>/ },
  pptx: { part: /^ppt\/slides\/slide1\.xml$/, into: /<a:t>/ },
  xlsx: { part: /^xl\/sharedStrings\.xml$/, into: /<t(?: [^>]*)?>/ },
  odt: { part: /^content\.xml$/, into: /<text:p(?: [^>]*[^>/])?>/ },
};

/** What the marker goes after, where it cannot go to the end. */
const textPlaces: Record<string, RegExp> = { eml: /^Subject: /m, html: /<p[^>]*>/i, json: /"text": "/ };
const plainEndings = new Set(["txt", "md", "rst", "org", "csv", "tsv", "yaml"]);
const encoder = new TextEncoder();
const endingOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";

const withMarkerInOffice = (bytes: Uint8Array, ending: string, marker: string): Uint8Array | null => {
  const place = officeParts[ending];
  if (place === undefined) return null;
  const zip = openZip(bytes, { remainingBytes: 50_000_000 });
  let isPut = false;
  const parts = zip.names.map((name) => {
    const content = zip.read(name) ?? new Uint8Array();
    if (!place.part.test(name)) return { name, content };
    const text = new TextDecoder().decode(content);
    const marked = text.replace(place.into, (tag) => `${tag}${marker} `);
    isPut = marked !== text;
    return { name, content: marked };
  });
  return isPut ? makeZip(parts) : null;
};

const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** The fixture with the marker in its text where its format lets that be done, else with bytes of its own at the end. */
export const vary = (name: string, bytes: Uint8Array, marker: string): Uint8Array => {
  const ending = endingOf(name);
  const text = Buffer.from(bytes).toString("utf8");
  const isText = !text.includes("\ufffd") && text.trim() !== "";
  const place = textPlaces[ending];
  if (isText && plainEndings.has(ending)) return encoder.encode(`${text}\n${marker}\n`);
  if (isText && place?.test(text)) return encoder.encode(text.replace(place, (before) => `${before}${marker} `));
  const isWhole = bytes.length > 0 && !/malformed|password|empty/.test(name);
  const office = isWhole ? withMarkerInOffice(bytes, ending, marker) : null;
  return office ?? joined(bytes, encoder.encode(`\n<!-- ${marker} -->`));
};

/** Files that no reader can make sense of: cut off, noise under an office file's name, nothing at all. */
const broken = (number: number, whole: Uint8Array): [name: string, bytes: Uint8Array] => {
  const noise = new Uint8Array(createNoise(number, 3_000));
  const made: [string, Uint8Array][] = [
    ["cut.docx", joined(whole.subarray(0, Math.floor(whole.length / 2)), encoder.encode(markerOf(number)))],
    ["noise.bin", noise],
    ["noise.pdf", joined(encoder.encode("%PDF-1.7\n"), noise)],
    ["blank.txt", encoder.encode(" \n".repeat(number + 1))],
  ];
  return made[Math.floor(number / 10) % made.length] as [string, Uint8Array];
};

/** Bytes of a linear congruential generator (Numerical Recipes, 7.1): the same ones in every run. */
const createNoise = (seed: number, length: number): number[] => {
  let state = seed + 1;
  return Array.from({ length }, () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state >>> 24;
  });
};

/** A PDF of two pages that no other number gives. */
export const report = (number: number): Uint8Array => {
  const page = (of: number) =>
    lines([`Report ${number}, page ${of}: the ${markerOf(number)} was inspected in`, "the northern hall."], 50, 700);
  return makePdf([page(1), page(2)]);
};

/** So many files of all formats, broken ones among them: the fixtures in turn, each varied so that no two are equal. */
export const mixedFiles = (count: number): MixedFile[] => {
  const names = readdirSync(folder).filter((name) => name !== "LICENSE.txt" && name !== "NOTICE.txt");
  const fixtures = names
    .map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }))
    .filter(({ bytes }) => bytes.length <= maxFileBytes);
  const whole = fixtures.find(({ name }) => name === "handbook-1p.docx")?.bytes ?? new Uint8Array(100);
  return Array.from({ length: count }, (_, number) => {
    if (number % 10 === 3) return { name: `${number}-report.pdf`, bytes: report(number) };
    const fixture = fixtures[number % fixtures.length] as (typeof fixtures)[number];
    const [name, bytes] =
      number % 10 === 7 ? broken(number, whole) : [fixture.name, vary(fixture.name, fixture.bytes, markerOf(number))];
    return { name: `${number}-${name}`, bytes };
  });
};
