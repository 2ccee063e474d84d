import Papa from "papaparse";
import { pipeCells } from "../quote/cells.ts";

/** A table as it stands in a document's text. */
export interface DocumentTable {
  /** Names of the columns; empty names where it has no head. */
  head: string[];
  /** Without the head; each with as many cells as the head has, or fewer. */
  rows: string[][];
  /** Where it stands in the text, in UTF-16 code units. */
  start: number;
  end: number;
}

/** Rows that are read, at most: some ten times the largest sheets of people. */
const maxRows = 200_000;
const maxColumns = 200;
/** Lines that are looked at for the beginning of a table before a snippet: as many as a table may have. */
const delimiterRow = /^\|?[\s:|-]+$/;
const pipeRow = /^\s{0,8}\|/;

interface Line {
  start: number;
  end: number;
}

/**
 * The tables that a part of a text lies in or holds, whole: Markdown tables, and lines of values with the same separator
 * (csv that came as plain text).
 */
export const tablesAt = (text: string, start: number, end: number): DocumentTable[] => {
  const tables: DocumentTable[] = [];
  for (let at = startOfLine(text, start); at < end && at < text.length; ) {
    const line = lineAt(text, at);
    const isRow = isPipeRow(text, line) ? pipes : separatorOf(text, line);
    if (isRow === null) {
      at = line.end + 1;
      continue;
    }
    const table = isRow === pipes ? pipeTable(text, line) : separatedTable(text, line, isRow);
    if (table !== null) tables.push(table);
    at = Math.max(line.end + 1, (table?.end ?? 0) + 1);
  }
  return tables;
};

const pipes = "|";

const startOfLine = (text: string, at: number): number =>
  text.lastIndexOf("\n", Math.max(0, at - 1)) + (at === 0 ? 0 : 1);

const lineAt = (text: string, start: number): Line => {
  const end = text.indexOf("\n", start);
  return { start, end: end < 0 ? text.length : end };
};

const isPipeRow = (text: string, { start, end }: Line): boolean => {
  const head = text.slice(start, Math.min(end, start + 2_000));
  return pipeRow.test(head) || head.includes(" | ");
};

/** The lines around one that are of the same kind, in order. */
const linesLike = (text: string, line: Line, isLike: (line: Line) => boolean): Line[] => {
  const before: Line[] = [];
  for (let at = line.start; at > 0 && before.length < maxRows; ) {
    const start = text.lastIndexOf("\n", at - 2) + 1;
    const previous = { start, end: at - 1 };
    if (!isLike(previous)) break;
    before.push(previous);
    at = start;
  }
  const lines = [...before.reverse(), line];
  for (let at = line.end + 1; at < text.length && lines.length < maxRows; ) {
    const next = lineAt(text, at);
    if (!isLike(next)) break;
    lines.push(next);
    at = next.end + 1;
  }
  return lines;
};

const pipeTable = (text: string, line: Line): DocumentTable | null => {
  const lines = linesLike(text, line, (other) => isPipeRow(text, other));
  const [first, second] = lines;
  const last = lines.at(-1);
  if (first === undefined || second === undefined || last === undefined) return null;
  const hasHead = delimiterRow.test(text.slice(second.start, Math.min(second.end, second.start + 4_000)));
  const cells = (each: Line): string[] => cellsOf(text.slice(each.start, each.end));
  const rows = lines.slice(hasHead ? 2 : 1).map(cells);
  return rows.length === 0 ? null : { head: cells(first), rows, start: first.start, end: last.end };
};

/** Bounded, and without line breaks. */
const cellsOf = (row: string): string[] =>
  pipeCells(row)
    .slice(0, maxColumns)
    .map((cell) =>
      cell
        .replace(/<br\s{0,2}\/?>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    );

const separators = ["\t", ";", ","] as const;
type Separator = (typeof separators)[number];
/** Lines that begin alike before they are taken for a table, and columns: prose has commas too. */
const minLines = 3;
const minColumns = { "\t": 2, ";": 2, ",": 3 } as const;

/** What separates the values of a line and of those beside it; null for prose. */
const separatorOf = (text: string, line: Line): Separator | null => {
  for (const separator of separators) {
    const columns = columnsIn(text, line, separator);
    if (columns < minColumns[separator]) continue;
    const like = (other: Line): boolean => columnsIn(text, other, separator) === columns;
    let count = 1;
    for (let at = line.end + 1; at < text.length && count < minLines; count++) {
      const next = lineAt(text, at);
      if (!like(next)) break;
      at = next.end + 1;
    }
    for (let at = line.start; at > 0 && count < minLines; count++) {
      const start = text.lastIndexOf("\n", at - 2) + 1;
      if (!like({ start, end: at - 1 })) break;
      at = start;
    }
    if (count >= minLines) return separator;
  }
  return null;
};

/** Sentences have a space after each comma and letters before it; values mostly have none. */
const columnsIn = (text: string, { start, end }: Line, separator: Separator): number => {
  const line = text.slice(start, Math.min(end, start + 4_000));
  if (line.trim() === "" || (separator === "," && /[.!?]\s*$/.test(line))) return 0;
  if (!line.includes('"')) return line.split(separator).length;
  return Papa.parse<string[]>(line, { delimiter: separator }).data[0]?.length ?? 0;
};

const separatedTable = (text: string, line: Line, separator: Separator): DocumentTable | null => {
  const columns = columnsIn(text, line, separator);
  const lines = linesLike(text, line, (other) => columnsIn(text, other, separator) === columns);
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined || last === undefined) return null;
  const parsed = Papa.parse<string[]>(text.slice(first.start, last.end), { delimiter: separator }).data;
  const [head = [], ...rows] = parsed.map((cells) => cells.slice(0, maxColumns).map((cell) => cell.trim()));
  const isHead = head.every((cell) => cell !== "" && !/^[\d.,\s]+$/.test(cell)) && new Set(head).size === head.length;
  if (!isHead || rows.length === 0) return null;
  return { head, rows, start: first.start, end: last.end };
};
