import type { PDFPageProxy } from "pdfjs-dist";
import { type Matrix, multiply } from "./matrix.ts";

/** A run of text with its position in points; y grows downwards. */
export interface TextRun {
  text: string;
  x: number;
  /** Position of the baseline. */
  y: number;
  width: number;
  /** Height of the font. */
  size: number;
  font: string;
  /** Whether a blank precedes it in the file. */
  hasSpaceBefore: boolean;
}

export interface PageText {
  runs: TextRun[];
  /**
   * Vertical text, with its position on the page rotated a quarter counterclockwise: its lines then run from left to
   * right, the first one on top. `y` is the middle of a line.
   */
  vertical: TextRun[];
  /** Text in any other direction, such as a stamp on the margin, in the file's order. */
  turned: string;
  width: number;
  height: number;
}

const maxRunsPerPage = 50_000;

/** A page's text with its positions. */
export const readPageText = async (page: PDFPageProxy): Promise<PageText> => {
  const viewport = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const runs: TextRun[] = [];
  const vertical: TextRun[] = [];
  const turned: string[] = [];
  let hasSpaceBefore = false;
  for (const item of items.slice(0, maxRunsPerPage)) {
    if (!("str" in item)) continue;
    if (item.str.trim() === "") {
      hasSpaceBefore ||= item.str !== "" || item.hasEOL;
      continue;
    }
    const [a, b, c, d, x, y] = multiply(viewport.transform as unknown as Matrix, item.transform as unknown as Matrix);
    const size = Math.hypot(c, d);
    if (Math.abs(b) > 0.1 * Math.abs(a) || a < 0) turned.push(item.str);
    else if (Number.isFinite(x + y + size + item.width + item.height) && size > 0) {
      const style = { size, font: item.fontName, spaceBefore: hasSpaceBefore };
      // The position of vertical text is the middle of its upper edge; its height is its length.
      if (item.dir === "ttb") vertical.push(runOf(upright(item.str), y, viewport.width - x, item.height, style));
      else runs.push(runOf(item.str, x, y, item.width, style));
      hasSpaceBefore = /\s$/.test(item.str);
    }
  }
  return { runs, vertical, turned: turned.join(" ").trim(), width: viewport.width, height: viewport.height };
};

/** A run without the blanks around it. */
const runOf = (
  text: string,
  x: number,
  y: number,
  width: number,
  { size, font, spaceBefore }: { size: number; font: string; spaceBefore: boolean },
): TextRun => {
  const lead = text.length - text.trimStart().length;
  return {
    text: text.trim(),
    x: x + (lead / text.length) * width,
    y,
    width: (width * text.trim().length) / text.length,
    size,
    font,
    hasSpaceBefore: spaceBefore || lead > 0,
  };
};

/**
 * Punctuation as fonts draw it between vertical letters (Unicode's Vertical and CJK Compatibility Forms), and plain.
 */
const verticalForms = "︐︑︒︓︔︕︖︗︘︙︰︱︲︳︴︵︶︷︸︹︺︻︼︽︾︿﹀﹁﹂﹃﹄﹇﹈";
const plainForms = "，、。：；！？〖〗…‥—–＿﹏（）｛｝〔〕【】《》〈〉「」『』［］";

const upright = (text: string): string =>
  text.replace(/[\ufe10-\ufe19\ufe30-\ufe48]/g, (form) => plainForms[verticalForms.indexOf(form)] ?? form);
