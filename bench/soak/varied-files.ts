import { openZip } from "../../src/parse/containers/zip.ts";
import { lines, makePdf } from "../../tools/samples/pdf-file.ts";
import { makeZip } from "../../tools/samples/zip-file.ts";

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
  return office ?? new Uint8Array(Buffer.concat([bytes, encoder.encode(`\n<!-- ${marker} -->`)]));
};

/** A PDF of two pages that no other number gives. */
export const report = (number: number): Uint8Array => {
  const page = (of: number) =>
    lines(
      [`Report ${number}, page ${of}: the zq${number.toString(36)}x was inspected in`, "the northern hall."],
      50,
      700,
    );
  return makePdf([page(1), page(2)]);
};
