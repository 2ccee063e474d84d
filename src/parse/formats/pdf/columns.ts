import { amount, median } from "./measures.ts";
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
