/** A real Unstructured server on every fixture: characters, pages, first heading, a phrase from the middle, a row. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultConfig } from "../../config/load.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { createUnstructuredParser } from "../../src/parse/unstructured/parser.ts";
import { failureOf, never } from "../parse/test-parser.ts";
import { oldFormats } from "../providers/unstructured-recording.ts";
import { realServers } from "./servers.ts";

interface Expected {
  /** Within two percent. */
  characters: number;
  pages: number;
  /** The first heading, with its signs; null where there is none. */
  heading: string | null;
  holds: string[];
}

const readable: Record<string, Expected> = {
  "2023-half-year-analyses-by-segment.xlsx": {
    characters: 7476,
    pages: 5,
    heading: "## OS-Rev.and results 30 06 2023",
    holds: ["- 3. Analyses by segment", "| Milk products and Ice cream | 5418 | 1261 | 1227 | -34 | -10 | -15 |"],
  },
  "README.md": {
    characters: 844,
    pages: 0,
    heading: "## Example Docs",
    holds: ["The sample docs directory contains the following files"],
  },
  "README.org": {
    characters: 843,
    pages: 0,
    heading: "# Example Docs",
    holds: ["The sample docs directory contains the following files"],
  },
  "README.rst": {
    characters: 841,
    pages: 0,
    heading: "# Example Docs",
    holds: ["The sample docs directory contains the following files"],
  },
  "book-war-and-peace-1p.txt": {
    characters: 3046,
    pages: 0,
    heading: "# CHAPTER I",
    holds: ['be calm in times like these if one has any feeling?" said'],
  },
  "copy-protected.pdf": {
    characters: 5644,
    pages: 2,
    heading: "# n u J",
    holds: ["the state-of-the-art for a wide range of document image analysis (DIA) tasks"],
  },
  "csv-with-long-lines.csv": {
    characters: 63949,
    pages: 0,
    heading: null,
    holds: ["| 2Unstim BasophilsCREBUnstim | 0.215627978 | -0.076882028 | -0.132941176 | -0.2"],
  },
  "docx-hdrftr.docx": { characters: 13, pages: 0, heading: null, holds: ["Main document"] },
  "docx-tables.docx": { characters: 275, pages: 0, heading: null, holds: ["Nested Table", "| j | k | l |"] },
  "example-10k-1p.html": {
    characters: 4206,
    pages: 0,
    heading: null,
    holds: [
      "smaller reporting company, or an emerging growth company. See the definitions of",
      "| Item 1B. | Unresolved Staff Comments | 9 |",
    ],
  },
  "factbook.xml": { characters: 225, pages: 0, heading: "# United States", holds: [] },
  "fake-doc.rtf": { characters: 140, pages: 0, heading: "# My First Heading", holds: ["Table Example:"] },
  "fake-email-attachment.eml": {
    characters: 286,
    pages: 0,
    heading: "# Fake email with attachment",
    holds: ["- Lots of whitespace"],
  },
  "fake-email-utf-16.eml": { characters: 214, pages: 0, heading: "# Test Email", holds: ["Important points:"] },
  "fake-email.eml": { characters: 213, pages: 0, heading: "# Test Email", holds: ["Important points:"] },
  "fake-email.msg": { characters: 197, pages: 0, heading: "# Test Email", holds: ["Important points:"] },
  "fake-html-cp1252.html": {
    characters: 828,
    pages: 0,
    heading: "# My First Heading",
    holds: ['ñoquis. La señora dijo: "¡Qué rico!" y pagó 25,75 €. El restaurante'],
  },
  "fake-html-with-footer-and-header.html": {
    characters: 55,
    pages: 0,
    heading: "# My First Heading",
    holds: ["My first paragraph."],
  },
  "fake-memo.pdf": {
    characters: 209,
    pages: 1,
    heading: "# To Whom it May Concern:",
    holds: ["blankets, and 200 laptops delivered on January 23, 2023. A total of"],
  },
  "fake-power-point-malformed.pptx": { characters: 41, pages: 1, heading: "## Problem Date Placeholder", holds: [] },
  "fake-power-point-table.pptx": {
    characters: 158,
    pages: 1,
    heading: "# A Slide with a Table",
    holds: ["| Purple | Orange | Yellow |"],
  },
  "fake-power-point.pptx": {
    characters: 210,
    pages: 1,
    heading: "# Adding a Bullet Slide",
    holds: ["  - Use _TextFrame.add_paragraph() for subsequent bullets"],
  },
  "fake-text-utf-16.txt": {
    characters: 161,
    pages: 0,
    heading: "# Important points:",
    holds: ["- Hamburgers are delicious"],
  },
  "fake.docx": { characters: 27, pages: 0, heading: null, holds: ["Lorem ipsum dolor sit amet."] },
  "fake.odt": {
    characters: 178,
    pages: 0,
    heading: null,
    holds: ["Lorem ipsum dolor sit amet.", "| Time | 1pm | 2pm | 3pm |"],
  },
  "handbook-1p.docx": {
    characters: 3475,
    pages: 2,
    heading: null,
    holds: ["create additional rights against the standing trustee or United States Trustee in"],
  },
  "header-test-doc.pdf": { characters: 36, pages: 1, heading: "# Title", holds: ["Here is a lovely sentences."] },
  "ideas-page.html": {
    characters: 792,
    pages: 0,
    heading: null,
    holds: ["life (much of standup comedy is based on this), but the best"],
  },
  "korean-text-with-tables.pdf": {
    characters: 1317,
    pages: 1,
    heading: "# 할인점·주유·온라인쇼핑몰 1.5% 빅포인트 적립",
    holds: ["스타벅스, 투썸플레이스, 카페베네, 탐앤탐스,"],
  },
  "layout-parser-paper-fast.pdf": { characters: 5631, pages: 2, heading: "# n u J", holds: ["2"] },
  "mime-html-only.eml": {
    characters: 348,
    pages: 0,
    heading: "# Example HTML Only MIME Email",
    holds: ["This is a text/html part."],
  },
  "multi-column-2p.pdf": {
    characters: 9034,
    pages: 2,
    heading: "# p e S 0 3",
    holds: ["al., 2019), which proposes a sophisticated inverse cloze task (ICT) objective, predicting"],
  },
  "norwich-city.txt": { characters: 48878, pages: 0, heading: "# Iwan Roberts", holds: ["[d] 4 61 34"] },
  "pdf-bad-color-space.pdf": {
    characters: 3339,
    pages: 1,
    heading: "# Our ambition",
    holds: ["be easy or linear; it may require us to navigate significant"],
  },
  "sample-presentation.pptx": {
    characters: 640,
    pages: 4,
    heading: "# Title Slide",
    holds: ["\n    - This one is a sub-sub-bullet\n", "| 1 | A1 | B1 | C1 |"],
  },
  "semicolon-delimited.csv": {
    characters: 213,
    pages: 0,
    heading: null,
    holds: ["| sed, do | eiusmod | tempor incididunt |"],
  },
  "simple.json": {
    characters: 181,
    pages: 0,
    heading: "# These are a few of my favorite things:",
    holds: ["This is my third thought."],
  },
  "simple.yaml": { characters: 310, pages: 0, heading: '# doe: "a deer, a female deer"', holds: ["- dewey"] },
  "stanley-cups-utf-16.csv": { characters: 145, pages: 0, heading: null, holds: ["| Blues | STL | 1 |"] },
  "stanley-cups.csv": { characters: 145, pages: 0, heading: null, holds: ["| Blues | STL | 1 |"] },
  "stanley-cups.tsv": { characters: 145, pages: 0, heading: null, holds: ["| Blues | STL | 1 |"] },
  "stanley-cups.xlsx": {
    characters: 288,
    pages: 2,
    heading: "## Stanley Cups",
    holds: ["| Team | Location | Stanley Cups |"],
  },
  "tests-example.xls": {
    characters: 1615,
    pages: 3,
    heading: "## Example Test",
    holds: ["an example and template for preparing Blackboard tests offline. See the full", "| ORD | Ordering |"],
  },
  "umlauts-non-utf8.md": { characters: 23, pages: 0, heading: "## können", holds: ["äöüß"] },
  "vodafone.xlsx": {
    characters: 1021,
    pages: 1,
    heading: "## Index",
    holds: ["| Marketable homes passed | Nine quarters to 30 June 2023 | 8 |"],
  },
  "winter-sports.epub": {
    characters: 341445,
    pages: 0,
    heading: "## The Project Gutenberg eBook of Winter Sports in Switzerland, by E. F. Benson",
    holds: ["handles of stones can be unscrewed in a very few seconds and", "|  | Max. Marks |"],
  },
};

const refused: Record<string, { code: string; status: number; says: string }> = {
  "CantinaBand3.wav": { code: "unsupported_file_type", status: 415, says: "speech" },
  "DA-1p.png": { code: "unsupported_file_type", status: 415, says: "files of this type" },
  "empty.eml": { code: "no_text", status: 422, says: "no text" },
  "empty.txt": { code: "no_text", status: 422, says: "no text" },
  "empty.xlsx": { code: "no_text", status: 422, says: "no text" },
  "fake-text-all-whitespace.txt": { code: "no_text", status: 422, says: "no text" },
  "layout-parser-paper-fast.jpg": { code: "unsupported_file_type", status: 415, says: "files of this type" },
  "loremipsum-flat.pdf": { code: "no_text", status: 422, says: "no text" },
  "password.pdf": { code: "unreadable_file", status: 422, says: "locked" },
  "password_protected.xlsx": { code: "unreadable_file", status: 422, says: "locked" },
  "simple.zip": { code: "unsupported_file_type", status: 415, says: "files of this type" },
  "single_table.pdf": { code: "no_text", status: 422, says: "no text" },
};

/** Read where LibreOffice is installed beside the server, refused elsewhere: what their texts hold. */
const oldFormatTexts: Record<(typeof oldFormats)[number], string> = {
  "simple.doc": "# These are a few of my favorite things:\n\n- Parrots\n- Hockey",
  "fake-power-point.ppt": "# Adding a Bullet Slide\n\n- Find the bullet slide layout",
};

const folder = join(import.meta.dir, "../fixtures/documents");
const { unstructured } = realServers;
if (unstructured !== null)
  describe("Unstructured on the fixtures", () => {
    const parser = createUnstructuredParser({ ...defaultConfig().parser, provider: "unstructured" }, unstructured, 2);
    const parse = (name: string) =>
      parser.parse({ bytes: new Uint8Array(readFileSync(join(folder, name))), name, mimeType: null }, never);

    test("every file has its expectation", () => {
      const files = readdirSync(folder).filter((name) => name !== "LICENSE.txt" && name !== "NOTICE.txt");
      expect(files.sort()).toEqual([...Object.keys(readable), ...Object.keys(refused), ...oldFormats].sort());
    });

    test.each(Object.entries(readable))(
      "%s",
      async (name, { characters, pages, heading, holds }) => {
        const file = await parse(name);
        const first = file.text.split("\n").find((line) => /^#+ /.test(line)) ?? null;
        expect([file.pages.length, first]).toEqual([pages, heading]);
        for (const part of holds) expect(file.text).toContain(part);
        expect(Math.abs(file.text.length - characters)).toBeLessThanOrEqual(characters * 0.02);
      },
      120_000,
    );

    test.each(Object.entries(oldFormatTexts))(
      "%s is read, or refused for want of LibreOffice",
      async (name, holds) => {
        const outcome = await parse(name).catch((error: unknown) => error);
        if (!(outcome instanceof ApiError)) {
          expect(outcome).toMatchObject({ text: expect.stringContaining(holds) });
          return;
        }
        expect(outcome.code).toBe("unsupported_file_type");
        expect(outcome.message).toContain("LibreOffice");
      },
      // LibreOffice may start for the first time.
      180_000,
    );

    test.each(Object.entries(refused))(
      "%s is refused",
      async (name, { code, status, says }) => {
        const failure = await failureOf(parse(name));
        expect(failure).toMatchObject({ code, status });
        expect(failure.detail).toContain(says);
      },
      120_000,
    );
  });
