import { type Wide, withMergedHead } from "../../blocks/grid.ts";
import { besideOneAnother } from "./beside.ts";
import { columnSpans, groupNames, type Span } from "./columns.ts";
import { amount, maxRowPitch, median } from "./measures.ts";
import type { Box } from "./pdfium.ts";
import { bandsOf, buildRows, linesOver, type Row } from "./rows.ts";
import { type Segment, segmentWidth } from "./segments.ts";

type RegionPart = { kind: "lines"; rows: Row[] } | { kind: "table"; rows: string[][] };

/** Joins two lines of one cell. */
type JoinTwo = (before: string, after: string) => string;

/** No page has room for more of them. */
const maxColumns = 500;

/** A run that is no table is tried again from its next row; after so many cells in all, the rest of a region is lines. */
const mostCellsTried = 200_000;

/** Splits a region into runs of lines and tables. */
export const regionParts = (segments: readonly Segment[], join: JoinTwo, rules: readonly Box[] = []): RegionPart[] => {
  const rows = buildRows(segments);
  const parts: RegionPart[] = [];
  /** Names that stand apart, above the heading of a table or of several. */
  let names: Row | undefined;
  let at = 0;
  let tried = 0;
  while (at < rows.length) {
    const row = rows[at] as Row;
    const ruled = row.cells.find((cell) => cell.table !== undefined);
    if (ruled?.table !== undefined) {
      parts.push({ kind: "table", rows: ruled.table });
      row.cells = row.cells.filter((cell) => cell !== ruled);
      if (row.cells.length === 0) at++;
      continue;
    }
    const end = tried < mostCellsTried ? tableEnd(rows, at, rules) : at;
    tried += rows.slice(at, end).reduce((sum, { cells }) => sum + cells.length, 0);
    const columns = end > at ? besideOneAnother(rows.slice(at, end)) : null;
    if (columns !== null) {
      for (const column of columns) parts.push(...regionParts(column, join, rules));
      at = end;
      continue;
    }
    const head = end > at && names !== undefined && isHeadOf(names, row) ? [names] : [];
    const table = end > at ? tableOf([...head, ...rows.slice(at, end)], join, rules) : null;
    if (table && isNamesAndValues(table)) {
      for (const each of rows.slice(at, end)) parts.push({ kind: "lines", rows: [withColon(each)] });
      at = end;
      continue;
    }
    if (table) {
      for (const part of head.length > 0 ? parts : [])
        if (part.kind === "lines") part.rows = part.rows.filter((one) => one !== names);
      parts.push({ kind: "table", rows: table });
      at = end;
      continue;
    }
    at++;
    if (row.cells.length > 1 && row.cells.every(({ text }) => /^\P{N}*$/u.test(text))) names = row;
    const last = parts.at(-1);
    if (last?.kind === "lines" && rows[at - 2] === last.rows.at(-1)) last.rows.push(row);
    else parts.push({ kind: "lines", rows: [row] });
  }
  return parts;
};

/** Whether names end or begin above the figures of a row, which has a name of its own before them. */
const isHeadOf = ({ cells: names }: Row, { cells: [, ...figures] }: Row): boolean =>
  figures.length === names.length &&
  figures.every(({ text, x0, x1 }, index) => {
    const name = names[index];
    return amount.test(text) && name !== undefined && Math.min(Math.abs(name.x1 - x1), Math.abs(name.x0 - x0)) < 2;
  });

/** Index after the last row of a run that begins at `start` and may be a table. */
const tableEnd = (rows: readonly Row[], start: number, rules: readonly Box[]): number => {
  if ((rows[start]?.cells.length ?? 0) < 2) return start;
  let end = start;
  let last = start;
  let far = 0;
  while (end < rows.length) {
    const row = rows[end];
    const before = rows[end - 1];
    if (!row || row.cells.some((cell) => cell.table !== undefined)) break;
    if (before && end > start && row.y - before.y > maxRowPitch * Math.max(row.size, before.size)) {
      const isRuled = row.y - before.y < maxRuledPitch * row.size && row.cells.length > 1 && far++ < mostRuledRows;
      const lines = isRuled ? linesOver([...before.cells, ...row.cells], rules) : [];
      if (!lines.some((line) => line > before.y && line < row.y)) break;
    }
    if (before && beginsTable(row, rows.slice(start, end), rows[end + 1])) break;
    if (end > start && isHeading(row, rows.slice(Math.max(start, end - rowsBack), end), rows[end + 1])) break;
    if (row.cells.length >= 2) last = end + 1;
    else if (
      end - last >=
      (isInsideColumn(row, rows.slice(Math.max(start, last - rowsBack), last)) ? mostLinesInside : mostLinesBetween)
    )
      break;
    end++;
  }
  return withHangingRows(rows, start, last);
};

/** Rows further apart than this many font heights, with a line drawn between them, belong to different tables. */
const maxRuledPitch = 7;
const mostRuledRows = 200;

/** Only so many rows above are looked at, since a page may have thousands. */
const rowsBack = 20;
const lastOf = (rows: readonly Row[], end: number): Row[] => rows.slice(Math.max(end - rowsBack, 0), end);

/** So many lines may stand between two rows, and so many that lie within a column of a wide table. */
const [mostLinesBetween, mostLinesInside] = [3, 8];
/** Lines below the text of a later column are at most this many font heights apart. */
const maxPitchInside = 2.5;

/** Whether a single text begins below one of a later column, in a wide table. */
const hangsBelow = (row: Row, above: readonly Row[]): boolean => {
  const whole = above.findLast(({ cells }) => cells.length > 1);
  const [only, more] = row.cells;
  if (whole === undefined || only === undefined || more !== undefined || whole.cells.length < manyColumns - 1)
    return false;
  const over = whole.cells.slice(1).find(({ x0 }) => Math.abs(x0 - only.x0) < 0.5 * only.size);
  return over !== undefined && /\p{L}/u.test(only.text) && !amount.test(over.text);
};

/** Whether a single text lies within a column of the rows above, of which several have three texts or more. */
const isInsideColumn = ({ cells: [only, more] }: Row, above: readonly Row[]): boolean => {
  const wide = above.filter(({ cells }) => cells.length > 2);
  if (only === undefined || more !== undefined || wide.length < 2) return false;
  return wide.slice(-2).every(({ cells }) => {
    const at = cells.findLastIndex(({ x0, size }) => x0 < only.x0 + size);
    return at >= 0 && only.x1 < (cells[at + 1]?.x0 ?? Infinity);
  });
};

/**
 * Names with a value each: what stands in the second column is of many kinds, or all of it money, and its first row is no
 * head.
 */
const isNamesAndValues = (table: readonly string[][]): boolean => {
  if (!table.every(([name, ...values]) => name !== "" && values.length === 1 && values[0] !== "")) return false;
  if (table.length <= mostPrices && table.every(([, value = ""]) => money.test(value))) return true;
  const figures = table.filter(([, value = ""]) => amount.test(value) || /^\d[\d./-]*$/.test(value));
  return figures.length > 0 && figures.length < 0.7 * table.length && figures[0] !== table[0];
};

/** An amount with cents, a currency or a percent sign; longer lists of them are tables. */
const money = /^[-–—+(]?\p{Sc}?\s?\d[\d.,’'\s]*(?:[.,]\d\d\)?|\s?[%\p{Sc}]|\s[A-Z]{3})$/u;
const mostPrices = 12;

const withColon = (row: Row): Row => {
  const [name, ...values] = row.cells;
  if (name === undefined || values.length === 0) return row;
  const text = [/[:：]$/.test(name.text) ? name.text : `${name.text}:`, ...values.map((value) => value.text)].join(" ");
  return { ...row, cells: [{ ...name, text, x1: values.at(-1)?.x1 ?? name.x1 }] };
};

/** Below a block of names and values, a row of more columns that is set apart begins another table. */
const beginsTable = (row: Row, run: readonly Row[], below: Row | undefined): boolean => {
  const [before, above] = [run.at(-1), run.at(-2)];
  const isStated = ({ text }: Segment) => /[:：]\s*\S/.test(text);
  const arePairs = run.every(({ cells }) => cells.length < row.cells.length && cells.every(isStated));
  if (before !== undefined && arePairs && row.cells.length > 2 && !row.cells.some(isStated)) return true;
  if (before === undefined || row.cells.length < 3) return false;
  if (above === undefined) {
    // Names of columns set apart from a line of two texts.
    const areNames =
      row.cells.length >= before.cells.length + 2 && row.cells.every(({ text }) => /^\P{N}+$/u.test(text));
    return areNames && below !== undefined && row.y - before.y > setApart * (below.y - row.y);
  }
  const [pitch, pitchAbove] = [row.y - before.y, before.y - above.y];
  if (run.some(({ cells }) => cells.length >= row.cells.length)) return false;
  if (before.cells.length > 1 && row.cells.length >= before.cells.length + 2 && pitch > 1.3 * pitchAbove) return true;
  return row.cells.every(({ text }) => /\p{L}/u.test(text)) && pitch >= setApart * pitchAbove;
};
const setApart = 1.6;

/** A line of larger type, or a whole sentence, is between two tables. */
const isHeading = ({ cells: [only, more], size, y }: Row, above: readonly Row[], below: Row | undefined): boolean => {
  const before = above.at(-1);
  if (only === undefined || more !== undefined || before === undefined) return false;
  const usual = median(above.map((row) => row.size));
  if (size > larger * usual || (only.x0 < (before.cells[1]?.x0 ?? 0) && segmentWidth(only) > sentenceCharacters))
    return true;
  // As large as what stands above, but apart from it, and larger than what follows.
  return below !== undefined && size >= usual && size > larger * below.size && y - before.y > 2 * size;
};
const larger = 1.15;
const sentenceCharacters = 60;

/** Lines below the last row that continue its second or a later column belong to it. */
const withHangingRows = (rows: readonly Row[], start: number, end: number): number => {
  const second = Math.min(...rows.slice(start, end).flatMap(({ cells }) => cells[1]?.x0 ?? []));
  let at = end;
  while (end > start) {
    const row = rows[at];
    const before = rows[at - 1];
    const [only] = row?.cells ?? [];
    if (row === undefined || before === undefined || only === undefined || only.x0 < second - row.size) break;
    const farthest = hangsBelow(row, lastOf(rows, at)) ? maxPitchInside : 1.7;
    if (row.y - before.y > farthest * row.size) break;
    at++;
  }
  return at;
};

/** Of rows with several texts that belong to a table with many columns, one has at least this share of them. */
const filledShare = 0.4;
const manyColumns = 4;

/** The run as a table; null if its cells are not aligned in columns. */
export const tableOf = (
  run: readonly Row[],
  join: JoinTwo = (before, after) => `${before} ${after}`,
  rules: readonly Box[] = [],
): string[][] | null => {
  const rows = run.filter(({ cells }) => !cells.every(({ text }) => /^[-–—_=]{4,}$/.test(text)));
  const several = rows.filter((row) => row.cells.length >= 2);
  const inside = rows.filter((row, index) => isInsideColumn(row, lastOf(rows, index)));
  if (rows.length < 2 || several.length < 2 || several.length < (rows.length - inside.length) * 0.4) return null;
  const columns = columnSpans(several);
  if (columns.length < 2 || columns.length > maxColumns || (several.length < 3 && columns.length < 3)) return null;
  const groups = groupNames(rows, columns, rules);
  const placed = rows.map((row) => placeCells(row, columns, groups));
  const firstTexts = placed.map((cells) => cells[0] ?? "").filter((text) => text !== "");
  // Bullets or numbers with their text are a list.
  if (columns.length === 2 && firstTexts.every((text) => /^([•◦▪‣∙·–—−*-]|\(?[\dA-Za-z]{1,3}[.)])$/.test(text)))
    return null;
  const filled = placed.map(countFilled).filter((count) => count >= 2);
  if (filled.length < several.length * 0.7) return null;
  // Two lines of words are a stretched sentence.
  if (
    rows.length === 2 &&
    placed.flat().some((text) => /^\p{Ll}/u.test(text)) &&
    !placed.flat().some((text) => /\d/.test(text))
  )
    return null;
  // The labels of a chart stand far apart. A sum is a name and a figure, however many columns there are.
  const whole = placed.filter((cells) => !isSum(cells)).map(countFilled);
  if (columns.length >= manyColumns && median(whole.filter((count) => count >= 2)) < filledShare * columns.length)
    return null;
  return withMergedHead(withContinuations(placed, rows, join, groups.size > 0, bandsOf(rows, placed, rules)), [
    [...groups.values()],
  ]);
};

const isSum = (cells: readonly string[]): boolean => {
  const [name = "", figure = "", more] = cells.filter((cell) => cell !== "");
  return more === undefined && /\p{L}/u.test(name) && amount.test(figure);
};

const countFilled = (cells: readonly string[]): number => cells.filter((cell) => cell !== "").length;

const placeCells = (row: Row, columns: readonly Span[], groups: ReadonlyMap<Segment, Wide>): string[] => {
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
    // The name of a sum that stands between two columns is beside the sum, not below other figures.
    const [name, sum, more] = row.cells;
    const isOfSum = cell === name && sum !== undefined && more === undefined && amount.test(sum.text);
    const isBetween = bestOverlap < 0 && cell.x0 > (columns[best]?.to ?? 0);
    if (isOfSum && isBetween && (columns[best + 1]?.to ?? Infinity) < sum.x0) best++;
    best = groups.get(cell)?.column ?? best;
    texts[best] = [texts[best], cell.text].filter(Boolean).join(" ");
  }
  return texts;
};

/**
 * Whether the first cell is missing, and most others too. A row beside a cell merged over rows has most of its cells; one
 * of a name and an amount, such as a sum, stands for itself.
 */
const continuesRow = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => cell !== "");
  if ((cells[0] ?? "") !== "" || filled.length > Math.max(1, cells.length - 2)) return false;
  return filled.length < 2 || !filled.some((cell) => amount.test(cell));
};

/** The baselines of two rows whose lines would touch are less than this many font heights apart. */
const overlap = 0.9;
const maxLeading = 1.6;

/** Whether names over two lines stand at the top, in a font of their own: each of one line beside one of the other. */
const isHeadOfTwo = ([first, second, body]: readonly Row[]): boolean => {
  if (first === undefined || second === undefined || body === undefined) return false;
  const [few, many] = first.cells.length < second.cells.length ? [first, second] : [second, first];
  const names = [...first.cells, ...second.cells];
  return (
    second.y - first.y < 1.5 * second.size &&
    few.cells.length < many.cells.length &&
    names.every(({ text, font }) => font === names[0]?.font && /\p{L}/u.test(text)) &&
    body.cells.every(({ font }) => font !== names[0]?.font) &&
    few.cells.every(({ x0, x1 }) => many.cells.filter((one) => one.x0 < x1 && one.x1 > x0).length === 1)
  );
};

/** Rows with those close below that continue them: their later cells, a name over several lines, or figures beside one. */
const withContinuations = (
  placed: readonly string[][],
  rows: readonly Row[],
  join: JoinTwo,
  hasGroups: boolean,
  bands: readonly number[] | null,
): string[][] => {
  const table: string[][] = [];
  // Where hardly a row has a first cell, its lack says nothing.
  const isNamed = 4 * placed.filter(([name]) => name !== "").length >= placed.length;
  const isNameAlone = (cells: readonly string[] | undefined) =>
    cells !== undefined && cells[0] !== "" && cells.slice(1).every((cell) => cell === "");
  const hasHead = !hasGroups && isHeadOfTwo(rows);
  const rowPitch = Math.min(
    ...rows.slice(1).map(({ y }, at) => (placed[at]?.[0] && placed[at + 1]?.[0] ? y - (rows[at]?.y ?? 0) : Infinity)),
  );
  placed.forEach((cells, index) => {
    const [row, before, above, last] = [rows[index], rows[index - 1], placed[index - 1], table.at(-1)];
    const size = Math.max(row?.size ?? 0, before?.size ?? 0);
    const pitch = (row?.y ?? 0) - (before?.y ?? Number.NEGATIVE_INFINITY);
    const isFree = (other: readonly string[] | undefined) =>
      cells.every((cell, column) => cell === "" || other?.[column] === "");
    // Names of columns below those of groups are a row of their own.
    const isBeside = pitch < overlap * size && isFree(above) && (!hasGroups || table.length > 1 || isFree(last));
    const goesOn = pitch < maxLeading * size && /^\p{Ll}/u.test(cells[0] ?? "") && /^[^\p{Ll}]/u.test(last?.[0] ?? "");
    const isRestOfName = goesOn && (isNameAlone(cells) || isNameAlone(last));
    const isClear = (rows[index + 1]?.y ?? Infinity) - (row?.y ?? 0) >= overlap * size;
    const farthest = row !== undefined && isClear && hangsBelow(row, lastOf(rows, index)) ? maxPitchInside : 1.75;
    // As far from the row above as rows are, several texts that begin anew are a row, such as that of a table beside another.
    const isAnew =
      pitch > 0.95 * rowPitch && countFilled(cells) > 1 && cells.every((cell) => /^[^\p{Ll}]|^$/u.test(cell));
    const isRestOfRow = isNamed && !isAnew && pitch < farthest * size && table.length > 1 && continuesRow(cells);
    const [band = 0, bandAbove = 0] = [bands?.[index], bands?.[index - 1]];
    const isInBand = band > 0 ? band === bandAbove : isBeside || isRestOfName || isRestOfRow;
    if (last && (isInBand || (hasHead && index === 1))) {
      cells.forEach((cell, column) => {
        if (cell !== "") last[column] = last[column] ? join(last[column], cell) : cell;
      });
    } else table.push([...cells]);
  });
  return table;
};
