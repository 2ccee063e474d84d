import type { GridCell } from "../../blocks/grid.ts";
import { createRepeatBudget } from "../../blocks/grid.ts";
import type { SheetRow } from "../../blocks/sheet-blocks.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import { childElements, descendants, type MarkupElement } from "../../markup/markup.ts";
import { inlineText, type TextStyles } from "./text.ts";

/** Spreadsheets end with a million repeated empty rows: empty repeats are skipped, others bounded. */
const maxRepeat = 1_000;

const rowsOf = (table: MarkupElement): MarkupElement[] => {
  return childElements(table).flatMap((child) => {
    if (child.name === "table:table-row") return [child];
    return /^table:table-(header-rows|rows|row-group)$/.test(child.name) ? rowsOf(child) : [];
  });
};

const cellsOf = (row: MarkupElement): MarkupElement[] =>
  childElements(row).filter((cell) => cell.name === "table:table-cell" || cell.name === "table:covered-table-cell");

const repeat = (element: MarkupElement, name: string): number => Number(element.attributes[name] ?? "1") || 1;

/** Cells of a table in a text; covered cells are left out. */
export const tableCells = (table: MarkupElement, styles: TextStyles): GridCell[][] => {
  const take = createRepeatBudget();
  return rowsOf(table).map((row) =>
    cellsOf(row).flatMap((cell): GridCell[] => {
      if (cell.name === "table:covered-table-cell") return [];
      const one: GridCell = {
        text: cellText(cell, styles),
        columns: repeat(cell, "table:number-columns-spanned"),
        rows: repeat(cell, "table:number-rows-spanned"),
      };
      const times = Math.min(repeat(cell, "table:number-columns-repeated"), 50);
      take(one.text, times - 1);
      return new Array<GridCell>(times).fill(one);
    }),
  );
};

/** Cells of a sheet by row and column, merged ones in each row they reach into. */
export const sheetRows = (table: MarkupElement, styles: TextStyles): SheetRow[] => {
  const rows: SheetRow[] = [];
  const take = createRepeatBudget();
  /** Texts merged downwards, by column. */
  const spanning = new Map<number, { text: string; left: number }>();
  let number = 0;
  for (const element of rowsOf(table)) {
    const cells = new Map<number, string>();
    let column = 0;
    for (const cell of cellsOf(element)) {
      const times = repeat(cell, "table:number-columns-repeated");
      const over = spanning.get(column);
      const text = cell.name === "table:covered-table-cell" && over ? over.text : sheetCellText(cell, styles);
      if (over && --over.left === 0) spanning.delete(column);
      const down = repeat(cell, "table:number-rows-spanned") - 1;
      if (down > 0) spanning.set(column, { text, left: Math.min(down, maxRepeat) });
      if (text !== "") {
        take(text, Math.min(times, maxRepeat) - 1);
        for (let step = 0; step < Math.min(times, maxRepeat); step++) cells.set(column + step, text);
      }
      column += times;
    }
    const times = repeat(element, "table:number-rows-repeated");
    if (cells.size > 0) {
      const copies = Math.min(times, maxRepeat) - 1;
      if (copies > 0) for (const text of cells.values()) take(text, copies);
      for (let step = 0; step < Math.min(times, maxRepeat); step++) rows.push({ row: number + step, cells });
    }
    number += times;
  }
  return rows;
};

const cellText = (cell: MarkupElement, styles: TextStyles): string =>
  oneLine(
    descendants(cell, "text:p", "text:h", "office:annotation")
      .filter((part) => part.name !== "office:annotation")
      .map((part) => inlineText(part, styles))
      .join(" "),
  );

/** Dates in ISO 8601 and numbers as stored, because their display depends on the author's language. */
const sheetCellText = (cell: MarkupElement, styles: TextStyles): string => {
  const { attributes } = cell;
  const value = attributes["office:value"];
  switch (attributes["office:value-type"]) {
    case "date":
      return (attributes["office:date-value"] ?? "").replace("T", " ").replace(/ 00:00:00(\.0+)?$/, "");
    case "time": {
      const match = /^PT(\d+)H(\d+)M(\d+)/.exec(attributes["office:time-value"] ?? "");
      return match ? `${match[1]}:${match[2]}${match[3] === "00" ? "" : `:${match[3]}`}` : cellText(cell, styles);
    }
    case "percentage":
      return value === undefined ? cellText(cell, styles) : `${Number((Number(value) * 100).toPrecision(12))}%`;
    case "float":
    case "currency":
      return value === undefined ? cellText(cell, styles) : String(Number(Number(value).toPrecision(15)));
    default:
      return cellText(cell, styles);
  }
};
