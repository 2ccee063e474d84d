import type { PDFPageProxy } from "pdfjs-dist";
import { type Matrix, multiply } from "./matrix.ts";

/** A run of text as the PDF places it, in points, y growing downwards. */
export interface TextRun {
  text: string;
  x: number;
  /** Of the baseline. */
  y: number;
  width: number;
  /** Height of the font. */
  size: number;
  font: string;
  /** A blank stood before it in the file. */
  spaceBefore: boolean;
}

export interface PageText {
  runs: TextRun[];
  /** Text that does not run from left to right, such as a stamp on the margin, in the file's order. */
  turned: string;
  width: number;
  height: number;
}

const maxRunsPerPage = 50_000;

/** A page's text with its places. */
export async function readPageText(page: PDFPageProxy): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const runs: TextRun[] = [];
  const turned: string[] = [];
  let spaceBefore = false;
  for (const item of items.slice(0, maxRunsPerPage)) {
    if (!("str" in item)) continue;
    if (item.str.trim() === "") {
      spaceBefore ||= item.str !== "" || item.hasEOL;
      continue;
    }
    const [a, b, c, d, x, y] = multiply(viewport.transform as unknown as Matrix, item.transform as unknown as Matrix);
    const size = Math.hypot(c, d);
    if (Math.abs(b) > 0.1 * Math.abs(a) || a < 0) turned.push(item.str);
    else if (Number.isFinite(x + y + size + item.width) && size > 0) {
      const text = item.str;
      const lead = text.length - text.trimStart().length;
      runs.push({
        text: text.trim(),
        x: x + (lead / text.length) * item.width,
        y,
        width: (item.width * text.trim().length) / text.length,
        size,
        font: item.fontName,
        spaceBefore: spaceBefore || lead > 0,
      });
      spaceBefore = /\s$/.test(text);
    }
  }
  return { runs, turned: turned.join(" ").trim(), width: viewport.width, height: viewport.height };
}
