import { buildRows, type Row } from "./rows.ts";
import { type Segment, segmentWidth } from "./segments.ts";

/** A line of running text has at least this many characters. */
const fewestOfLine = 18;
/** Blanks of a stretched line are at most this many font heights wide. */
const widestBlank = 3;
/** Gaps that are above one another on so many lines part columns. */
const linesOfColumn = 3;

/**
 * Lines of justified text whose blanks are as wide as the gaps between columns are whole: they begin and end where a
 * whole line next to them does.
 */
export const withStretchedLines = (segments: readonly Segment[]): Segment[] => {
  const rows = buildRows(segments);
  const isLike = (row: Row, other: Row | undefined): boolean => {
    const [first, last, whole] = [row.cells[0], row.cells.at(-1), other?.cells[0]];
    if (first === undefined || last === undefined || whole === undefined || other?.cells.length !== 1) return false;
    const near = 0.6 * row.size;
    return (
      segmentWidth(whole) >= fewestOfLine &&
      Math.abs(other.y - row.y) <= 2 * row.size &&
      Math.abs(whole.x0 - first.x0) < near &&
      Math.abs(whole.x1 - last.x1) < near
    );
  };
  const isOpen = (row: Row | undefined, x0: number, x1: number): boolean =>
    row?.cells.some((cell, at) => at > 0 && cell.x0 > x0 && (row.cells[at - 1]?.x1 ?? x1) < x1) ?? false;
  const isStretched = ({ cells, size }: Row, index: number): boolean =>
    cells.length > 1 &&
    cells.every((cell, at) => {
      if (!/\p{L}/u.test(cell.text) || cell.table !== undefined) return false;
      const x1 = cells[at + 1]?.x0 ?? cell.x1;
      if (x1 - cell.x1 > widestBlank * size) return false;
      let open = 1;
      for (let up = index - 1; open < linesOfColumn && isOpen(rows[up], cell.x1, x1); up--) open++;
      for (let down = index + 1; open < linesOfColumn && isOpen(rows[down], cell.x1, x1); down++) open++;
      return at === cells.length - 1 || open < linesOfColumn;
    });
  const join = (row: Row, index: number, other: Row | undefined) => {
    const [first] = row.cells;
    if (first === undefined || !isLike(row, other) || !isStretched(row, index)) return;
    const text = row.cells.map((cell) => cell.text).join(" ");
    row.cells = [{ ...first, text, x1: row.cells.at(-1)?.x1 ?? first.x1 }];
  };
  rows.forEach((row, index) => {
    join(row, index, rows[index - 1]);
  });
  for (let index = rows.length - 2; index >= 0; index--) join(rows[index] as Row, index, rows[index + 1]);
  return rows.flatMap(({ cells }) => cells);
};
