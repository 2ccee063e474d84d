/** Debian's tesseract on the pictures and the scanned pages: what a reader would accept. */
import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { never, testParser } from "../parse/test-parser.ts";
import { realServers } from "./servers.ts";

interface Expected {
  /** Within a tenth: versions of tesseract differ. */
  characters: number;
  pages: number;
  warning: string;
  holds: string[];
}

const pictures: Record<string, Expected> = {
  "DA-1p.png": {
    characters: 2690,
    pages: 0,
    warning: "The text was read by OCR.",
    holds: [
      "We had been tracking the maleficar for days, and finally had him cornered",
      "perched atop the spire",
      "It is known that mages are able to walk the Fade while completely aware of their surroundings",
    ],
  },
  // A picture of few dots: the title and the headings can be read.
  "layout-parser-paper-fast.jpg": {
    characters: 1690,
    pages: 0,
    warning: "The text was read by OCR.",
    holds: ["LayoutParser: A Unified Toolkit for Deep Learning Based Document Image Analysis", "Introduction"],
  },
  "loremipsum-flat.pdf": {
    characters: 2310,
    pages: 1,
    warning: "Page 1: read by OCR.",
    holds: [
      "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
      "Fusce dignissim urna nibh, at ultrices tellus consequat ac.",
    ],
  },
  "single_table.pdf": {
    characters: 233,
    pages: 1,
    warning: "Page 1: read by OCR.",
    holds: ["64,058", "16,046 200.58 (121.01)", "96.20 (57.53)"],
  },
};

const { tesseract } = realServers;
if (tesseract !== null)
  describe("tesseract", () => {
    const parser = testParser({ ocrProgram: tesseract, ocrLanguages: ["eng"] });
    afterAll(() => parser.close());

    test.each(Object.entries(pictures))(
      "%s",
      async (name, { characters, pages, warning, holds }) => {
        const bytes = await Bun.file(join(import.meta.dir, "../fixtures/documents", name)).bytes();
        const file = await parser.parse({ bytes, name, mimeType: null }, never);
        expect([file.pages.length, file.warnings]).toEqual([pages, [warning]]);
        for (const part of holds) expect(file.text).toContain(part);
        expect(Math.abs(file.text.length - characters)).toBeLessThanOrEqual(characters * 0.1);
      },
      120_000,
    );

    test.each(["fax-g3", "fax-g3-2d", "fax-g4", "fax-g4-strips", "jbig2", "jbig2-symbols", "jpeg2000"])(
      "scans/%s.pdf",
      async (name) => {
        const bytes = await Bun.file(join(import.meta.dir, "../fixtures/scans", `${name}.pdf`)).bytes();
        const { text } = await parser.parse({ bytes, name, mimeType: null }, never);
        expect(text.replace(/\s+/g, " ")).toBe("The ferry leaves the north pier at nine, except on Sundays.");
      },
    );

    test("another language, and one that is not installed", async () => {
      const bytes = await Bun.file(join(import.meta.dir, "../fixtures/documents/loremipsum-flat.pdf")).bytes();
      // A program without the German data would refuse.
      const german = testParser({ ocrProgram: tesseract, ocrLanguages: ["deu", "eng"] });
      const missing = testParser({ ocrProgram: tesseract, ocrLanguages: ["xyz"] });
      try {
        const file = await german.parse({ bytes, name: null, mimeType: null }, never);
        expect(file.text).toContain("Lorem ipsum dolor sit amet");
        const failure = await missing.parse({ bytes, name: null, mimeType: null }, never).catch(String);
        expect(failure).toContain("parser.ocrLanguages");
      } finally {
        await Promise.all([german.close(), missing.close()]);
      }
    }, 120_000);
  });
