import { isMostlyRightToLeft } from "./bidi.ts";
import { columnCharacters, median, mostCounted } from "./measures.ts";
import type { TextFlow, TextRun } from "./page-text.ts";
import type { Annotation, Box } from "./pdfium.ts";
import { findUprights } from "./segments.ts";

const usualSize = 10;
/** The average width of a letter, in font heights. */
const letterWidth = 0.5;
const maxFieldCharacters = 20_000;

/**
 * The values of a form's fields and typed notes as words where they stand, so that each is read beside its label. A value
 * that the page shows anyway is left out; one without a label beside or above it gets the field's own name. Long ones stand
 * right after the label, or they would look like a column of text.
 * @param isShown whether the page itself has that text in the box
 */
export const typedRuns = (
  annotations: readonly Annotation[],
  { runs, rules }: Pick<TextFlow, "runs" | "rules">,
  isShown: (box: Box, text: string) => boolean,
): TextRun[] => {
  const size = runs.length > 0 ? median(runs.map((run) => run.size)) : usualSize;
  const isParted = findUprights(rules);
  const fonts = new Map<string, number>();
  for (const { font, text } of runs) fonts.set(font, (fonts.get(font) ?? 0) + text.length);
  const font = mostCounted(fonts) ?? "";
  return annotations.flatMap((annotation): TextRun[] => {
    const { kind, box, text, label } = annotation;
    if ((kind !== "field" && kind !== "typed") || isShown(box, text)) return [];
    const beside = lineBeside(box, runs);
    const isNamed = kind === "typed" || beside !== undefined || isBelowText(box, runs, size) || !/\p{L}/u.test(label);
    const value = `${isNamed ? "" : `${label}: `}${text.slice(0, maxFieldCharacters)}`;
    const lines = value.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
    const height = box.y1 - box.y0;
    const own = Math.max(Math.min(beside?.size ?? size, height * 0.9), 1);
    const first = beside?.y ?? (height < 2.2 * own ? box.y1 - (height - 0.7 * own) / 2 : box.y0 + own);
    const labelEnd = beside === undefined ? 0 : beside.x + beside.width;
    const isAfter =
      kind === "field" && text.length >= columnCharacters && beside !== undefined && labelEnd <= box.x0 + 1;
    const isNext =
      isAfter &&
      !annotations.some((other) => other.box.x0 >= labelEnd && other.box.x1 <= box.x0 + 1 && onOneLine(other.box, box));
    const x = isNext && !isParted(labelEnd, box.x0, first) ? labelEnd + 0.3 * own : box.x0 + 1;
    return lines.flatMap((line, index) => wordsOf(line, { x, y: first + index * 1.2 * own, size: own, font }));
  });
};

/** The nearest word left or right of a box on its line. */
const lineBeside = (box: Box, runs: readonly TextRun[]): TextRun | undefined => {
  const distance = (run: TextRun) => Math.max(box.x0 - run.x - run.width, run.x - box.x1, 0);
  return runs
    .filter(
      ({ y, size }) =>
        y > box.y0 && y - 0.7 * size < box.y1 && y - 0.35 * size > box.y0 - 0.2 * size && y < box.y1 + 0.35 * size,
    )
    .sort((a, b) => distance(a) - distance(b))[0];
};

const onOneLine = (a: Box, b: Box): boolean => Math.min(a.y1, b.y1) > Math.max(a.y0, b.y0);

const isBelowText = (box: Box, runs: readonly TextRun[], size: number): boolean =>
  runs.some(({ x, y, width }) => y <= box.y0 + 1 && y > box.y0 - 2 * size && x < box.x1 && x + width > box.x0);

const wordsOf = (line: string, place: Pick<TextRun, "x" | "y" | "size" | "font">): TextRun[] => {
  let at = place.x;
  const words = line.trim().split(/\s+/);
  return (isMostlyRightToLeft(line) ? words.reverse() : words).map((text) => {
    const width = [...text].length * letterWidth * place.size;
    const run: TextRun = { ...place, text, x: at, width, blank: "stated" };
    at += width + 0.3 * place.size;
    return run;
  });
};

/** Notes on a page, with who wrote them. */
export const noteTexts = (annotations: readonly Annotation[]): string[] =>
  annotations.flatMap(({ kind, text, label }) =>
    kind === "note" ? [`Note${label.trim() === "" ? "" : ` (${label.trim()})`}: ${text}`] : [],
  );
