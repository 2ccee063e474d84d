import { type GridCell, gridRows } from "../../blocks/grid.ts";
import { oneLine } from "../../blocks/tidy-text.ts";
import { childElements, descendants, isElement, type MarkupElement } from "../../markup/markup.ts";
import { inlineText, isHidden } from "./inline.ts";

/** Elements that do not occur in cells of data. */
const structural = ["h1", "h2", "h3", "h4", "table", "pre", "blockquote", "form", "article", "section"];
/** A cell of data may hold a short list. */
const maxListItems = 12;
const maxCellCharacters = 600;

/** Whether a table only places things on the page: its content is then read without the table. */
export const isLayoutTable = (table: MarkupElement): boolean => {
  const role = table.attributes.role;
  if (role === "presentation" || role === "none") return true;
  const rows = ownRows(table);
  const cells = rows.flatMap(ownCells);
  // Of a table inside, they say nothing of this one.
  if ([...cells, ...childElements(table)].some(({ name }) => name === "th" || name === "caption")) return false;
  if (rows.every((row) => ownCells(row).length <= 1)) return true;
  const heavy = cells.filter(
    (cell) =>
      descendants(cell, ...structural).length > 0 ||
      descendants(cell, "p").length > 3 ||
      descendants(cell, "li").length > maxListItems ||
      isLong(cell),
  );
  return heavy.length > 0 && heavy.length >= cells.length * 0.1;
};

const isLong = (cell: MarkupElement): boolean => inlineText(cell, null).length > maxCellCharacters;

/** Cells of a data table, spans laid out; sign and unit columns of financial tables join their number. */
export const tableRows = (table: MarkupElement, baseUrl: string | null): { caption: string; rows: string[][] } => {
  const caption = childElements(table).find((child) => child.name === "caption");
  const grid = ownRows(table).map((row) =>
    ownCells(row).map(
      (cell): GridCell => ({
        text: oneLine(inlineText(cell, baseUrl)),
        columns: span(cell.attributes.colspan),
        rows: span(cell.attributes.rowspan),
      }),
    ),
  );
  return { caption: caption ? oneLine(inlineText(caption, baseUrl)) : "", rows: withoutLooseSigns(gridRows(grid)) };
};

const span = (value: string | undefined): number => Number.parseInt(value ?? "1", 10) || 1;

const ownCells = (row: MarkupElement): MarkupElement[] =>
  childElements(row).filter((child) => (child.name === "td" || child.name === "th") && !isHidden(child));

/** Rows of this table, not of tables inside; head before body before foot, as a browser shows them. */
const ownRows = (table: MarkupElement): MarkupElement[] => {
  const parts = childElements(table).filter((child) => !isHidden(child));
  const rows = (name: string) =>
    parts.filter((part) => part.name === name).flatMap((part) => part.children.filter(isElement));
  const direct = parts.flatMap((part) => (part.name === "tr" ? [part] : part.name === "tbody" ? rowsOf(part) : []));
  return [...rows("thead"), ...direct, ...rows("tfoot")].filter((row) => row.name === "tr" && !isHidden(row));
};

const rowsOf = (part: MarkupElement): MarkupElement[] => childElements(part).filter((child) => child.name === "tr");

/** `$ | 12` becomes `$12`, `(12 | )` becomes `(12)`: such columns exist only to align numbers. */
const withoutLooseSigns = (rows: string[][]): string[][] => {
  return rows.map((row) => {
    const joined = [...row];
    for (let column = 0; column < joined.length; column++) {
      const cell = joined[column] ?? "";
      if (/^[$€£¥]$/.test(cell) && (joined[column + 1] ?? "") !== "") {
        joined[column + 1] = cell + joined[column + 1];
        joined[column] = "";
      } else if (/^[)%]+$/.test(cell) && column > 0 && (joined[column - 1] ?? "") !== "") {
        joined[column - 1] += cell;
        joined[column] = "";
      }
    }
    return joined;
  });
};
