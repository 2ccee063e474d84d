import type { Block } from "../../blocks/blocks.ts";
import { createRepeatBudget, type GridCell, gridRows } from "../../blocks/grid.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import { childElements, childNamed, type MarkupElement } from "../../markup/markup.ts";
import type { RunText } from "./run-text.ts";
import { value } from "./styles.ts";

/** How the document part that contains a table reads what the table's cells hold. */
export interface CellReader {
  blocks(container: MarkupElement): Block[];
  text: RunText;
}

/** A longer cell holds text laid out in a table, not data. */
const maxCellCharacters = 600;

/** A table; of one that only frames text, the text. */
export const readTable = (table: MarkupElement, reader: CellReader): Block[] => {
  const rows = rowsOf(table).map((row) => cellsOf(row));
  const cells = rows.flat();
  const isFrame =
    rows.every((row) => row.length <= 1) || cells.some((cell) => cellText(cell, reader).length > maxCellCharacters);
  if (isFrame) return cells.flatMap((cell) => reader.blocks(cell));
  return [{ kind: "table", rows: gridRows(withMergedRows(rows, reader)) }];
};

const rowsOf = (table: MarkupElement): MarkupElement[] => flattened(table, "w:tr");
const cellsOf = (row: MarkupElement): MarkupElement[] => flattened(row, "w:tc");

/** Children of that name, also where content controls or tracked insertions wrap them. */
const flattened = (parent: MarkupElement, name: string): MarkupElement[] => {
  return childElements(parent).flatMap((child) => {
    if (child.name === name) return [child];
    return /^w:(sdt|sdtContent|customXml|ins)$/.test(child.name) ? flattened(child, name) : [];
  });
};

/** All text of a cell, that of tables inside it included; the hidden text of merged cells is left out. */
const cellText = (cell: MarkupElement, reader: CellReader): string => {
  const text = (element: MarkupElement): string =>
    childElements(element)
      .map((child) => {
        if (child.name === "w:p") return reader.text(child);
        return child.name === "w:tc" && continuesMerge(child) ? "" : text(child);
      })
      .join(" ");
  return oneLine(text(cell));
};

const continuesMerge = (cell: MarkupElement): boolean => {
  const merge = childNamed(childNamed(cell, "w:tcPr"), "w:vMerge");
  return merge !== null && merge.attributes["w:val"] !== "restart";
};

/** Text merged over rows is put into each of them. */
const withMergedRows = (rows: readonly MarkupElement[][], reader: CellReader): GridCell[][] => {
  const above = new Map<number, string>();
  const take = createRepeatBudget();
  return rows.map((row) => {
    let column = 0;
    return row.map((cell): GridCell => {
      const properties = childNamed(cell, "w:tcPr");
      const columns = Number(value(properties, "w:gridSpan") ?? "1") || 1;
      const merged = continuesMerge(cell) ? (above.get(column) ?? "") : null;
      if (merged !== null) take(merged, 1);
      const text = merged ?? cellText(cell, reader);
      above.set(column, text);
      column += columns;
      return { text, columns, rows: 1 };
    });
  });
};
