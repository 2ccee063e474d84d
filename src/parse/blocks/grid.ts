import { unreadable } from "./blocks.ts";

/** Counted as rows times columns, however few cells the file names: spans, repeats and one long row make more. */
const maxTableCells = 10_000_000;

/** For a table that is about to be built. @throws ApiError 422 where it would have too many cells */
export const checkTableSize = (rows: number, columns: number): void => {
  if (rows * columns <= maxTableCells) return;
  throw unreadable(
    `A table of ${rows} rows and ${columns} columns has more than ${maxTableCells} cells. Split it, or shorten its longest row.`,
  );
};

type TableBudget = (text: string, times: number) => void;

/** For the cells of a table that is being written. @throws ApiError 422 where they are too many or too long together */
export const createTableBudget = (): TableBudget =>
  createBudget(maxTableCells, 200_000_000, (cells, characters) => {
    return `A table has more than ${cells} cells, or more than ${characters} characters. Split it.`;
  });

/**
 * For cells that the file states once and that the table holds several times: merged or repeated ones.
 * @throws ApiError 422 where they are too many or too long together
 */
export const createRepeatBudget = (): TableBudget =>
  createBudget(1_000_000, 20_000_000, (cells, characters) => {
    return `A table repeats its merged cells more than ${cells} times, or to more than ${characters} characters. Unmerge them.`;
  });

const createBudget = (
  maxCells: number,
  maxCharacters: number,
  describe: (maxCells: number, maxCharacters: number) => string,
): TableBudget => {
  let cells = 0;
  let characters = 0;
  return (text, times) => {
    cells += times;
    characters += text.length * times;
    if (cells > maxCells || characters > maxCharacters) throw unreadable(describe(maxCells, maxCharacters));
  };
};

/** A cell as a file states it, with the number of columns and rows it covers. */
export interface GridCell {
  text: string;
  columns: number;
  rows: number;
}

const maxColumns = 1_000;
const maxRowSpan = 10_000;

export const isNumber = (text: string): boolean =>
  /^[-–—+(]?\p{Sc}?\s?[\d.,]+\s?\)?[%\p{Sc}]?$|^[–—-]$/u.test(text.trim());

/** A cell over several columns. */
export interface Wide {
  column: number;
  lastColumn: number;
}

const maxGroupColumns = 30;

/**
 * Puts the name of a group of columns over each of them. A title, which goes over all columns of the table, and what is
 * merged over fewer than two names or cells stay as they are.
 * @param below the cells of the next row; `ends`: the first and the last column of the table
 */
export const spreadName = (
  head: Map<number, string>,
  { column, lastColumn }: Wide,
  below: ReadonlyMap<number, string>,
  ends: { first: number; last: number },
): void => {
  const text = head.get(column);
  if (text === undefined || lastColumn <= column || lastColumn - column > maxGroupColumns) return;
  const isTitle = column <= ends.first && (head.size < 2 || lastColumn >= ends.last);
  if (isTitle || [...below.keys()].filter((at) => at >= column && at <= lastColumn).length < 2) return;
  for (let at = column + 1; at <= lastColumn; at++) if (!head.has(at)) head.set(at, text);
};

/** The figures of a table's first rows tell its names from its values. */
const tellingRows = 10;
/** Columns that are counted, or years. */
const counted = /^(?:\d{1,2}|(?:19|20)\d\d)$/;

/**
 * A table whose first row names groups of columns, each name over all of its group, and whose second one names the
 * columns, with both in one row: `North Units`.
 */
export const withGroupsInHead = (rows: string[][]): string[][] => {
  const [groups = [], names = [], first] = rows;
  const isInGroup = groups.map((text, at) => text.trim() !== "" && [groups[at - 1], groups[at + 1]].includes(text));
  const areNamed = isInGroup.every((isIn, at) => !isIn || (names[at] ?? "").trim() !== "");
  if (first === undefined || !isInGroup.includes(true) || !areNamed) return rows;
  const figures = names.map((text, at) => (isNumber(text) ? at : -1)).filter((at) => at >= 0);
  // Numbers name columns where they count up in each group.
  const isCounted = figures.every((at) => {
    const isFirst = groups[at - 1] !== groups[at];
    return isInGroup[at] && counted.test(names[at] ?? "") && (isFirst || Number(names[at - 1]) < Number(names[at]));
  });
  // A row of names has none of its own under the first name of the head.
  const isOverNames = groups.some((text, at) => text.trim() !== "" && text === names[at]);
  const isCorner = isOverNames || isInGroup[0] || names[0] === "" || (groups[0] ?? "").trim() === "";
  const isBeforeValues = rows.slice(2, 2 + tellingRows).some((row) => row.some((text) => /^\W?\d/.test(text)));
  // No cell is of the head and of the rows below it.
  const goesOn = names.some((text, at) => text.trim() !== "" && text === first[at]);
  if (!isCorner || goesOn || (figures.length > 0 ? !isCounted : !isOverNames && !isBeforeValues)) return rows;
  const head = names.map((name, column) => [...new Set([groups[column] ?? "", name])].filter(Boolean).join(" "));
  return withGroupsInHead([head, ...rows.slice(2)]);
};

/** The head of a table has at most this many rows. */
const maxHeadRows = 4;

/**
 * Lays merged cells out: a cell over several columns is put into the first of them, the name of a group of columns into
 * their names; one over several rows into each, because a row must be understandable alone.
 */
export const gridRows = (grid: readonly (readonly GridCell[])[]): string[][] => {
  /** Per column, the text of a cell that spans further rows. */
  const spanning = new Map<number, { text: string; left: number }>();
  const take = createRepeatBudget();
  const wide: Wide[][] = [];
  const rows = grid.map((cells, number) => {
    const row: string[] = [];
    const takeSpanning = () => {
      for (let over = spanning.get(row.length); over; over = spanning.get(row.length)) {
        if (--over.left === 0) spanning.delete(row.length);
        take(over.text, 1);
        row.push(over.text);
      }
    };
    for (const cell of cells) {
      takeSpanning();
      const columns = Math.min(Math.max(cell.columns, 1), maxColumns);
      if (number < maxHeadRows && columns > 1) {
        wide[number] = [...(wide[number] ?? []), { column: row.length, lastColumn: row.length + columns - 1 }];
      }
      for (let offset = 0; offset < columns && row.length < maxColumns; offset++) {
        const text = offset === 0 ? cell.text : "";
        const left = Math.min(cell.rows, maxRowSpan) - 1;
        if (left > 0) spanning.set(row.length, { text, left });
        if (offset > 0) take(text, 1);
        row.push(text);
      }
    }
    takeSpanning();
    return row;
  });
  return withMergedHead(rows, wide);
};

/** @param wide the cells over several columns, by their row */
export const withMergedHead = (rows: string[][], wide: readonly (readonly Wide[] | undefined)[]): string[][] => {
  if (wide[0] === undefined || wide[0].length === 0) return rows;
  const filled = (row: readonly string[] = []) => new Map([...row.entries()].filter(([, text]) => text.trim() !== ""));
  const last = Math.max(...rows.slice(0, maxHeadRows).map(({ length }) => length)) - 1;
  const spread = rows.map((row, number) => {
    const cells = filled(row);
    for (const one of wide[number] ?? []) spreadName(cells, one, filled(rows[number + 1]), { first: 0, last });
    return number < wide.length ? row.map((_, column) => cells.get(column) ?? "") : row;
  });
  const joined = withGroupsInHead(spread);
  return joined === spread ? rows : joined;
};
