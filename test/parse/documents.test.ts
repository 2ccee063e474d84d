import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { failureOf, never, testParser } from "./test-parser.ts";

/** What each real file gives: pinned so that a change of a reader shows. */
interface Expected {
  mimeType: string;
  title: string | null;
  /** Within two percent. */
  characters: number;
  pages: number;
  /** Whole lines or parts of lines that must stand there. */
  holds: string[];
}

const office = (name: string) => `application/vnd.openxmlformats-officedocument.${name}`;
const docx = office("wordprocessingml.document");
const pptx = office("presentationml.presentation");
const xlsx = office("spreadsheetml.sheet");

const readable: Record<string, Expected> = {
  "2023-half-year-analyses-by-segment.xlsx": {
    mimeType: xlsx,
    title: null,
    characters: 7000,
    pages: 5,
    holds: [
      "# OS-Rev.and results 30 06 2023",
      "3.1 Operating segments",
      "| Zone EUR | 9467 | 1570 | 1373 | -197 | -5 | -140 | -414 |",
      "| In millions of CHF | Sales (a) | Underlying Trading operating profit (b) |",
      "| Nestlé Health Science | -16 | -3 | — | -314 |",
    ],
  },
  "README.md": {
    mimeType: "text/markdown",
    title: null,
    characters: 858,
    pages: 0,
    holds: ["The sample docs directory contains the following files"],
  },
  "README.org": { mimeType: "text/plain", title: null, characters: 888, pages: 0, holds: ["** XBRL 10-K"] },
  "README.rst": {
    mimeType: "text/plain",
    title: null,
    characters: 902,
    pages: 0,
    holds: ["The sample docs directory"],
  },
  "book-war-and-peace-1p.txt": {
    mimeType: "text/plain",
    title: null,
    characters: 3044,
    pages: 0,
    holds: ["Genoa and Lucca are now just family estates"],
  },
  "copy-protected.pdf": {
    mimeType: "application/pdf",
    title: "LayoutParser: A Unified Toolkit for Deep Learning Based Document Image Analysis",
    characters: 5580,
    pages: 2,
    holds: ["## 1 Introduction", "development in disciplines like natural language processing and computer vision"],
  },
  "csv-with-long-lines.csv": {
    mimeType: "text/csv",
    title: null,
    characters: 63949,
    pages: 0,
    holds: ["| 1Freq Ki67CD8frequencyUnstim | -0.285021097 | 1 |"],
  },
  "docx-hdrftr.docx": {
    mimeType: docx,
    title: null,
    characters: 112,
    pages: 0,
    holds: ["First header para", "Main document", "cell1 | a b c d e f", "para2"],
  },
  "docx-tables.docx": {
    mimeType: docx,
    title: null,
    characters: 295,
    pages: 0,
    holds: [
      "| Lorem ipsum | [A link example](https://tabul.com/) |",
      "| a | >b< | c |",
      "| d | e f g&t h | i |",
      "Table with merged cells",
    ],
  },
  "example-10k-1p.html": {
    mimeType: "text/html",
    title: null,
    characters: 4300,
    pages: 0,
    holds: [
      "Galaxy Gaming, Inc.",
      "| Nevada | 20-8143439 |",
      "| Common stock | GLXZ | OTCQB marketplace |",
      "| Item 1A. | Risk Factors | 9 |",
    ],
  },
  "factbook.xml": {
    mimeType: "application/xml",
    title: null,
    characters: 290,
    pages: 0,
    holds: [
      "| name | capital | leader | sport |",
      "| Trinidad & Tobado | Port of Spain | Keith Rowley | Track & Field |",
    ],
  },
  "fake-doc.rtf": {
    mimeType: "application/rtf",
    title: null,
    characters: 162,
    pages: 0,
    holds: [
      "# My First Heading",
      "My first paragraph.",
      "| Column 1 | Column 2 |",
      "| Row 2, Cell 1 | Row 2, Cell 2 |",
    ],
  },
  "fake-email-attachment.eml": {
    mimeType: "message/rfc822",
    title: "Fake email with attachment",
    characters: 352,
    pages: 0,
    holds: [
      "# Fake email with attachment",
      "Date: 2022-12-23T18:08:48.000Z",
      "- Lots of whitespace",
      "## Attachment: fake-attachment.txt",
      "Hey this is a fake attachment!",
    ],
  },
  "fake-email-utf-16.eml": {
    mimeType: "message/rfc822",
    title: "Test Email",
    characters: 244,
    pages: 0,
    holds: ["From: Matthew Robinson <mrobinson@unstructured.io>", "- Violets are blue"],
  },
  "fake-email.eml": {
    mimeType: "message/rfc822",
    title: "Test Email",
    characters: 243,
    pages: 0,
    holds: ["To: NotMatthew <NotMatthew@notunstructured.com>", "- Roses are red"],
  },
  "fake-email.msg": {
    mimeType: "application/vnd.ms-outlook",
    title: "Test Email",
    characters: 216,
    pages: 0,
    holds: [
      "# Test Email",
      "From: Matthew Robinson <mrobinson@unstructured.io>",
      "Date: 2023-03-28T17:00:31.998Z",
      "- Roses are red",
    ],
  },
  "fake-html-cp1252.html": {
    mimeType: "text/html",
    title: "My First Heading",
    characters: 828,
    pages: 0,
    holds: ["# My First Heading", "El niño comió paella con ñoquis", "45,90 €"],
  },
  "fake-html-with-footer-and-header.html": {
    mimeType: "text/html",
    title: "My First Heading",
    characters: 39,
    pages: 0,
    holds: ["# My First Heading", "My first paragraph."],
  },
  "fake-memo.pdf": {
    mimeType: "application/pdf",
    title: null,
    characters: 205,
    pages: 1,
    holds: ["To Whom it May Concern:", "A total of 3 trucks were used for 15 hours."],
  },
  "fake-power-point-malformed.pptx": {
    mimeType: pptx,
    title: "Test Slide",
    characters: 12,
    pages: 1,
    holds: ["# Test Slide"],
  },
  "fake-power-point-table.pptx": {
    mimeType: pptx,
    title: "A Slide with a Table",
    characters: 158,
    pages: 1,
    holds: ["# A Slide with a Table", "| Purple | Orange | Yellow |"],
  },
  "fake-power-point.pptx": {
    mimeType: pptx,
    title: "Adding a Bullet Slide",
    characters: 214,
    pages: 1,
    holds: [
      "# Adding a Bullet Slide",
      "    - Use _TextFrame.add_paragraph() for subsequent bullets",
      "Here is some text in a text box!",
    ],
  },
  "fake-text-utf-16.txt": {
    mimeType: "text/plain",
    title: null,
    characters: 188,
    pages: 0,
    holds: ["Doylestown, PA 18901", "- I love fuzzy blankets"],
  },
  "fake.docx": { mimeType: docx, title: null, characters: 27, pages: 0, holds: ["Lorem ipsum dolor sit amet."] },
  "fake.odt": {
    mimeType: "application/vnd.oasis.opendocument.text",
    title: null,
    characters: 178,
    pages: 0,
    holds: ["Lorem ipsum dolor sit amet.", "| Color | Blue | Red | Green |"],
  },
  "handbook-1p.docx": {
    mimeType: docx,
    title: null,
    characters: 3507,
    pages: 0,
    holds: [
      "US Trustee Handbook",
      "A. PURPOSE",
      "removed the bankruptcy judge from the responsibilities",
      "28 C.F.R. § 58.4(b)",
    ],
  },
  "header-test-doc.pdf": {
    mimeType: "application/pdf",
    title: "Title",
    characters: 66,
    pages: 1,
    holds: ["I Am A Header", "# Title", "Here is a lovely sentences."],
  },
  "ideas-page.html": {
    mimeType: "text/html",
    title: "How to Get New Ideas",
    characters: 876,
    pages: 0,
    holds: [
      "January 2023",
      "([Someone](https://twitter.com/stef/status/1617222428727586816) fed my essays",
      "Knowledge grows fractally.",
    ],
  },
  "korean-text-with-tables.pdf": {
    mimeType: "application/pdf",
    title: "할인점·주유·온라인쇼핑몰 1.5% 빅포인트 적립",
    characters: 1302,
    pages: 1,
    holds: [
      "# 커피전문점·제과점·편의점 2% 빅포인트 적립",
      "| 온라인쇼핑몰 | 삼성카드 쇼핑, G마켓, 옥션, 11번가, 인터파크, 쿠팡, 티몬, 위메프 |",
      "- 주유는 LPG충전소 포함",
    ],
  },
  "layout-parser-paper-fast.pdf": {
    mimeType: "application/pdf",
    title: "LayoutParser: A Unified Toolkit for Deep Learning Based Document Image Analysis",
    characters: 5592,
    pages: 2,
    holds: [
      "# LayoutParser: A Unified Toolkit",
      "## 1 Introduction",
      "development in disciplines like natural language processing",
      "2. A rich repository of pre-trained neural network models (Model Zoo) that underlies the off-the-shelf usage",
    ],
  },
  "mime-html-only.eml": {
    mimeType: "message/rfc822",
    title: "Example HTML Only MIME Email",
    characters: 378,
    pages: 0,
    holds: ["Gmail was launched by Google in 2004 with 1 GB of free storage"],
  },
  "multi-column-2p.pdf": {
    mimeType: "application/pdf",
    title: "Dense Passage Retrieval for Open-Domain Question Answering",
    characters: 8973,
    pages: 2,
    holds: [
      "# Dense Passage Retrieval for Open-Domain Question Answering",
      "## Abstract",
      "Open-domain question answering relies on efficient passage retrieval to select candidate contexts, where traditional sparse vector space models",
      "## 3 Dense Passage Retriever (DPR)",
      "### 3.1 Overview",
      "ORQA (Lee et al., 2019), which proposes a sophisticated inverse cloze task",
    ],
  },
  "norwich-city.txt": { mimeType: "text/plain", title: null, characters: 47421, pages: 0, holds: ["Norwich City"] },
  "pdf-bad-color-space.pdf": {
    mimeType: "application/pdf",
    title: "Net-zero carbon",
    characters: 3363,
    pages: 1,
    holds: [
      "# Net-zero carbon",
      "committed to the [Science Based Targets initiative](https://sciencebasedtargets.org/about-us) (SBTi)",
      "## Our ambition",
      "we set a goal to operate our data centers and office campuses on 24/7 carbon-free energy",
    ],
  },
  "sample-presentation.pptx": {
    mimeType: pptx,
    title: "Title Slide",
    characters: 628,
    pages: 4,
    holds: ["# Title Slide", "    - This one is a sub-sub-bullet", "| 2 | A2 | B2 | C2 |"],
  },
  "semicolon-delimited.csv": {
    mimeType: "text/csv",
    title: null,
    characters: 213,
    pages: 0,
    holds: ["| Lorem, ipsum | dolor sit | amet |", "| ut labore | et, dolore | magna aliqua |"],
  },
  "simple.json": {
    mimeType: "application/json",
    title: null,
    characters: 3117,
    pages: 0,
    holds: ["  text: These are a few of my favorite things:", "    - filename: simple.docx"],
  },
  "simple.yaml": {
    mimeType: "application/yaml",
    title: null,
    characters: 304,
    pages: 0,
    holds: ["- doe: a deer, a female deer", "- calling-birds: huey, dewey, louie, fred", "    - location: a pear tree"],
  },
  "simple.zip": {
    mimeType: "application/zip",
    title: null,
    characters: 1050,
    pages: 0,
    holds: ["# ideas-page.html", "# stanley-cups.csv", "| Maple Leafs | TOR | 13 |"],
  },
  "stanley-cups-utf-16.csv": {
    mimeType: "text/csv",
    title: null,
    characters: 136,
    pages: 0,
    holds: ["| Team | Location | Stanley Cups |", "| Maple Leafs | TOR | 13 |"],
  },
  "stanley-cups.csv": {
    mimeType: "text/csv",
    title: null,
    characters: 136,
    pages: 0,
    holds: ["| Team | Location | Stanley Cups |", "| Blues | STL | 1 |"],
  },
  "stanley-cups.tsv": {
    mimeType: "text/tab-separated-values",
    title: null,
    characters: 136,
    pages: 0,
    holds: ["| Team | Location | Stanley Cups |", "| Flyers | PHI | 2 |"],
  },
  "stanley-cups.xlsx": {
    mimeType: xlsx,
    title: null,
    characters: 323,
    pages: 2,
    holds: ["# Stanley Cups Since 67", "| Team | Location | Stanley Cups |", "| Maple Leafs | TOR | 13 |"],
  },
  "umlauts-non-utf8.md": {
    mimeType: "text/markdown",
    title: null,
    characters: 23,
    pages: 0,
    holds: ["## können", "äöüß"],
  },
  "vodafone.xlsx": {
    mimeType: xlsx,
    title: null,
    characters: 1014,
    pages: 1,
    holds: ["# Index", "| Mobile churn | Nine quarters to 30 June 2023 | 11 |"],
  },
  "winter-sports.epub": {
    mimeType: "application/epub+zip",
    title: "Winter Sports in Switzerland",
    characters: 343_300,
    pages: 0,
    holds: [
      "# WINTER SPORTS IN SWITZERLAND",
      "| II. | Rinks and Skaters | 23 |",
      "The arms must hang by the side, and be carried loosely easily, close to the body.",
    ],
  },
};

const refused: Record<string, { code: string; status: number; says: RegExp }> = {
  "CantinaBand3.wav": { code: "unsupported_file_type", status: 415, says: /audio\/wav/ },
  "DA-1p.png": { code: "unsupported_file_type", status: 415, says: /tesseract/ },
  "layout-parser-paper-fast.jpg": { code: "unsupported_file_type", status: 415, says: /tesseract/ },
  "fake-power-point.ppt": { code: "unsupported_file_type", status: 415, says: /Unstructured/ },
  "simple.doc": { code: "unsupported_file_type", status: 415, says: /Unstructured/ },
  "tests-example.xls": { code: "unsupported_file_type", status: 415, says: /Unstructured/ },
  "empty.eml": { code: "no_text", status: 422, says: /no text/ },
  "empty.txt": { code: "no_text", status: 422, says: /empty/ },
  "empty.xlsx": { code: "no_text", status: 422, says: /no text/ },
  "fake-text-all-whitespace.txt": { code: "no_text", status: 422, says: /no text/ },
  "loremipsum-flat.pdf": { code: "no_text", status: 422, says: /OCR/ },
  "single_table.pdf": { code: "no_text", status: 422, says: /OCR/ },
  "password.pdf": { code: "unreadable_file", status: 422, says: /locked/ },
  "password_protected.xlsx": { code: "unreadable_file", status: 422, says: /locked/ },
};

const folder = resolve(import.meta.dir, "../fixtures/documents");
const parser = testParser();
afterAll(() => parser.close());

const parse = async (name: string) =>
  parser.parse({ bytes: await Bun.file(resolve(folder, name)).bytes(), name, mimeType: null }, never);

test("every file of the folder has its expectation", () => {
  const files = readdirSync(folder).filter((name) => name !== "LICENSE.txt" && name !== "NOTICE.txt");
  expect(files.sort()).toEqual([...Object.keys(readable), ...Object.keys(refused)].sort());
});

describe("files that give text", () => {
  test.each(Object.entries(readable))("%s", async (name, expected) => {
    const file = await parse(name);
    expect({ mimeType: file.mimeType, title: file.title, pages: file.pages.length }).toEqual({
      mimeType: expected.mimeType,
      title: expected.title,
      pages: expected.pages,
    });
    for (const part of expected.holds) expect(file.text).toContain(part);
    expect(Math.abs(file.text.length - expected.characters)).toBeLessThanOrEqual(expected.characters * 0.02);
    expect(file.text).toBe(file.text.trim());
    expect(file.text).not.toMatch(/\r|\0|[ \t]\n/);
    expect(file.pages.map((page) => page.start)).toEqual(file.pages.map((page) => page.start).sort((a, b) => a - b));
  });
});

describe("files that give none say why", () => {
  test.each(Object.entries(refused))("%s", async (name, expected) => {
    const failure = await failureOf(parse(name));
    expect({ code: failure.code, status: failure.status }).toEqual({ code: expected.code, status: expected.status });
    expect(failure.detail).toMatch(expected.says);
  });
});

test("page offsets point at where each page's text begins", async () => {
  const slides = await parse("sample-presentation.pptx");
  expect(slides.pages.map(({ start }) => slides.text.slice(start).split("\n")[0])).toEqual([
    "# Title Slide",
    "# This is the first content slide",
    "# This is the second content slide",
    "# This is kinda backwards, huh?",
  ]);
  const sheets = await parse("stanley-cups.xlsx");
  expect(sheets.pages.map(({ start }) => sheets.text.slice(start).split("\n")[0])).toEqual([
    "# Stanley Cups",
    "# Stanley Cups Since 67",
  ]);
});

test("the same table reads the same from csv, tsv, UTF-16 and a workbook", async () => {
  const table = (text: string) =>
    text
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .slice(0, 5)
      .join("\n");
  const [csv, tsv, wide, sheet] = await Promise.all(
    ["stanley-cups.csv", "stanley-cups.tsv", "stanley-cups-utf-16.csv", "stanley-cups.xlsx"].map(parse),
  );
  expect(tsv?.text).toBe(csv?.text as string);
  expect(wide?.text).toBe(csv?.text as string);
  expect(table(sheet?.text ?? "")).toBe(table(csv?.text ?? ""));
});

test("what a header, a footer or a merged cell hides does not get into the text", async () => {
  expect((await parse("docx-hdrftr.docx")).text).not.toContain("should not be included");
  expect((await parse("fake-html-with-footer-and-header.html")).text).not.toContain("Footer");
});
