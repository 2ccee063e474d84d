import { maxRowPitch, median } from "./measures.ts";
import type { Segment } from "./segments.ts";

/** The segments on one line of a region, from left to right. */
export interface Row {
  cells: Segment[];
  y: number;
  size: number;
}

type RegionPart = { kind: "lines"; rows: Row[] } | { kind: "table"; rows: string[][] };

/** Columns of a table are at least this many font heights apart. */
const columnGap = 0.5;

/** No page has room for more of them. */
const maxColumns = 500;

/** Splits a region into runs of lines and tables. */
export const regionParts = (segments: readonly Segment[]): RegionPart[] => {
  const rows = buildRows(segments);
  const parts: RegionPart[] = [];
  let at = 0;
  while (at < rows.length) {
    const row = rows[at] as Row;
    const ruled = row.cells.find((cell) => cell.table !== undefined);
    if (ruled?.table !== undefined) {
      parts.push({ kind: "table", rows: ruled.table });
      row.cells = row.cells.filter((cell) => cell !== ruled);
      if (row.cells.length === 0) at++;
      continue;
    }
    const end = tableEnd(rows, at);
    const table = end > at ? tableOf(rows.slice(at, end)) : null;
    if (table) {
      parts.push({ kind: "table", rows: table });
      at = end;
      continue;
    }
    at++;
    const last = parts.at(-1);
    if (last?.kind === "lines") last.rows.push(row);
    else parts.push({ kind: "lines", rows: [row] });
  }
  return parts;
};

/** Segments line by line; a list's mark and the text after it are one cell. */
export const buildRows = (segments: readonly Segment[]): Row[] => {
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
  for (const row of rows) row.cells = withMarker(row.cells.sort((a, b) => a.x0 - b.x0));
  return rows;
};

/** The mark of a list item, with nothing else on its line but the item's text. */
const itemMark = /^([•◦▪▫‣∙●○■□➢➤·–—*-]|\(?(\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)])$/;
/** An item's text begins at most this many font heights after its mark. */
const maxMarkDistance = 3.5;

/** A mark and the text after it are one cell: they would look like two columns of a table. */
const withMarker = (cells: Segment[]): Segment[] => {
  const [mark, text] = cells;
  if (!mark || !text || cells.length !== 2 || !itemMark.test(mark.text)) return cells;
  if (text.x0 - mark.x1 > maxMarkDistance * text.size) return cells;
  return [{ ...text, text: `${mark.text} ${text.text}`, x0: mark.x0 }];
};

/** Index after the last row of a run that begins at `start` and may be a table. */
const tableEnd = (rows: readonly Row[], start: number): number => {
  if ((rows[start]?.cells.length ?? 0) < 2) return start;
  let end = start;
  let last = start;
  while (end < rows.length) {
    const row = rows[end];
    const before = rows[end - 1];
    if (!row || row.cells.some((cell) => cell.table !== undefined)) break;
    if (before && end > start && row.y - before.y > maxRowPitch * Math.max(row.size, before.size)) break;
    if (row.cells.length >= 2) last = end + 1;
    else if (end - last >= 3) break;
    end++;
  }
  return withHangingRows(rows, last);
};

/** Lines below the last row that continue its second or a later column belong to it. */
const withHangingRows = (rows: readonly Row[], end: number): number => {
  const second = rows[end - 1]?.cells[1];
  let at = end;
  while (second) {
    const row = rows[at];
    const before = rows[at - 1];
    const [only] = row?.cells ?? [];
    if (!row || !before || !only || row.y - before.y > 1.7 * row.size || only.x0 < second.x0 - row.size) break;
    at++;
  }
  return at;
};

/** The run as a table; null if its cells are not aligned in columns. */
export const tableOf = (rows: readonly Row[]): string[][] | null => {
  const several = rows.filter((row) => row.cells.length >= 2);
  if (rows.length < 2 || several.length < 2 || several.length < rows.length * 0.4) return null;
  const columns = columnSpans(several);
  if (columns.length < 2 || columns.length > maxColumns || (several.length < 3 && columns.length < 3)) return null;
  const placed = rows.map((row) => placeCells(row, columns));
  const firstTexts = placed.map((cells) => cells[0] ?? "").filter((text) => text !== "");
  // Bullets or numbers with their text are a list.
  if (columns.length === 2 && firstTexts.every((text) => /^([•◦▪‣∙·–—*-]|\(?[\dA-Za-z]{1,3}[.)])$/.test(text)))
    return null;
  const filled = placed.filter((cells) => cells.filter((cell) => cell !== "").length >= 2).length;
  return filled < several.length * 0.7 ? null : withContinuations(placed, rows);
};

/** Horizontal ranges covered by cells, separated by at least a gap. */
export const columnSpans = (rows: readonly Row[]): { from: number; to: number }[] => {
  const size = median(rows.map((row) => row.size));
  const most = Math.max(...rows.map((row) => row.cells.length));
  // A row with fewer cells may have one that spans several columns: it does not show where columns are.
  const telling = rows.filter((row) => row.cells.length >= Math.max(2, most * 0.6));
  const cells = telling.flatMap((row) => row.cells).sort((a, b) => a.x0 - b.x0);
  const spans: { from: number; to: number }[] = [];
  for (const cell of cells) {
    const last = spans.at(-1);
    if (last && cell.x0 < last.to + columnGap * size) last.to = Math.max(last.to, cell.x1);
    else spans.push({ from: cell.x0, to: cell.x1 });
  }
  return spans;
};

const placeCells = (row: Row, columns: readonly { from: number; to: number }[]): string[] => {
  const texts = columns.map(() => "");
  for (const cell of row.cells) {
    let best = 0;
    let bestOverlap = Number.NEGATIVE_INFINITY;
    columns.forEach((column, index) => {
      const overlap = Math.min(cell.x1, column.to) - Math.max(cell.x0, column.from);
      if (overlap > bestOverlap + 0.01) {
        best = index;
        bestOverlap = overlap;
      }
    });
    texts[best] = [texts[best], cell.text].filter(Boolean).join(" ");
  }
  return texts;
};

/** A number with a sign, a currency or a percent sign. */
export const amount = /^[-–—+(]?\p{Sc}?\s?\d[\d.,\s]*\)?\s?[%\p{Sc}]?$/u;

/**
 * Whether the first cell is missing, and most others too. A row beside a cell merged over rows has most of its cells; one
 * of a name and an amount, such as a sum, stands for itself.
 */
const continuesRow = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => cell !== "");
  if ((cells[0] ?? "") !== "" || filled.length > Math.max(1, cells.length - 2)) return false;
  return filled.length < 2 || !filled.some((cell) => amount.test(cell));
};

/** A row without a first cell, close below another, continues that row's cells. */
const withContinuations = (placed: readonly string[][], rows: readonly Row[]): string[][] => {
  const table: string[][] = [];
  placed.forEach((cells, index) => {
    const row = rows[index];
    const before = rows[index - 1];
    const last = table.at(-1);
    const isClose = row && before && row.y - before.y < 1.75 * Math.max(row.size, before.size);
    if (last && isClose && table.length > 1 && continuesRow(cells)) {
      cells.forEach((cell, column) => {
        if (cell !== "") last[column] = [last[column], cell].filter(Boolean).join(" ");
      });
    } else table.push([...cells]);
  });
  return table;
};
