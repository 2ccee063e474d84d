import type { Wide } from "../../blocks/grid.ts";
import type { Span } from "./columns.ts";
import type { Box } from "./pdfium.ts";
import type { Row } from "./rows.ts";
import type { Segment } from "./segments.ts";

/** The names of a table's columns stand at most so many lines below those of groups. */
const namesWithin = 2;
/** What stands in a line or over it may reach out this far, in points. */
const near = 2;

/**
 * The names in a table's first row that are names of groups of columns, with their columns: a line is drawn below each over all
 * of them, or the names of the columns begin anew with each group.
 */
export const groupNames = (
  rows: readonly Row[],
  columns: readonly Span[],
  rules: readonly Box[],
): Map<Segment, Wide> => {
  const [groups] = rows;
  const none = new Map<Segment, Wide>();
  if (groups === undefined) return none;
  const names = rows.slice(1, 1 + namesWithin).find(({ cells }) => cells.length > groups.cells.length);
  if (names === undefined || rows.indexOf(names) === rows.length - 1) return none;
  const named = columns.map(({ from, to }) => names.cells.filter(({ x0, x1 }) => x0 < to && x1 > from));
  if (named.some((own) => own.length > 1)) return none;
  const texts = named.map(([name]) => name?.text ?? "");
  // What has no name below it is itself that of one column.
  const over = groups.cells.filter(
    (cell) =>
      columns.some(({ from, to }, at) => cell.x0 < to && cell.x1 > from && texts[at] !== "") ||
      !columns.some(({ from, to }) => cell.x0 < to && cell.x1 > from),
  );
  const runs = ruledRuns(over, groups.y, names.y, columns, rules) ?? repeatedRuns(over, columns, texts);
  const isWhole = runs?.every(({ column, lastColumn }) =>
    texts.slice(column, lastColumn + 1).every((text) => text !== ""),
  );
  return runs !== null && isWhole === true ? new Map(over.map((cell, at) => [cell, runs[at] as Wide])) : none;
};

/** The columns under the line that is drawn below each name; null where one has none. */
const ruledRuns = (
  cells: readonly Segment[],
  top: number,
  bottom: number,
  columns: readonly Span[],
  rules: readonly Box[],
): Wide[] | null => {
  const lines = rules.filter(({ y0, y1 }) => y1 - y0 < near && y0 > top && y1 < bottom);
  const runs = cells.map(({ x0, x1 }): Wide | null => {
    const below = lines.find((line) => line.x0 <= x0 + near && line.x1 >= x1 - near);
    if (
      below === undefined ||
      cells.some((other) => other.x0 < below.x1 - near && other.x1 > below.x0 + near && other.x0 !== x0)
    )
      return null;
    const under = columns.flatMap(({ from, to }, at) =>
      (from + to) / 2 > below.x0 && (from + to) / 2 < below.x1 ? [at] : [],
    );
    const [column, lastColumn] = [under[0], under.at(-1)];
    return column === undefined || lastColumn === undefined ? null : { column, lastColumn };
  });
  return runs.length > 0 && runs.every((run) => run !== null) && runs.some((run) => run.lastColumn > run.column)
    ? runs
    : null;
};

/** The columns up to where their first name comes again, as many times as there are groups, each of which stands over its own. */
const repeatedRuns = (cells: readonly Segment[], columns: readonly Span[], names: readonly string[]): Wide[] | null => {
  const first = names.findIndex((name, at) => name !== "" && names.indexOf(name, at + 1) > 0);
  const starts = names.flatMap((name, at) => (first >= 0 && name === names[first] ? [at] : []));
  if (starts.length !== cells.length || starts.length < 2) return null;
  const runs = starts.map((column, index) => ({ column, lastColumn: (starts[index + 1] ?? columns.length) - 1 }));
  const areOver = runs.every(({ column, lastColumn }, index) => {
    const [cell, before, after] = [cells[index], columns[column - 1], columns[lastColumn + 1]];
    return (
      cell !== undefined &&
      lastColumn > column &&
      cell.x0 > (before?.to ?? -Infinity) - near &&
      cell.x1 < (after?.from ?? Infinity) + near
    );
  });
  return areOver ? runs : null;
};
