import { median } from "./measures.ts";
import type { Segment } from "./segments.ts";

/** The segments on one line of a region, from left to right. */
export interface Row {
  cells: Segment[];
  y: number;
  size: number;
}

/** Segments line by line; a list's mark and the text after it are one cell. */
export const buildRows = (segments: readonly Segment[]): Row[] => {
  const usual = median(segments.map(({ size }) => size));
  return buildLines(segments).map((row) => ({ ...row, cells: withMarker(row.cells, row.size > 1.15 * usual) }));
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
  /^((?:table|tab|figure|fig|tabelle|abbildung|abb|tableau|tabla|tabella|figura)\.?\s?\d{1,3}(?:[.-]\d{1,3})?[.:]?|[•◦▪▫‣∙●○■□➢➤·–—*-]|\(?(\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)])$/i;
/** An item's text begins at most this many font heights after its mark. */
const maxMarkDistance = 3.5;

/** A mark and the text after it are one cell: they would look like two columns of a table. */
const withMarker = (cells: Segment[], isLarge: boolean): Segment[] => {
  const [mark, text] = cells;
  if (!mark || !text || cells.length !== 2) return cells;
  if (!itemMark.test(mark.text) && !(isLarge && /^\d{1,2}(?:\.\d{1,2}){0,3}$/.test(mark.text))) return cells;
  if (text.x0 - mark.x1 > maxMarkDistance * text.size) return cells;
  return [{ ...text, text: `${mark.text} ${text.text}`, x0: mark.x0 }];
};
