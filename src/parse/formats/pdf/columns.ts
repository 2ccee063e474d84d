import type { Wide } from "../../blocks/grid.ts";
import { amount, median } from "./measures.ts";
import type { Box } from "./pdfium.ts";
import type { Row } from "./rows.ts";
import type { Segment } from "./segments.ts";

/** From where to where a column reaches. */
export interface Span {
  from: number;
  to: number;
}

/** Columns of a table are at least this many font heights apart. */
const columnGap = 0.5;

/** Of the rows that show where columns are, this share may have a text that reaches over two of them. */
const mostCrossing = 0.25;

/** So many of the rows show that two columns near one another are two. */
const bothShare = 0.5;

/** Horizontal ranges covered by the cells of most rows, separated by at least a gap. */
export const columnSpans = (rows: readonly Row[]): Span[] => {
  const size = median(rows.map((row) => row.size));
  const most = Math.max(...rows.map((row) => row.cells.length));
  // A row with fewer cells may have one that spans several columns: it does not show where columns are.
  const telling = rows.filter((row) => row.cells.length >= Math.max(2, most * 0.6));
  const beside = headsBeside(telling);
  const cells = telling.flatMap((row) => row.cells.filter((cell) => !beside.has(cell))).sort((a, b) => a.x0 - b.x0);
  const covered = coveredSpans(cells, Math.floor(telling.length * mostCrossing));
  const apart = cells.filter(({ x0, x1 }) => !covered.some(({ from, to }) => x0 < to && x1 > from));
  const spans: Span[] = [];
  // Of two that are near, many rows have a cell in each.
  const areBoth = (one: Span, next: Span) =>
    telling.filter(({ cells: own }) =>
      [one, next].every(({ from, to }) => own.some((cell) => cell.x0 < to && cell.x1 > from)),
    ).length >= Math.max(2, bothShare * telling.length);
  for (const one of [...covered, ...coveredSpans(apart, 0)].sort((a, b) => a.from - b.from)) {
    const last = spans.at(-1);
    if (last && one.from < last.to + columnGap * size && !areBoth(last, one)) last.to = Math.max(last.to, one.to);
    else spans.push(one);
  }
  for (const [name, [figure]] of beside) {
    const own = spans.find(({ from, to }) => figure !== undefined && figure.x0 < to && figure.x1 > from);
    if (own) own.from = Math.min(own.from, name.x0);
  }
  return spans;
};

/**
 * The cells of a head that stand left of all figures of their column, which end at one edge, as sheets are printed, with
 * the cells below them.
 */
const headsBeside = ([head, ...body]: readonly Row[]): Map<Segment, Segment[]> => {
  const beside = new Map<Segment, Segment[]>();
  if (head === undefined || !head.cells.every(({ text }) => /\p{L}/u.test(text))) return beside;
  const ends = Map.groupBy(
    body.flatMap(({ cells }) => cells.filter(({ text }) => amount.test(text))),
    ({ x1 }) => Math.round(x1),
  );
  const columns = [...ends.values()].filter((figures) => figures.length >= fewestFigures);
  for (const figures of columns) {
    const [from, to] = [Math.min(...figures.map(({ x0 }) => x0)), figures[0]?.x1 ?? 0];
    const before = Math.max(-Infinity, ...columns.map(([one]) => one?.x1 ?? 0).filter((end) => end < to - 2));
    const own = head.cells.filter(({ x0, x1 }) => x0 < to && x1 > before);
    const [name] = own;
    if (own.length === 1 && name !== undefined && name.x1 < from && name.x0 > before) beside.set(name, figures);
  }
  return beside;
};
const fewestFigures = 3;

/** Where more than so many cells stand above one another. */
const coveredSpans = (cells: readonly Segment[], fewest: number): Span[] => {
  const ends = cells.flatMap(({ x0, x1 }) => [
    { x: x0, step: 1 },
    { x: x1, step: -1 },
  ]);
  const spans: Span[] = [];
  let count = 0;
  for (const { x, step } of ends.sort((a, b) => a.x - b.x || b.step - a.step)) {
    if (step > 0 && count === fewest) spans.push({ from: x, to: x });
    if (step < 0 && count === fewest + 1) (spans.at(-1) as Span).to = x;
    count += step;
  }
  return spans;
};

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
