import { lines, makePdf, pdfOf, stream } from "../../tools/samples/pdf-file.ts";
import { deflateBomb, docxParts, makeZip } from "../../tools/samples/zip-file.ts";

export interface HostileFile {
  what: string;
  name: string;
  make(): Uint8Array;
  /** It is refused at once where no OCR is. */
  needsOcr?: boolean;
  /** What is in it may be read; it must only take nobody else's time. */
  mayBeRead?: boolean;
}

const encoder = new TextEncoder();

/** A zip of zips, three in each, six levels deep, with 300 MB of nothing at the bottom. */
const zipOfZips = (): Uint8Array => {
  let archive = makeZip([{ name: "bomb.txt", content: { deflated: deflateBomb(300), claimedSize: 10 } }]);
  for (let level = 0; level < 6; level++) {
    const inner = archive;
    archive = makeZip(Array.from({ length: 3 }, (_, index) => ({ name: `${level}-${index}.zip`, content: inner })));
  }
  return archive;
};

const billionLaughs = (): Uint8Array => {
  const entities = Array.from({ length: 12 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);
  return encoder.encode(`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${entities.join("")}]><x>&l12;</x>`);
};

const manyPages = (): Uint8Array =>
  makePdf(
    Array.from({ length: 10_000 }, (_, page) =>
      lines([`Page ${page} tells of pump ${page % 1_000}.`, "It was inspected in the northern hall."], 50, 700),
    ),
  );

/** Each form draws the next ten times, twelve levels deep: a page that is never done. */
const endlessPage = (): Uint8Array => {
  const levels = 12;
  const first = 6;
  const font = "/Font << /F1 3 0 R >>";
  const forms = Array.from({ length: levels }, (_, level) =>
    level === levels - 1
      ? stream(`/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${font} >>`, "BT /F1 9 Tf (ha) Tj ET")
      : stream(
          `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X ${first + level + 1} 0 R >> >>`,
          "/X Do ".repeat(10),
        ),
  );
  return pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /XObject << /X ${first} 0 R >> >> >>`,
    stream("", "/X Do"),
    ...forms,
  ]);
};

/** A tree of pages whose branch holds itself, said to have a billion of them. */
const endlessTree = (): Uint8Array =>
  pdfOf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Count 1000000000 /Kids [3 0 R] >>",
    "<< /Type /Pages /Parent 3 0 R /Count 1000000000 /Kids [3 0 R 2 0 R] >>",
  ]);

const largePart = (claimedSize: number) => (): Uint8Array =>
  makeZip(
    docxParts("").map((part) =>
      part.name === "word/document.xml" ? { ...part, content: { deflated: deflateBomb(2_048), claimedSize } } : part,
    ),
  );

const table = (rows: number, columns: number): string =>
  `${Array.from({ length: columns }, () => "a").join(",")}\n${"b\n".repeat(rows)}`;

const text = (what: string, name: string, content: () => string): HostileFile => ({
  what,
  name,
  make: () => encoder.encode(content()),
  mayBeRead: true,
});

/** Texts and tables that cost more than they are long. */
const texts: readonly HostileFile[] = [
  {
    what: "a CSV of 32 KiB and 67 million cells",
    name: "cells.csv",
    make: () => encoder.encode(table(8_192, 8_192)),
  },
  {
    what: "an HTML table of spans",
    name: "spans.html",
    make: () => encoder.encode(`<table>${"<tr><td colspan=1000>a<td>b".repeat(50_000)}`),
  },
  text("60 comments", "comments.txt", () => `${"<!---->".repeat(60)}x`),
  text(
    "an XML file with 30 comments",
    "comments.xml",
    () => `<?xml version="1.0"?>${"<!-- a -->\n".repeat(30)}<a>x</a>`,
  ),
  text("200,000 blanks", "blanks.txt", () => `a${" ".repeat(200_000)}x`),
  text("a heading of 19,000 blanks", "blanks.md", () => `# a${" ".repeat(19_000)}x`),
  text("200,000 opened links", "links.md", () => "[".repeat(200_000)),
  text("200,000 marks on one letter", "marks.txt", () => `a${"\u0301\u0316".repeat(100_000)}`),
  text("a megabyte of elements that never close", "open.html", () => "<a>".repeat(150_000) + "</b>".repeat(150_000)),
  text("a mail of header lines", "headers.eml", () => "A:\n b\n".repeat(200_000)),
];

/** What is sent to do harm. */
export const hostileFiles: readonly HostileFile[] = [
  { what: "a zip bomb", name: "bomb.zip", make: zipOfZips },
  { what: "a billion-laughs XML", name: "laughs.xml", make: billionLaughs },
  { what: "a 10,000-page PDF", name: "pages.pdf", make: manyPages },
  { what: "a PDF with an endless loop", name: "endless.pdf", make: endlessPage },
  { what: "a PDF whose pages hold themselves", name: "tree.pdf", make: endlessTree },
  { what: "a docx with a 2 GB part", name: "large.docx", make: largePart(2_048 * 1_048_576) },
  { what: "the same, lying about its size", name: "liar.docx", make: largePart(1_000) },
  ...texts,
];
