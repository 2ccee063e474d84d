import { columnSpans, type Span } from "./columns.ts";
import { amount, charactersIn } from "./measures.ts";
import type { Row } from "./rows.ts";
import type { Segment } from "./segments.ts";

const mostColumns = 4;
/** Lines of a column of text, as many of them and so long, that no cell of a table has. */
const fewestLines = 4;
const linesOfText = 10;
const lineCharacters = 30;
/** So many of them go on in the middle of a sentence. */
const goingOn = 0.55;

/**
 * The segments of a run column by column, where what stands side by side is running text, running text beside
 * something else, lists, or two tables; null for a table.
 */
export const besideOneAnother = (rows: readonly Row[]): Segment[][] | null => {
  const cells = rows.flatMap((row) => row.cells);
  // Few lines of a column may begin before the others.
  const found = columnSpans(rows.filter((row) => row.cells.length > 1)).slice(0, mostOfBoth + 1);
  const spans = found.map(({ from, to }) => {
    const own = cells.filter(({ x0, x1 }) => x1 > from && x0 < to);
    return { from: Math.min(from, ...own.map(({ x0 }) => x0)), to };
  });
  const apart = spans
    .slice(1, mostOfBoth)
    .find((span, index) => areLists(rows, span.from) || areTables(rows, spans, index + 1));
  const bounds = apart === undefined ? boundsOfText(rows, spans) : [apart.from];
  if (bounds === null) return null;
  const groups = [Number.NEGATIVE_INFINITY, ...bounds].map((from, index) =>
    cells.filter(({ x0 }) => x0 >= from - 1 && x0 < (bounds[index] ?? Infinity) - 1),
  );
  return groups.filter((group) => group.length > 0);
};

/** The second of two tables begins at this column at most. */
const mostOfBoth = 20;

/** What stands left of a place and from there on, row by row. */
const sidesOf = (rows: readonly Row[], from: number): [Segment[][], Segment[][]] => [
  rows.map(({ cells }) => cells.filter(({ x0 }) => x0 < from - 1)),
  rows.map(({ cells }) => cells.filter(({ x0 }) => x0 >= from - 1)),
];

const listMark = /^(?:[•◦▪▫‣∙●○■□➢➤]|[–−-](?:\s|$)|\d{1,2}[.)](?:\s|$))/;

/**
 * Whether there are lists on both sides, below their names, each line of which has its mark or is indented, and most rows are
 * of both.
 */
const areLists = (rows: readonly Row[], from: number): boolean =>
  sidesOf(rows, from).every((side) => {
    const all = side.flatMap(([first]) => first ?? []);
    const lines = all.slice(
      Math.min(
        Math.max(
          all.findIndex(({ text }) => listMark.test(text)),
          0,
        ),
        1,
      ),
    );
    const marked = lines.filter(({ text }) => listMark.test(text));
    const edge = Math.min(...marked.map(({ x0 }) => x0));
    const isItem = ({ text, x0, size }: Segment) => listMark.test(text) || x0 > edge + 0.5 * size;
    return (
      marked.length > 1 &&
      marked.length > rows.length / 2 &&
      lines.every(isItem) &&
      side.every(
        (cells) =>
          cells.length < 2 ||
          (cells.length === 2 && (cells[0]?.text.length ?? 0) < 4 && listMark.test(cells[0]?.text ?? "")),
      )
    );
  });

/** Of two tables, most of what stands right of their names are figures. */
const mostFigures = 0.7;

/**
 * Whether there is a table of names and figures on both sides of where a column begins: both name a column the same, or one
 * goes on below the other.
 */
const areTables = (rows: readonly Row[], spans: readonly Span[], at: number): boolean => {
  const sides = sidesOf(rows, spans[at]?.from ?? 0);
  const areBoth = sides.every((side, index) => {
    const own = index === 0 ? spans.slice(0, at) : spans.slice(at);
    const [first, second] = own;
    const [head = [], ...body] = side.filter((cells) => cells.length > 0);
    const names = body.map(([name]) => name);
    const figures = body.flatMap((cells) => cells.slice(1));
    return (
      first !== undefined &&
      second !== undefined &&
      head.length > 1 &&
      body.length > 1 &&
      [...head.slice(0, 1), ...names].every(
        (name) => name !== undefined && name.x0 < second.from && /^\p{L}/u.test(name.text),
      ) &&
      !head.some(({ text }) => amount.test(text)) &&
      figures.filter(({ text }) => amount.test(text)).length > mostFigures * figures.length
    );
  });
  const [left, right] = sides.map((side) => side.map((cells) => cells.length > 0));
  if (!areBoth || left?.[0] !== true || right?.[0] !== true) return false;
  const [names = [], others = []] = sides.map(([head = []]) => head.map(({ text }) => text));
  return names.some((name) => others.includes(name)) || left.lastIndexOf(true) !== right.lastIndexOf(true);
};

/** Where columns of running text begin, the first one left out; null where there are none. */
const boundsOfText = (rows: readonly Row[], spans: readonly Span[]): number[] | null => {
  if (rows.length < fewestLines || spans.length < 2 || spans.length > mostColumns) return null;
  const columns = spans.map((span) => rows.map(({ cells }) => cells.find((one) => inSpan(one, span, spans))));
  const isText = columns.map((cells) => {
    const lines = cells.filter((cell) => cell !== undefined).map(({ text }) => text);
    const pairs = lines.slice(1).filter((text, index) => /^\p{Ll}/u.test(text) && !/[.:!?]$/.test(lines[index] ?? ""));
    return lines.length >= fewestLines && pairs.length >= goingOn * (lines.length - 1) ? lines : null;
  });
  const isWhole =
    columns.every((cells, at) => areSentences(cells, spans[at])) ||
    isText.every((lines) => lines !== null && lines.length > rows.length * 0.7);
  const longest = isText.findIndex((lines) => {
    const length = lines?.length ?? 0;
    return (
      lines !== null &&
      length >= linesOfText &&
      charactersIn(lines.map((text) => ({ text }))) >= lineCharacters * length
    );
  });
  if (!isWhole && longest < 0) return null;
  return isWhole
    ? spans.slice(1).map(({ from }) => from)
    : [spans[longest]?.from ?? 0, spans[longest + 1]?.from ?? Infinity];
};

/** Whether the cells of a column below its first are lines that fill it, up to the end of a sentence. */
const areSentences = (cells: readonly (Segment | undefined)[], span: Span | undefined): boolean => {
  const lines = cells.slice(1).filter((cell) => cell !== undefined);
  const isFull = ({ x0, x1 }: Segment) => x1 - x0 > fullShare * ((span?.to ?? 0) - (span?.from ?? 0));
  return (
    lines.length >= fewestLines - 1 &&
    lines.slice(0, -1).every(isFull) &&
    /\p{Ll}[.!?]$/u.test(lines.at(-1)?.text ?? "") &&
    charactersIn(lines) >= lineCharacters * (lines.length - 1)
  );
};
const fullShare = 0.7;

const inSpan = ({ x0, x1 }: Segment, span: Span, spans: readonly Span[]): boolean =>
  spans.findLast(({ from }) => from <= x0 + 1) === span && x1 > span.from;
