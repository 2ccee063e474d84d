import { unreadable } from "../failure.ts";

/** Counted as rows times columns, however few cells the file names: spans, repeats and one long row make more. */
export const maxTableCells = 10_000_000;
const maxTableCharacters = 200_000_000;

/** For a table that is about to be built. @throws ApiError 422 where it would have too many cells */
export const checkTableSize = (rows: number, columns: number): void => {
  if (rows * columns <= maxTableCells) return;
  throw unreadable(
    `A table of ${rows} rows and ${columns} columns has more than ${maxTableCells} cells. Split it, or shorten its longest row.`,
  );
};

/** For cells that a file repeats. @throws ApiError 422 where they are too many, or their texts too long together */
export const createTableBudget = (): ((text: string, times: number) => void) => {
  let cells = 0;
  let characters = 0;
  return (text, times) => {
    cells += times;
    characters += text.length * times;
    if (cells > maxTableCells) throw unreadable(`A table has more than ${maxTableCells} cells. Split it.`);
    if (characters > maxTableCharacters) {
      throw unreadable("A table repeats its merged or repeated cells to more text than can be read.");
    }
  };
};
