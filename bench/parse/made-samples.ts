import iconv from "iconv-lite";
import { makeOutlookMessage, type SampleMessage, type SampleProperty } from "../../tools/samples/outlook-message.ts";
import { docxParts, makeZip, type ZipPart } from "../../tools/samples/zip-file.ts";
import { type Fact, factsOfLines } from "./facts.ts";
import type { Sample } from "./sample.ts";

const encoder = new TextEncoder();
const dates = (...values: string[]): Fact[] => values.map((value) => ({ kind: "date", value }));
const leftOut = (...values: string[]): Fact[] => values.map((value) => ({ kind: "left out", value }));
const texts = (...values: string[]): Fact[] => values.map((value) => ({ kind: "text", value }));

/** Files whose facts the fixtures lack: code pages, dates, changes, hidden text, notes of two kinds. */
export const madeSamples = (): Sample[] => [
  namesOfZip(),
  manyFiles(),
  ...messages(),
  changedDocument(),
  datedWorkbook(),
  datedSpreadsheet(),
  richText(),
];

const row = (name: Uint8Array | string, shown: string, content: string): { part: ZipPart; fact: Fact } => {
  const bytes = encoder.encode(content);
  return {
    part: { name, content },
    fact: { kind: "row", value: `| ${shown} | ${bytes.length} | ${Bun.hash.crc32(bytes)} |` },
  };
};

const namesOfZip = (): Sample => {
  const cp437 = (name: string) => row(iconv.encode(name, "cp437"), name, name);
  const rows = [
    row("Żółć.txt", "Żółć.txt", "flagged"),
    row(encoder.encode("東京.txt"), "東京.txt", "not flagged"),
    row(encoder.encode("Übersicht.txt"), "Übersicht.txt", "not flagged either"),
    ...["Bericht für März.txt", "señal ½.txt", "plain.txt"].map(cp437),
  ];
  return {
    name: "names: UTF-8 with and without flag, CP437",
    format: "zip",
    bytes: makeZip(rows.map(({ part }) => part)),
    facts: rows.map(({ fact }) => fact),
  };
};

const manyFiles = (): Sample => {
  const rows = Array.from({ length: 3_000 }, (_, index) =>
    row(`${index}.txt`, `${index}.txt`, `${index} `.repeat(500)),
  );
  return {
    name: "3,000 small files",
    format: "zip",
    bytes: makeZip(rows.map(({ part }) => part)),
    facts: rows.filter((_, index) => index % 500 === 0).map(({ fact }) => fact),
  };
};

/** Ids of properties (MS-OXPROPS). */
const id = {
  subject: 0x0037,
  sent: 0x0039,
  sender: 0x0c1a,
  address: 0x0c1f,
  to: 0x0e04,
  body: 0x1000,
  html: 0x1013,
  data: 0x3701,
  fileName: 0x3707,
  codePage: 0x3ffd,
  internetCodePage: 0x3fde,
};

const messages = (): Sample[] => {
  const message = (codePage: number, charset: string, subject: string, more: Partial<SampleMessage> = {}) => {
    const text = (value: string) => ({ ansi: new Uint8Array(iconv.encode(value, charset)) });
    const properties: SampleProperty[] = [
      { id: id.codePage, value: codePage },
      { id: id.subject, value: text(subject) },
      { id: id.sender, value: text("Ann") },
      { id: id.address, value: text("ann@x.example") },
      { id: id.to, value: text("Bob") },
      { id: id.sent, value: new Date("2024-02-29T10:30:00Z") },
      ...(more.properties ?? [{ id: id.body, value: text(`${subject}, ${subject}.`) }]),
    ];
    return { ...more, properties };
  };
  const known = (subject: string): Fact[] => [
    ...factsOfLines([`# ${subject}`, "From: Ann <ann@x.example>"]),
    ...dates("2024-02-29T10:30:00"),
  ];
  const sample = (name: string, made: SampleMessage, facts: readonly Fact[]): Sample => ({
    name,
    format: "msg",
    bytes: makeOutlookMessage(made),
    facts,
  });
  const html = [
    { id: id.internetCodePage, value: 20866 },
    { id: id.html, value: new Uint8Array(iconv.encode("<table><tr><th>a<th>b<tr><td>Да<td>2</table>", "koi8-r")) },
  ];
  const attachment = [
    { id: id.fileName, value: { ansi: new Uint8Array(iconv.encode("Отчёт.txt", "cp1251")) } },
    { id: id.data, value: encoder.encode("attached words") },
  ];
  const inner = message(1253, "cp1253", "Νέα");
  return [
    sample("ANSI, code page 1251", message(1251, "cp1251", "Да"), [...known("Да"), ...texts("Да, Да.")]),
    sample("ANSI, code page 932", message(932, "cp932", "会議"), [...known("会議"), ...texts("会議, 会議.")]),
    sample("ANSI, code page 28592", message(28592, "iso-8859-2", "Łódź"), [...known("Łódź"), ...texts("Łódź, Łódź.")]),
    sample("HTML in KOI8-R", message(1251, "cp1251", "Да", { properties: html }), [
      ...known("Да"),
      ...factsOfLines(["| Да | 2 |"]),
    ]),
    sample("an attachment, a message inside", message(1251, "cp1251", "Да", { attachments: [attachment, inner] }), [
      ...known("Да"),
      ...texts("Отчёт.txt", "attached words", "Νέα, Νέα."),
    ]),
  ];
};

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const p = (text: string, properties = "") => `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const relation = (name: string, target: string) =>
  `<Relationship Id="${name}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}" Target="${target}"/>`;

const changedDocument = (): Sample => {
  const notes = (kind: string, text: string): ZipPart => ({
    name: `word/${kind}s.xml`,
    content: `<w:${kind}s ${word}><w:${kind} w:id="7">${p(text)}</w:${kind}></w:${kind}s>`,
  });
  const numbered = (text: string, level: number) =>
    p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`);
  const styles = `<w:styles ${word}><w:style w:type="paragraph" w:styleId="b1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="own"><w:name w:val="Ours"/><w:basedOn w:val="b2"/></w:style><w:style w:type="paragraph" w:styleId="b2"><w:name w:val="heading 2"/></w:style></w:styles>`;
  const numbering = `<w:numbering ${word}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
  const reference = (kind: string) => `<w:r><w:t>${kind} here</w:t></w:r><w:r><w:${kind}Reference w:id="7"/></w:r>`;
  const cell = (text: string, properties = "") => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`;
  const body = [
    p("Opening hours", '<w:pStyle w:val="b1"/>'),
    `<w:p><w:r><w:t>Kept.</w:t></w:r><w:del w:id="1"><w:r><w:delText>Deleted words.</w:delText></w:r></w:del><w:ins w:id="2"><w:r><w:t> Inserted words.</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>Hidden words.</w:t></w:r></w:p>`,
    p("Details", '<w:pStyle w:val="own"/>'),
    `<w:p>${reference("footnote")}</w:p><w:p>${reference("endnote")}</w:p>`,
    numbered("first", 0),
    numbered("inner", 1),
    `<w:tbl><w:tblGrid/><w:tr>${cell("Day")}${cell("Hours")}</w:tr><w:tr>${cell("Mon", '<w:vMerge w:val="restart"/>')}${cell("9-12")}</w:tr><w:tr>${cell("", "<w:vMerge/>")}${cell("13-17")}</w:tr></w:tbl>`,
  ].join("");
  const relations = ["footnotes", "endnotes", "styles", "numbering"]
    .map((name) => relation(name, `${name}.xml`))
    .join("");
  const more = [
    notes("footnote", "Said below."),
    notes("endnote", "Said behind."),
    { name: "word/styles.xml", content: styles },
    { name: "word/numbering.xml", content: numbering },
  ];
  return {
    name: "changes, hidden text, notes, own styles",
    format: "docx",
    bytes: makeZip(withTypes(docxParts(body, more, relations))),
    facts: [
      ...factsOfLines(["# Opening hours", "## Details", "| Mon | 9-12 |", "| Mon | 13-17 |"]),
      ...texts("Kept. Inserted words.", "Said below.", "Said behind.", "1.1 inner"),
      { kind: "note", value: "footnote here" },
      { kind: "note", value: "endnote here" },
      ...leftOut("Deleted words.", "Hidden words."),
    ],
  };
};

/** Content types and relations as strict readers want them. */
const withTypes = (parts: readonly ZipPart[]): ZipPart[] => {
  const types = `<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`;
  return parts.map((part) => (part.name === "[Content_Types].xml" ? { ...part, content: types } : part));
};

const datedWorkbook = (): Sample => {
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const packaged = "http://schemas.openxmlformats.org/package/2006/relationships";
  const cell = (place: string, style: number, value: number) => `<c r="${place}" s="${style}"><v>${value}</v></c>`;
  const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = [
    `<row r="1">${text("A1", "Day")}${text("B1", "Moment")}${text("C1", "Share")}</row>`,
    `<row r="2">${cell("A2", 1, 45292)}${cell("B2", 2, 45292.5)}${cell("C2", 3, 0.125)}</row>`,
    `<row r="3">${cell("A3", 4, 45351)}${cell("B3", 5, 0.375)}${cell("C3", 0, 0.1 + 0.2)}</row>`,
  ].join("");
  const parts: ZipPart[] = [
    {
      name: "[Content_Types].xml",
      content: `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    },
    {
      name: "_rels/.rels",
      content: `<Relationships xmlns="${packaged}"><Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    },
    {
      name: "xl/workbook.xml",
      content: `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Plan" sheetId="1" r:id="a"/><sheet name="Secret" sheetId="2" state="hidden" r:id="b"/></sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `<Relationships xmlns="${packaged}"><Relationship Id="a" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="${office}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="c" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    },
    {
      name: "xl/styles.xml",
      content: `<styleSheet xmlns="${main}"><numFmts count="3"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="0.0%"/><numFmt numFmtId="166" formatCode="[$-407]d/\\ mmmm\\ yyyy"/></numFmts><cellXfs count="6"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="166" applyNumberFormat="1"/><xf numFmtId="20" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    },
    {
      name: "xl/worksheets/sheet1.xml",
      content: `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    },
    {
      name: "xl/worksheets/sheet2.xml",
      content: `<worksheet xmlns="${main}"><sheetData><row r="1">${text("A1", "Secret words")}</row></sheetData></worksheet>`,
    },
  ];
  return {
    name: "dates, times, shares, a hidden sheet",
    format: "xlsx",
    bytes: makeZip(parts),
    facts: [
      ...dates("2024-01-01", "2024-01-01 12:00", "2024-02-29", "09:00"),
      ...texts("Plan", "12.5%"),
      ...factsOfLines(["| Day | Moment | Share |"]),
      ...leftOut("Secret words", "0.30000000000000004"),
    ],
  };
};

const openDocument = (kind: string, body: string): Uint8Array =>
  makeZip([
    { name: "mimetype", content: `application/vnd.oasis.opendocument.${kind}` },
    {
      name: "META-INF/manifest.xml",
      content: `<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>`,
    },
    {
      name: "content.xml",
      content: `<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"><office:body>${body}</office:body></office:document-content>`,
    },
  ]);

const datedSpreadsheet = (): Sample => {
  const text = (value: string) =>
    `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
  const rows = [
    `<table:table-row>${text("When")}${text("Share")}${text("Sum")}</table:table-row>`,
    `<table:table-row><table:table-cell office:value-type="date" office:date-value="2024-02-29"><text:p>29.02.24</text:p></table:table-cell><table:table-cell office:value-type="percentage" office:value="0.07"><text:p>7 %</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="1234.5"><text:p>1.234,50</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row>`,
    `<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`,
  ].join("");
  return {
    name: "dates, shares, a million empty rows",
    format: "ods",
    bytes: openDocument(
      "spreadsheet",
      `<office:spreadsheet><table:table table:name="Plan">${rows}</table:table></office:spreadsheet>`,
    ),
    facts: [
      ...dates("2024-02-29"),
      ...texts("Plan"),
      ...factsOfLines(["| When | Share | Sum |", "| 2024-02-29 | 7% | 1234.5 |"]),
    ],
  };
};

const richText = (): Sample => ({
  name: "code pages, notes, links, hidden text",
  format: "rtf",
  bytes: encoder.encode(
    String.raw`{\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0\fcharset204 Arial;}{\f1\fcharset128 Gothic;}}{\stylesheet{\s1 heading 1;}}{\info{\title A title}}{\*\generator Writer;}{\header Top}
\pard\s1 \'c7\'e0\'e3\'ee\'eb\'ee\'e2\'ee\'ea\par\pard {\f1\'93\'8c\'8b\'9e} \u8364?5 \emdash  {\v Hidden words}{\pict 89504e47}end\par
\pard Before {\field{\*\fldinst{HYPERLINK "https://x.example/a"}}{\fldrslt{\ul the rules}}} after.{\super\chftn}{\*\footnote\pard\plain Said below.\par}\par
\pard\li360\fi-360 \bullet\tab one\par\pard\li360\fi-360 1.\tab two\par
\trowd\cellx100\cellx200\pard\intbl a\cell b\cell\row\trowd\cellx100\cellx200\pard\intbl c\cell d\cell\row\pard after\par}`,
  ),
  facts: [
    ...factsOfLines(["# Заголовок", "| a | b |", "| c | d |"]),
    ...texts("東京 €5 — end", "the rules", "Said below."),
    { kind: "note", value: "after." },
    ...leftOut("Hidden words", "89504e47", "Writer;"),
  ],
});
