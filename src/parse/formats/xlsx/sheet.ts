import { Parser } from "htmlparser2";
import { fillMerged, type Merge, type SheetRow } from "../../blocks/sheet-blocks.ts";
import { columnNumber, maxFormulaCharacters, shiftedFormula } from "./compute.ts";
import { type NumberKind, showNumber } from "./number-format.ts";

export interface SheetContext {
  strings: readonly string[];
  formats: readonly NumberKind[];
  is1904: boolean;
  /** Whether the program that wrote the workbook left the computing to others: it may have stored 0 for each formula. */
  isUncomputed?: boolean;
  /** Called for each cell as it is stored. @param formula empty where the value is stored */
  onCell?(row: number, column: number, cell: { type: string; value: string; formula: string }): void;
}

interface ReadSheet {
  rows: SheetRow[];
  isCut: boolean;
  /** Cells whose formula has no stored value; their text is the formula. */
  formulas: { row: SheetRow; column: number; style: number }[];
  links: readonly { reference: string; id: string; location: string }[];
}

const maxCells = 3_000_000;

/** Reads a worksheet's cells as they are shown, without building a tree of it. Merged cells fill down; names of groups of columns across. */
export const readSheet = (xml: string, context: SheetContext): ReadSheet => {
  const rows: SheetRow[] = [];
  const merges: Merge[] = [];
  let row: SheetRow | null = null;
  let cell: { column: number; type: string; style: number; value: string; formula: string; reference: string } | null =
    null;
  let isCapturing = false;
  let isFormula = false;
  const formulas: ReadSheet["formulas"] = [];
  /** Formulas that several cells share, by their index, with the place of the cell that states them. */
  const shared = new Map<string, { formula: string; row: number; column: number }>();
  let sharedIndex: string | null = null;
  const links: { reference: string; id: string; location: string }[] = [];
  let count = 0;
  /** The column of a cell that does not state its own. */
  let nextColumn = 0;
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        const name = local(qualified);
        if (name === "row") {
          const stated = Number(attributes.r) - 1;
          row = { row: Number.isInteger(stated) ? stated : (rows.at(-1)?.row ?? -1) + 1, cells: new Map() };
          rows.push(row);
          nextColumn = 0;
        } else if (name === "c" && row) {
          cell = {
            column: columnOf(attributes.r) ?? nextColumn,
            type: attributes.t ?? "n",
            style: Number(attributes.s ?? "0"),
            value: "",
            formula: "",
            reference: attributes.r ?? "",
          };
        } else if (name === "v" || name === "t") isCapturing = true;
        else if (name === "f") {
          isFormula = true;
          sharedIndex = attributes.t === "shared" ? (attributes.si ?? null) : null;
        } else if (name === "hyperlink" && links.length < maxLinks)
          links.push({
            reference: attributes.ref ?? "",
            id: attributes["r:id"] ?? "",
            location: attributes.location ?? "",
          });
        else if (name === "rPh") isCapturing = false;
        else if (name === "mergeCell") merges.push(...mergeOf(attributes.ref));
      },
      ontext(text) {
        if (isFormula && cell) cell.formula = (cell.formula + text).slice(0, maxFormulaCharacters + 1);
        else if (isCapturing && cell) cell.value += text;
      },
      onclosetag(qualified) {
        const name = local(qualified);
        if (name === "v" || name === "t") isCapturing = false;
        else if (name === "f") isFormula = false;
        else if (name === "c" && cell && row) {
          const place = { row: row.row, column: cell.column };
          const before = sharedIndex === null ? undefined : shared.get(sharedIndex);
          if (sharedIndex !== null && before === undefined)
            shared.set(sharedIndex, { ...place, formula: cell.formula });
          if (before !== undefined && cell.formula.trim() === "" && cell.value.trim() === "")
            cell.formula = shiftedFormula(before.formula, place.row - before.row, place.column - before.column);
          sharedIndex = null;
          const isStored = cell.value.trim() !== "" && !(context.isUncomputed === true && cell.value.trim() === "0");
          const isUnknown = !isStored && cell.formula.trim() !== "" && cell.type !== "str";
          if (isUnknown && count < maxCells) formulas.push({ row, column: cell.column, style: cell.style });
          context.onCell?.(place.row, place.column, { ...cell, formula: isUnknown ? cell.formula.trim() : "" });
          const value = isUnknown ? `=${cell.formula.trim()}` : shown(cell, context);
          const text = count < maxCells ? value : "";
          if (text !== "") {
            row.cells.set(cell.column, text);
            nextColumn = cell.column + 1;
            count++;
          }
          cell = null;
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  fillMerged(rows, merges);
  return { rows, isCut: count >= maxCells, formulas, links };
};

const maxLinks = 10_000;

const local = (name: string): string => name.slice(name.indexOf(":") + 1);

const shown = (cell: { type: string; style: number; value: string }, context: SheetContext): string => {
  switch (cell.type) {
    case "s":
      return context.strings[Number(cell.value)] ?? "";
    case "b":
      return cell.value === "1" ? "TRUE" : cell.value === "0" ? "FALSE" : cell.value;
    case "str":
    case "inlineStr":
    case "e":
      return cell.value;
    case "d":
      return cell.value.replace("T", " ").replace(/ 00:00:00(\.0+)?Z?$/, "");
    default:
      return cell.value.trim() === ""
        ? ""
        : showNumber(cell.value.trim(), context.formats[cell.style] ?? { kind: "plain" }, context.is1904);
  }
};

/** `BC12` → 54. */
export const columnOf = (reference: string | undefined): number | null => {
  const letters = /^([A-Z]{1,3})\d/.exec(reference ?? "")?.[1];
  if (!letters) return null;
  return columnNumber(letters) - 1;
};

/** `A1:C2`, or none where that is no range. */
const mergeOf = (range = ""): Merge[] => {
  const [first, last] = range.split(":");
  const [column, lastColumn] = [columnOf(first), columnOf(last)];
  const [row, lastRow] = [first, last].map((one) => Number(/\d{1,7}$/.exec(one ?? "")?.[0]) - 1);
  if (column === null || lastColumn === null || !Number.isInteger(row) || !Number.isInteger(lastRow)) return [];
  return [{ row: row as number, lastRow: lastRow as number, column, lastColumn }];
};
