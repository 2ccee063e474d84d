import { Parser } from "htmlparser2";
import { format } from "numfmt";
import { fillMerged, type Merge, type SheetRow } from "../../blocks/sheet-blocks.ts";
import { childNamed, childrenNamed, descendant, type MarkupElement } from "../../markup/markup.ts";
import { columnNumber, maxFormulaCharacters, shiftedFormula } from "./compute.ts";

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

type NumberKind =
  | { kind: "plain" }
  | { kind: "date"; hasDay: boolean; hasTime: boolean }
  | { kind: "percent"; decimals: number }
  /** Shown by its code: it adds zeros, units, a currency, brackets or an exponent. */
  | { kind: "code"; code: string };

/** Those that show more than the number. */
const builtInCodes: Readonly<Record<number, string>> = {
  5: "$#,##0",
  6: "$#,##0",
  7: "$#,##0.00",
  8: "$#,##0.00",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  42: "$#,##0",
  44: "$#,##0.00",
  46: "[h]:mm:ss",
  48: "##0.0E+0",
};

/** Built-in formats that are dates or times (ECMA-376-1, 18.8.30), East Asian ones included. */
const builtIn = (id: number): NumberKind => {
  if (
    (id >= 14 && id <= 17) ||
    (id >= 27 && id <= 31) ||
    id === 36 ||
    (id >= 50 && id <= 54) ||
    (id >= 57 && id <= 58)
  ) {
    return { kind: "date", hasDay: true, hasTime: false };
  }
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) || id === 55 || id === 56) {
    return { kind: "date", hasDay: false, hasTime: true };
  }
  if (id === 22) return { kind: "date", hasDay: true, hasTime: true };
  const code = builtInCodes[id];
  if (code !== undefined) return { kind: "code", code };
  if (id === 9) return { kind: "percent", decimals: 0 };
  return id === 10 ? { kind: "percent", decimals: 2 } : { kind: "plain" };
};

/** Spreadsheet programs take 255 characters. */
const maxFormatCodeCharacters = 1_000;

/** Reads a format's code: what kind of value it shows. */
const readFormatCode = (code: string): NumberKind => {
  const [first = ""] = code.split(";");
  const bare = first
    .slice(0, maxFormatCodeCharacters)
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[[^[\]]*\]/g, (part) => (/^\[(?:h+|m+|s+)\]$/i.test(part) ? part : ""));
  if (/general/i.test(bare)) return { kind: "plain" };
  const percent = /^[^0]*0(?:\.(0+))?/.exec(bare.slice(0, bare.lastIndexOf("%") + 1));
  if (percent) return { kind: "percent", decimals: percent[1]?.length ?? 0 };
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return { kind: "code", code };
  const hasTime = /h|s|AM\/PM|\[m+\]/i.test(bare);
  const hasDay = /y|d|e{1,4}(?![+-])/i.test(bare) || (!hasTime && /m/i.test(bare) && !/[0#?]/.test(bare));
  if (hasDay || hasTime) return { kind: "date", hasDay, hasTime };
  return addsToNumber(code) ? { kind: "code", code } : { kind: "plain" };
};

/** Whether a code shows more than digits: leading zeros, a text, a currency, brackets, a fraction, an exponent. */
const addsToNumber = (code: string): boolean => {
  if (code.length > maxFormatCodeCharacters) return false;
  const shown = code
    .replace(/_.|\*./g, "")
    .replace(/\[(?:[A-Za-z]{3,10}|Color\d{1,2}|[<>=][^[\]]{0,20}|\$-[^[\]]{0,12})\]/gi, "")
    .replace(/"\s*"|\\[ ]/g, "");
  const [first = ""] = shown.split(";");
  const hasLeadingZeros = first.endsWith("00") || /^00[^.,]/.test(first);
  return hasLeadingZeros || /[E/]|"[^"]+"|\[\$[^-\]]|\p{Sc}|\(|@|\\\S/u.test(first) || /\(/.test(shown)
    ? !/^[#,0.]*\.0+$/.test(first)
    : false;
};

/** The kind of each cell style by its index. @param styles root of styles.xml, or null */
export const readCellFormats = (styles: MarkupElement | null): NumberKind[] => {
  const root = styles ? descendant(styles, "styleSheet") : null;
  const codes = new Map(
    childrenNamed(childNamed(root, "numFmts"), "numFmt").map(({ attributes }) => [
      Number(attributes.numFmtId),
      attributes.formatCode ?? "",
    ]),
  );
  return childrenNamed(childNamed(root, "cellXfs"), "xf").map(({ attributes }) => {
    const id = Number(attributes.numFmtId ?? "0");
    const code = codes.get(id);
    return code === undefined ? builtIn(id) : readFormatCode(code);
  });
};

const dayMs = 86_400_000;

/**
 * A number as its cell shows it: dates and times in ISO 8601, percentages as such, currencies, units and leading zeros by
 * the format's code, others whole and without rounding errors.
 */
export const showNumber = (stored: string, kind: NumberKind, is1904: boolean): string => {
  const number = Number(stored);
  if (!Number.isFinite(number)) return stored;
  if (kind.kind === "code") return shownByCode(number, kind.code);
  if (kind.kind === "percent") return showPercent(number, kind.decimals);
  if (kind.kind === "plain" || number < 0 || number > 2_958_465.99999) return plainNumber(number);
  return showDate(number, kind, is1904);
};

/** At least as many decimals as are shown, and two where there are more. */
const showPercent = (number: number, decimals: number): string => {
  const exact = plainNumber(Number((number * 100).toFixed(Math.max(decimals, 2))));
  const shown = (number * 100).toFixed(decimals);
  return `${Number(exact) === Number(shown) ? shown : exact}%`;
};

/** A number as its code shows it, in English notation; the number itself where the code cannot be read. */
const shownByCode = (number: number, code: string): string => {
  try {
    return format(code.replace(/\[\$([^-\]]{0,10})-[^[\]]{0,12}\]/g, "[$$$1]"), number)
      .trim()
      .replace(/\s+/g, " ");
  } catch {
    return plainNumber(number);
  }
};

/** Spreadsheets keep fifteen digits. */
const plainNumber = (number: number): string => {
  const short = Number(number.toPrecision(15));
  return Math.abs(short) >= 1e21 || (short !== 0 && Math.abs(short) < 1e-6) ? String(short) : short.toString();
};

const showDate = (serial: number, format: { hasDay: boolean; hasTime: boolean }, is1904: boolean): string => {
  // Serial 60 is the 29 February 1900 that never was: days before it are one off.
  const days = is1904 ? serial + 1_462 : serial < 60 ? serial + 1 : serial;
  const date = new Date(Date.UTC(1899, 11, 30) + Math.round((days * dayMs) / 1000) * 1000);
  const iso = date.toISOString();
  const day = iso.slice(0, 10);
  const time = iso.slice(11, 19).replace(/:00$/, "");
  if (!format.hasDay) return time;
  return format.hasTime && time !== "00:00" ? `${day} ${time}` : day;
};
