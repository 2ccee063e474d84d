import type { Block } from "./blocks.ts";
import { checkTableSize, isNumber, spreadName, withGroupsInHead } from "./grid.ts";

/** A row by number from 0, with its texts by column from 0. Gaps are empty. */
export interface SheetRow {
  row: number;
  cells: Map<number, string>;
}

/** A row without gaps: a map for each would double the memory of a large table. */
interface FullRow {
  row: number;
  cells: readonly string[];
}

type Row = SheetRow | FullRow;

/** The header of a table may be separated from its rows by this many empty rows, and have this many rows itself. */
const headGap = 2;
const maxHeadRows = 4;

/** `55` → `BC`. */
export const lettersOf = (column: number): string =>
  column <= 0 ? "" : `${lettersOf(Math.floor((column - 1) / 26))}${String.fromCharCode(65 + ((column - 1) % 26))}`;

/** A sheet as a page with its name as heading; nothing for an empty one. */
export const sheetBlocks = (page: number, name: string, rows: readonly SheetRow[]): Block[] => {
  const blocks = rowBlocks(rows);
  if (blocks.length === 0) return [];
  return [{ kind: "page", page }, { kind: "heading", level: 1, text: name }, ...blocks];
};

/**
 * Rows between empty rows belong together: lines of one cell above a table (titles, remarks) are paragraphs, what
 * follows is the table, its first row the header. A header that is separated from its rows is joined to them.
 */
export const rowBlocks = (rows: readonly Row[]): Block[] => {
  const filled = rows.filter(({ cells }) => cells.values().some((text) => text.trim() !== ""));
  const groups: Row[][] = [];
  for (const row of filled) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last && before && row.row - before.row === 1) last.push(row);
    else groups.push([row]);
  }
  const parted = groups.flatMap(sideBySide);
  groups.splice(0, groups.length);
  for (const group of parted) groups.push(group);
  const blocks: Block[] = [];
  for (let at = 0; at < groups.length; at++) {
    const { lines, body } = splitGroup(groups[at] ?? []);
    for (const line of lines) blocks.push(line);
    if (body.length === 0) continue;
    const next = splitGroup(groups[at + 1] ?? []);
    if (next.lines.length === 0 && isHeadOf(body, next.body)) {
      blocks.push(tableOf([joinedHead(body), ...next.body]));
      at++;
    } else blocks.push(tableOf(isSumOf(body, next.body) ? [...body, ...(groups[++at] ?? [])] : body));
  }
  return blocks;
};

/** Whether the row after an empty one sums a table: a name below its names, figures below its columns. */
const isSumOf = (table: readonly Row[], sums: readonly Row[]): boolean => {
  const [[, name = ""] = [], ...figures] = sums.length === 1 && table.length > 2 ? texts(sums[0] as Row) : [];
  const columns = new Set(table.flatMap((row) => texts(row).map(([column]) => column)));
  return (
    !isNumber(name) && figures.every(([column]) => columns.has(column)) && figures.some(([, text]) => isNumber(text))
  );
};

const texts = (row: Row): [number, string][] => [...row.cells.entries()].filter(([, text]) => text.trim() !== "");

const textAt = ({ cells }: Row, column: number): string => ("get" in cells ? cells.get(column) : cells[column]) ?? "";

/** Tables side by side, and notes beside a table, have at least this many empty columns between them, or show it. */
const minEmptyColumns = 2;
const maxPartedRows = 20_000;

/** Rows with wide empty columns in them as the tables that stand side by side, from left to right. */
const sideBySide = (rows: Row[]): Row[][] => {
  if (rows.length > maxPartedRows) return [rows];
  const used = [...new Set(rows.flatMap((row) => texts(row).map(([column]) => column)))].sort((a, b) => a - b);
  const starts = used.filter((column, index) => {
    const empty = column - (used[index - 1] ?? column) - 1;
    return empty >= minEmptyColumns || (empty === 1 && areTables(rows, column));
  });
  const parts = [used[0] ?? 0, ...starts].map((from, index) => {
    const to = starts[index] ?? Number.POSITIVE_INFINITY;
    return rows.flatMap((row): Row[] => {
      const cells = texts(row).filter(([column]) => column >= from && column < to);
      return cells.length === 0 ? [] : [{ row: row.row, cells: new Map(cells) }];
    });
  });
  // A part that is mostly numbers has its names in the part before.
  const isOwn = (part: readonly Row[]) =>
    part.filter((row) => !isNumber(texts(row)[0]?.[1] ?? "0")).length * 2 > part.length;
  return starts.length > 0 && parts.every(isOwn) ? parts : [rows];
};

/**
 * Whether tables that stand left of a column and from it on are two: both have names over their columns, and one of them
 * goes on above or below the other, or both name the same.
 */
const areTables = (rows: readonly Row[], column: number): boolean => {
  const [left, right] = [(at: number) => at < column, (at: number) => at >= column].map((isIn) => {
    const own = rows.map((row) => texts(row).filter(([at]) => isIn(at)));
    const first = own.findIndex((cells) => cells.length > 0);
    const names = (own[first] ?? []).map(([, text]) => text);
    return { first, last: own.findLastIndex((cells) => cells.length > 0), names };
  });
  if (!left || !right || [left, right].some(({ names }) => names.length < 2 || names.some(isNumber))) return false;
  return (
    left.first !== right.first || left.last !== right.last || right.names.some((name) => left.names.includes(name))
  );
};

const splitGroup = (rows: readonly Row[]): { lines: Block[]; body: Row[] } => {
  const wide = rows.findIndex((row) => texts(row).length > 1);
  // A name alone over a later column belongs to the table: its corner is empty.
  const [before, after] = [texts(rows[wide - 1] ?? { row: 0, cells: [] }), texts(rows[wide] ?? { row: 0, cells: [] })];
  const isHead = before.length === 1 && (before[0]?.[0] ?? 0) > (after[0]?.[0] ?? Infinity);
  const firstWide = isHead ? wide - 1 : wide;
  const above = firstWide < 0 ? rows : rows.slice(0, firstWide);
  return {
    lines: above.map((row) => ({
      kind: "paragraph",
      text: texts(row)
        .map(([, text]) => text)
        .join(" "),
    })),
    body: firstWide < 0 ? [] : rows.slice(firstWide),
  };
};

/** A few rows of words, shortly above rows of numbers in the same columns. */
const isHeadOf = (head: readonly Row[], body: readonly Row[]): boolean => {
  const last = head.at(-1);
  const first = body[0];
  if (!last || !first || head.length > maxHeadRows || first.row - last.row - 1 > headGap) return false;
  const headCells = head.flatMap(texts);
  const named = new Set(headCells.map(([column]) => column));
  const numbers = body.flatMap(texts).filter(([, text]) => isNumber(text));
  return (
    numbers.length >= body.length &&
    headCells.every(([, text]) => !isNumber(text)) &&
    texts(first).filter(([column]) => named.has(column)).length >= texts(first).length * 0.6
  );
};

const joinedHead = (rows: readonly Row[]): SheetRow => {
  const cells = new Map<number, string>();
  for (const row of rows) {
    for (const [column, text] of texts(row)) {
      const before = cells.get(column);
      if (before !== text) cells.set(column, [before, text].filter(Boolean).join(" "));
    }
  }
  return { row: rows[0]?.row ?? 0, cells };
};

const tableOf = (rows: readonly Row[]): Block => {
  const used = new Set<number>();
  for (const row of rows) for (const [column] of texts(row)) used.add(column);
  checkTableSize(rows.length, used.size);
  const columns = [...used].sort((a, b) => a - b);
  return { kind: "table", rows: withGroupsInHead(rows.map((row) => columns.map((column) => textAt(row, column)))) };
};

/** A merged cell: its first row and column, and its last ones, from 0. */
export interface Merge {
  row: number;
  lastRow: number;
  column: number;
  lastColumn: number;
}

const maxFill = 100_000;

/**
 * Repeats merged cells in each row, because a row must be understandable alone, and the merged name of a group of columns
 * over each of them. A title, which goes over all columns of the sheet, and what is merged over empty rows stay as they are.
 */
export const fillMerged = (rows: readonly SheetRow[], merges: readonly Merge[]): void => {
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  const used = rows.flatMap(({ cells }) => [...cells.keys()]);
  const [first, last] = [used.reduce((a, b) => Math.min(a, b), Infinity), used.reduce((a, b) => Math.max(a, b), -1)];
  let filled = 0;
  for (const { row, lastRow, column } of merges) {
    const text = byNumber.get(row)?.cells.get(column);
    if (text === undefined) continue;
    for (let number = row + 1; number <= lastRow && filled < maxFill; number++, filled++) {
      const below = byNumber.get(number);
      // A row with nothing of its own is only the lower part of the merged cell.
      if (below && below.cells.size > 0 && !below.cells.has(column)) below.cells.set(column, text);
    }
  }
  for (const merge of merges) {
    const [head, below] = [byNumber.get(merge.row)?.cells, byNumber.get(merge.lastRow + 1)?.cells];
    if (head && below) spreadName(head, merge, below, { first, last });
  }
};
