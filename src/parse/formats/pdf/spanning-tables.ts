import { columnCharacters, maxRowPitch, median } from "./measures.ts";
import { buildRows, type Row } from "./rows.ts";
import { type Segment, segmentWidth } from "./segments.ts";
import { tableOf } from "./tables.ts";

/** A table is separated from other lines by this many font heights, and by more than its rows are from one another. */
const clearance = 1.5;
const widerThanRows = 1.3;
/** Lines of one cell are no more than this many font heights apart. */
const maxLeading = 1.7;

/** Runs of lines of short cells that are separated from their surroundings as a table is. */
export const shortCellTables = (segments: readonly Segment[]): Segment[][] => {
  const rows = buildRows(segments);
  const tables: Segment[][] = [];
  let start = 0;
  while (start < rows.length) {
    const end = runEnd(rows, start);
    const run = rows.slice(start, end);
    const pitch = median(run.slice(1).map((row, index) => row.y - (run[index]?.y ?? 0)));
    const isApart = isClear(rows[start - 1], run[0], pitch) && isClear(run.at(-1), rows[end], pitch);
    if (run.length > 1 && isApart && tableOf(run) !== null) tables.push(run.flatMap((row) => row.cells));
    start = Math.max(end, start + 1);
  }
  return tables;
};

/** Index after the last row of the run of short cells that begins at `start`. */
const runEnd = (rows: readonly Row[], start: number): number => {
  let end = start;
  let second = Number.POSITIVE_INFINITY;
  let grid: Row | undefined;
  for (; end < rows.length; end++) {
    const row = rows[end] as Row;
    const before = end > start ? rows[end - 1] : undefined;
    const pitch = before ? row.y - before.y : 0;
    if (isCellRow(row) && pitch <= maxRowPitch * row.size) {
      second = row.cells[1]?.x0 ?? second;
      grid = row;
      continue;
    }
    const [only] = row.cells;
    // A name over the rows below it, such as "Women".
    const next = rows[end + 1];
    const isName =
      before !== undefined && only !== undefined && row.cells.length === 1 && segmentWidth(only) < columnCharacters;
    if (isName && isGrid(next) && isGrid(grid) && next.y - before.y <= 2 * maxRowPitch * row.size) continue;
    // A line that continues the second or a later cell of the row above.
    const continues = only && row.cells.length === 1 && isCell(only) && pitch <= maxLeading * row.size;
    if (!continues || only.x0 < second - row.size) break;
  }
  return end;
};

const isCell = (segment: Segment): boolean => segmentWidth(segment) < 2 * columnCharacters;

/** A row of so many cells is not two lines of text side by side. */
const isGrid = (row: Row | undefined): row is Row => row !== undefined && row.cells.length > 2 && isCellRow(row);

const isCellRow = ({ cells }: Row): boolean =>
  cells.length > 1 &&
  cells.every(isCell) &&
  cells.filter((cell) => segmentWidth(cell) < columnCharacters).length * 2 >= cells.length;

/** A line of one segment, such as a caption, may be close to its table. */
const isClear = (above: Row | undefined, below: Row | undefined, pitch: number): boolean =>
  !above ||
  !below ||
  above.cells.length === 1 ||
  below.cells.length === 1 ||
  below.y - above.y >= Math.max(clearance * Math.max(above.size, below.size), widerThanRows * pitch);
