import { median } from "./measures.ts";
import { type Box, fixedPitch, maxRuleWidth } from "./pdfium.ts";
import type { Segment } from "./segments.ts";

/** The segments on one line of a region, from left to right. */
export interface Row {
  cells: Segment[];
  y: number;
  size: number;
}

/** Segments line by line; a list's mark and the text after it are one cell, as a line of code and its number are. */
export const buildRows = (segments: readonly Segment[]): Row[] => {
  const usual = median(segments.map(({ size }) => size));
  const rows = buildLines(segments).map((row) => ({
    ...row,
    cells: withMarker(withBullets(row.cells), row.size > 1.15 * usual),
  }));
  return withLineNumbers(rows);
};

const fewestNumbered = 3;

/** Lines of code whose numbers stand in smaller type before them, with the blanks between both. */
const withLineNumbers = (rows: Row[]): Row[] => {
  const isNumbered = ({ cells: [number, code, more] }: Row): boolean =>
    code !== undefined &&
    more === undefined &&
    code.font.endsWith(fixedPitch) &&
    number !== undefined &&
    number.size < 0.85 * code.size &&
    /^\d{1,4}$/.test(number.text);
  const numbered = rows.filter(isNumbered);
  if (numbered.length < fewestNumbered) return rows;
  const codes = numbered.flatMap(({ cells }) => cells.slice(1));
  const left = Math.min(...codes.map(({ x0 }) => x0));
  const letter = median(codes.map(({ x0, x1, text }) => (x1 - x0) / text.length));
  return rows.map((row) => {
    const [number, code] = row.cells;
    if (!isNumbered(row) || number === undefined || code === undefined) return row;
    const text = `${number.text} ${" ".repeat(Math.min(Math.round((code.x0 - left) / letter), 200))}${code.text}`;
    return { ...row, cells: [{ ...code, text, x0: number.x0 }] };
  });
};

/** Segments line by line, from left to right. */
export const buildLines = (segments: readonly Segment[]): Row[] => {
  const rows: Row[] = [];
  for (const segment of [...segments].sort((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const row = rows
      .slice(-3)
      .find((candidate) => Math.abs(candidate.y - segment.y) <= 0.4 * Math.min(candidate.size, segment.size));
    if (row) {
      row.cells.push(segment);
      row.size = Math.max(row.size, segment.size);
    } else rows.push({ cells: [segment], y: segment.y, size: segment.size });
  }
  for (const row of rows) row.cells.sort((a, b) => a.x0 - b.x0);
  return rows;
};

/** The mark of a list item or the number of a caption, with nothing else on its line but the item's text; of a heading its number alone. */
const itemMark =
  /^((?:table|tab|figure|fig|tabelle|abbildung|abb|tableau|tabla|tabella|figura)\.?\s?\d{1,3}(?:[.-]\d{1,3})?[.:]?|[•◦▪▫‣∙●○■□➢➤·–—−*-]|\(?(\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)])$/i;
/** An item's text begins at most this many font heights after its mark. */
const maxMarkDistance = 3.5;

const bullet = /^[•◦▪▫‣∙●○■□➢➤]$/;

/** Marks of lists side by side go before the text after them. */
const withBullets = (cells: Segment[]): Segment[] => {
  // Of one alone at the beginning, see `withMarker`.
  if (!cells.slice(1).some(({ text }) => bullet.test(text))) return cells;
  const joined: Segment[] = [];
  for (const cell of cells) {
    const mark = joined.at(-1);
    if (mark !== undefined && bullet.test(mark.text) && cell.x0 - mark.x1 <= maxMarkDistance * cell.size)
      joined[joined.length - 1] = { ...cell, text: `${mark.text} ${cell.text}`, x0: mark.x0 };
    else joined.push(cell);
  }
  return joined;
};

/** A mark and the text after it are one cell: they would look like two columns of a table. */
const withMarker = (cells: Segment[], isLarge: boolean): Segment[] => {
  const [mark, text, ...more] = cells;
  // Rows of a table may begin with a number, but hardly with (a).
  if (!mark || !text || (more.length > 0 && !/^\([a-z]{1,4}\)$/.test(mark.text))) return cells;
  if (!itemMark.test(mark.text) && !(isLarge && /^\d{1,2}(?:\.\d{1,2}){0,3}$/.test(mark.text))) return cells;
  if (text.x0 - mark.x1 > maxMarkDistance * text.size) return cells;
  return [{ ...text, text: `${mark.text} ${text.text}`, x0: mark.x0 }, ...more];
};

/** Where lines are drawn below one another over most of some cells, in one piece or several. */
export const linesOver = (cells: readonly Segment[], rules: readonly Box[]): number[] => {
  const [from, to] = [Math.min(...cells.map(({ x0 }) => x0)), Math.max(...cells.map(({ x1 }) => x1))];
  const level = Map.groupBy(
    rules.slice(0, mostRules).filter(({ x0, x1, y0, y1 }) => y1 - y0 <= maxRuleWidth && x1 > from && x0 < to),
    ({ y0 }) => Math.round(y0),
  );
  return [...level].flatMap(([y, pieces]) => {
    let [covered, end] = [0, from];
    for (const { x0, x1 } of pieces.sort((a, b) => a.x0 - b.x0)) {
      covered += Math.max(Math.min(x1, to) - Math.max(x0, end), 0);
      end = Math.max(end, x1);
    }
    return covered >= 0.8 * (to - from) ? [y] : [];
  });
};

/** The bands between drawn lines that the rows of a table stand in, by their number; null where a band has several rows. */
export const bandsOf = (rows: readonly Row[], placed: readonly (readonly string[])[], rules: readonly Box[]) => {
  const lines = linesOver(
    rows.flatMap(({ cells }) => cells),
    rules,
  );
  if (lines.length > mostBands) return null;
  // What stands above the first line is a row each.
  const bands = rows.map(({ y, size }, index) => lines.filter((line) => line < y - 0.3 * size).length || -index);
  const named = bands.filter((_, index) => placed[index]?.[0] !== "");
  const ruled = new Set(bands.filter((band) => band > 0)).size;
  return ruled >= fewestBands && new Set(named).size === named.length ? bands : null;
};
const [fewestBands, mostBands] = [3, 300];
const mostRules = 3_000;
