import { makeCompoundFile } from "../../tools/samples/compound-file.ts";
import { makeOutlookMessage } from "../../tools/samples/outlook-message.ts";
import { deflateBomb, docxParts, makeZip, type ZipPart } from "../../tools/samples/zip-file.ts";
import type { Format } from "./readers.ts";

export interface HostileSample {
  name: string;
  format: Format;
  make(): Uint8Array;
}

const encoder = new TextEncoder();
const mebibyte = 1_048_576;
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packaged = "http://schemas.openxmlformats.org/package/2006/relationships";

const bomb = (mebibytes: number, claimedSize: number): ZipPart["content"] => ({
  deflated: deflateBomb(mebibytes),
  claimedSize,
});

/** An archive whose directory says that one file is there many times. */
const overlapping = (copies: number): Uint8Array => {
  const zip = Buffer.from(makeZip([{ name: "0000.txt", content: "x".repeat(2 * mebibyte) }]));
  const directoryAt = zip.indexOf("PK\u0001\u0002");
  const endAt = zip.indexOf("PK\u0005\u0006");
  const entries = Array.from({ length: copies }, (_, index) => {
    const entry = Buffer.from(zip.subarray(directoryAt, endAt));
    entry.write(String(index).padStart(4, "0"), 46);
    return entry;
  });
  const end = Buffer.from(zip.subarray(endAt));
  end.writeUInt16LE(copies, 8);
  end.writeUInt16LE(copies, 10);
  end.writeUInt32LE(entries.length * (endAt - directoryAt), 12);
  return new Uint8Array(Buffer.concat([zip.subarray(0, directoryAt), ...entries, end]));
};

const zips: readonly HostileSample[] = [
  {
    name: "2 GB of zeros",
    format: "zip",
    make: () => makeZip([{ name: "a.txt", content: bomb(2_048, 2_048 * mebibyte) }]),
  },
  {
    name: "2 GB of zeros, said to be 1 kB",
    format: "zip",
    make: () => makeZip([{ name: "a.txt", content: bomb(2_048, 1_000) }]),
  },
  { name: "one file of 2 MB 5,000 times", format: "zip", make: () => overlapping(5_000) },
  {
    name: "60,000 empty files",
    format: "zip",
    make: () => makeZip(Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}`, content: "" }))),
  },
  {
    name: "cut off",
    format: "zip",
    make: () => makeZip([{ name: "a.txt", content: "x".repeat(9_000) }]).subarray(0, 60),
  },
  { name: "locked", format: "zip", make: () => makeZip([{ name: "a.txt", content: "x", flags: 1 }]) },
];

/** A compound file whose table of sectors leads every chain back to its start. */
const endlessChain = (): Uint8Array => {
  const file = Buffer.from(makeOutlookMessage({ properties: [{ id: 0x1000, value: "x".repeat(20_000) }] }));
  const fatAt = (file.readUInt32LE(76) + 1) * 512;
  for (let at = 0; at < 100; at += 4) file.writeUInt32LE(0, fatAt + at);
  return new Uint8Array(file);
};

/** A folder that is its own neighbor. */
const endlessFolder = (): Uint8Array => {
  const file = Buffer.from(makeCompoundFile({ "__properties_version1.0": new Uint8Array(32), a: encoder.encode("x") }));
  const directoryAt = (file.readUInt32LE(48) + 1) * 512;
  file.writeUInt32LE(1, directoryAt + 128 + 68);
  file.writeUInt32LE(1, directoryAt + 128 + 72);
  return new Uint8Array(file);
};

const messageInMessages = (depth: number): Uint8Array => {
  const body = { id: 0x1000, value: "words" };
  let message: Parameters<typeof makeOutlookMessage>[0] = { properties: [body] };
  for (let level = 0; level < depth; level++) message = { properties: [body], attachments: [message] };
  return makeOutlookMessage(message);
};

const messages: readonly HostileSample[] = [
  { name: "sectors in a circle", format: "msg", make: endlessChain },
  { name: "a folder beside itself", format: "msg", make: endlessFolder },
  { name: "200 messages in one another", format: "msg", make: () => messageInMessages(200) },
  { name: "cut off", format: "msg", make: () => messageInMessages(3).subarray(0, 3_000) },
];

const docx = (body: string | ZipPart["content"]): Uint8Array =>
  makeZip(
    docxParts(typeof body === "string" ? body : "").map((part) =>
      typeof body !== "string" && part.name === "word/document.xml" ? { ...part, content: body } : part,
    ),
  );

const documents: readonly HostileSample[] = [
  { name: "a part of 2 GB", format: "docx", make: () => docx(bomb(2_048, 2_048 * mebibyte)) },
  { name: "the same, said to be 1 kB", format: "docx", make: () => docx(bomb(2_048, 1_000)) },
  {
    name: "20,000 elements in one another",
    format: "docx",
    make: () => docx(`${"<w:sdt><w:sdtContent>".repeat(10_000)}<w:p/>${"</w:sdtContent></w:sdt>".repeat(10_000)}`),
  },
  {
    name: "1,000 tables in one another",
    format: "docx",
    make: () =>
      docx(
        `${"<w:tbl><w:tr><w:tc>".repeat(1_000)}<w:p><w:r><w:t>x</w:t></w:r></w:p>${"</w:tc></w:tr></w:tbl>".repeat(1_000)}`,
      ),
  },
  {
    name: "300,000 paragraphs",
    format: "docx",
    make: () => docx("<w:p><w:r><w:t>some words</w:t></w:r></w:p>".repeat(300_000)),
  },
  {
    name: "entities that multiply",
    format: "docx",
    make: () => {
      const entities = Array.from(
        { length: 12 },
        (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
      );
      const doctype = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${entities.join("")}]>`;
      return makeZip(
        docxParts("<w:p><w:r><w:t>&l12;</w:t></w:r></w:p>").map((part) =>
          part.name === "word/document.xml" ? { ...part, content: doctype + (part.content as string) } : part,
        ),
      );
    },
  },
  { name: "not closed", format: "docx", make: () => docx("<w:p><w:r><w:t>words") },
];

const sheet = (rows: string, more = ""): Uint8Array =>
  makeZip([
    { name: "[Content_Types].xml", content: "<Types/>" },
    {
      name: "_rels/.rels",
      content: `<Relationships xmlns="${packaged}"><Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${office}"><sheets><sheet name="A" sheetId="1" r:id="a"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships xmlns="${packaged}"><Relationship Id="a" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: "xl/worksheets/sheet1.xml",
      content: `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData>${more}</worksheet>`,
    },
  ]);

const openDocument = (kind: string, body: string): Uint8Array =>
  makeZip([
    { name: "mimetype", content: `application/vnd.oasis.opendocument.${kind}` },
    {
      name: "content.xml",
      content: `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body>${body}</office:body></office:document-content>`,
    },
  ]);

const cell = '<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>';

const tables: readonly HostileSample[] = [
  {
    name: "two cells at the ends of the sheet",
    format: "xlsx",
    make: () =>
      sheet(
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c><c r="XFD1048576"><v>2</v></c></row>',
      ),
  },
  {
    name: "a cell merged over the sheet",
    format: "xlsx",
    make: () =>
      sheet('<row r="1"><c r="A1"><v>1</v></c></row>', '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'),
  },
  {
    name: "a row repeated a million times",
    format: "ods",
    make: () =>
      openDocument(
        "spreadsheet",
        `<office:spreadsheet><table:table table:name="A"><table:table-row table:number-rows-repeated="1048576">${cell}</table:table-row></table:table></office:spreadsheet>`,
      ),
  },
  {
    name: "20,000 elements in one another",
    format: "odt",
    make: () =>
      openDocument(
        "text",
        `<office:text>${"<text:section>".repeat(20_000)}<text:p>x</text:p>${"</text:section>".repeat(20_000)}</office:text>`,
      ),
  },
  {
    name: "a span of a billion blanks",
    format: "odt",
    make: () => openDocument("text", `<office:text><text:p>a<text:s text:c="1000000000"/>b</text:p></office:text>`),
  },
];

const rich = (name: string, text: () => string): HostileSample => ({
  name,
  format: "rtf",
  make: () => encoder.encode(text()),
});

const richTexts: readonly HostileSample[] = [
  rich("500,000 groups in one another", () => `{\\rtf1 ${"{".repeat(500_000)}x${"}".repeat(500_000)}}`),
  rich("500,000 groups never closed", () => `{\\rtf1 ${"{\\b x".repeat(500_000)}`),
  rich("a million cells", () => `{\\rtf1 \\trowd\\pard\\intbl ${"a\\cell ".repeat(1_000_000)}\\row}`),
  rich("binary data said to be 2 GB", () => "{\\rtf1 a\\par {\\pict\\bin2147483647 x} b\\par}"),
  rich("cut off", () => "{\\rtf1\\ansi {\\b words and \\'e"),
];

export const hostileSamples = (): readonly HostileSample[] => [
  ...zips,
  ...messages,
  ...documents,
  ...tables,
  ...richTexts,
];
