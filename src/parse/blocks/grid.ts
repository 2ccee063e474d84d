import { createRepeatBudget } from "./table-size.ts";

/** A cell as a file states it, with the number of columns and rows it covers. */
export interface GridCell {
  text: string;
  columns: number;
  rows: number;
}

const maxColumns = 1_000;
const maxRowSpan = 10_000;

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
