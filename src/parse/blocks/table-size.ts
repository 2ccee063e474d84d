import { unreadable } from "../failure.ts";

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
