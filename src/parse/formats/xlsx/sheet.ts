import { Parser } from "htmlparser2";
import type { SheetRow } from "../../blocks/sheet-blocks.ts";
import { columnNumber, maxFormulaCharacters, shiftedFormula } from "./compute.ts";
import { type NumberKind, showNumber } from "./number-format.ts";

export interface SheetContext {
  strings: readonly string[];
  formats: readonly NumberKind[];
  is1904: boolean;
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
const maxFill = 100_000;

/** Reads a worksheet's cells as they are shown, without building a tree of it. Merged cells fill down; names of groups of columns across. */
export const readSheet = (xml: string, context: SheetContext): ReadSheet => {
  const rows: SheetRow[] = [];
  const merges: string[] = [];
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
        else if (name === "mergeCell" && attributes.ref) merges.push(attributes.ref);
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
          const isUnknown = cell.value.trim() === "" && cell.formula.trim() !== "" && cell.type !== "str";
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
  fillDown(rows, merges);
  fillAcross(rows, merges);
  return { rows, isCut: count >= maxCells, formulas, links };
};

const maxLinks = 10_000;
const maxHeaderColumns = 30;

/**
 * Repeats a merged name of a group of columns over each of them. A title, which goes over all columns of the sheet, and
 * what is merged over empty rows are left as they are.
 */
const fillAcross = (rows: readonly SheetRow[], merges: readonly string[]): void => {
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  const used = rows.flatMap(({ cells }) => [...cells.keys()]);
  const [first, last] = [used.reduce((a, b) => Math.min(a, b), Infinity), used.reduce((a, b) => Math.max(a, b), -1)];
  for (const merge of merges) {
    const match = /^([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)$/.exec(merge);
    const [from, to] = [columnOf(`${match?.[1]}1`), columnOf(`${match?.[3]}1`)];
    const row = byNumber.get(Number(match?.[2]) - 1);
    if (from === null || to === null || to <= from || to - from > maxHeaderColumns || row === undefined) continue;
    const text = row.cells.get(from);
    const below = byNumber.get(Number(match?.[4]));
    const isGroup = row.cells.size > 1 && !(from <= first && to >= last);
    const hasNames =
      below !== undefined && [...below.cells.keys()].filter((column) => column >= from && column <= to).length > 1;
    if (text === undefined || !isGroup || !hasNames) continue;
    for (let column = from + 1; column <= to; column++) if (!row.cells.has(column)) row.cells.set(column, text);
  }
};

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

/** Repeats merged cells in each row, because a row must be understandable alone. */
const fillDown = (rows: readonly SheetRow[], merges: readonly string[]): void => {
  const byNumber = new Map(rows.map((row) => [row.row, row]));
  let filled = 0;
  for (const merge of merges) {
    const match = /^([A-Z]{1,3}\d+):[A-Z]{1,3}(\d+)$/.exec(merge);
    const column = columnOf(match?.[1]);
    const top = Number(/\d+/.exec(match?.[1] ?? "")?.[0]) - 1;
    const bottom = Number(match?.[2]) - 1;
    const text = column === null ? undefined : byNumber.get(top)?.cells.get(column);
    if (column === null || text === undefined) continue;
    for (let number = top + 1; number <= bottom && filled < maxFill; number++, filled++) {
      const row = byNumber.get(number);
      // A row with nothing of its own is only the lower part of the merged cell.
      if (row && row.cells.size > 0 && !row.cells.has(column)) row.cells.set(column, text);
    }
  }
};
