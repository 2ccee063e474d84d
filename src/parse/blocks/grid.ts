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

/**
 * A table whose first row names groups of columns, each name over all of its group, and whose second one names the
 * columns, with both in one row: `North Units`.
 */
export const withGroupsInHead = (rows: string[][]): string[][] => {
  const [groups = [], names = [], first] = rows;
  const count = (row: readonly string[]) => row.filter((text) => text.trim() !== "").length;
  const isOverSeveral = groups.some((text, column) => text.trim() !== "" && groups[column + 1] === text);
  if (first === undefined || !isOverSeveral || count(names) < count(groups)) return rows;
  if (names.some(isNumber) || !first.some(isNumber)) return rows;
  const head = names.map((name, column) => [...new Set([groups[column] ?? "", name])].filter(Boolean).join(" "));
  return [head, ...rows.slice(2)];
};

/**
 * Lays merged cells out: a cell over several columns is put into the first of them; one over several rows into each,
 * because a row must be understandable alone.
 */
export const gridRows = (grid: readonly (readonly GridCell[])[]): string[][] => {
  /** Per column, the text of a cell that spans further rows. */
  const spanning = new Map<number, { text: string; left: number }>();
  const take = createRepeatBudget();
  return grid.map((cells) => {
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
};
