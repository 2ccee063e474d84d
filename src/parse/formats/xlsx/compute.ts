import { lettersOf } from "../../blocks/sheet-blocks.ts";
import {
  type Argument,
  CellError,
  type CellValue,
  calledFunction,
  finite,
  maxTextCharacters,
  NotComputed,
  number,
  order,
  textOf,
} from "./functions.ts";

interface CellPlace {
  sheet: string;
  /** From 0. */
  row: number;
  column: number;
}

/** The cells of one sheet. */
export interface SheetCells {
  rows: number;
  columns: number;
  valueAt(row: number, column: number): CellValue | { formula: string };
}

/**
 * Cells that are looked at for all formulas of a workbook, each time it happens; a formula counts as twenty, and one for
 * each of its characters.
 */
const maxLooks = 3_000_000;
/** What is kept of a formula is one character longer, so that none is computed in part. */
export const maxFormulaCharacters = 1_000;
/** Formulas and brackets that lie in one another. */
const maxDepth = 500;

/** It lies too deep: from nearer by, it may be computed. */
class TooDeep extends NotComputed {}

const isRecord = (value: CellValue | { formula: string }): value is { formula: string } =>
  typeof value === "object" && value !== null;

/**
 * Computes formulas of which the file stores no value, as programs that write workbooks leave them: references, ranges,
 * `+ - * / ^ &`, comparisons, percentages, and the functions of functions.ts.
 * @param sheetNamed the cells of a sheet; null where there is none
 * @returns the value at a place; null where its formula has anything else, or means an error
 */
export const createFormulas = (sheetNamed: (name: string) => SheetCells | null, is1904 = false) => {
  const known = new Map<string, CellValue | "unknown">();
  let looks = maxLooks;
  let depth = 0;

  const deeper = <T>(work: () => T): T => {
    try {
      if (++depth > maxDepth) throw new TooDeep();
      return work();
    } finally {
      depth--;
    }
  };

  const cell = ({ sheet, row, column }: CellPlace): CellValue => {
    if (--looks < 0) throw new NotComputed();
    const value = sheetNamed(sheet)?.valueAt(row, column) ?? null;
    if (!isRecord(value)) return value;
    looks -= 20 + value.formula.length;
    const key = `${row} ${column} ${sheet}`;
    const before = known.get(key);
    if (before === "unknown") throw new NotComputed();
    if (before !== undefined) return before;
    // Until it is known, whatever leads back here is a circle.
    known.set(key, "unknown");
    try {
      const computed = deeper(() => evaluate(value.formula, sheet));
      known.set(key, computed);
      return computed;
    } catch (error) {
      if (error instanceof TooDeep) known.delete(key);
      throw error;
    }
  };

  const cellsIn = (from: CellPlace, to: CellPlace): CellValue[][] => {
    const sheet = sheetNamed(from.sheet);
    if (sheet === null) throw new NotComputed();
    const rows: CellValue[][] = [];
    for (let row = from.row; row <= Math.min(to.row, sheet.rows - 1); row++) {
      const cells: CellValue[] = [];
      for (let column = from.column; column <= Math.min(to.column, sheet.columns - 1); column++)
        cells.push(cell({ sheet: from.sheet, row, column }));
      rows.push(cells);
    }
    return rows;
  };

  const evaluate = (formula: string, own: string): CellValue => {
    const tokens = tokensOf(formula);
    let at = 0;
    const take = (sign: string): boolean => {
      if (tokens[at]?.text !== sign || tokens[at]?.kind !== "sign") return false;
      at++;
      return true;
    };
    const need = (sign: string): void => {
      if (!take(sign)) throw new NotComputed();
    };
    const placeOf = ({ sheet, reference }: Token): CellPlace => ({ sheet: sheet ?? own, ...reference });

    const compared = (): CellValue => {
      let value = joined();
      for (;;) {
        const sign = tokens[at];
        const compare = sign?.kind === "sign" ? comparisons[sign.text] : undefined;
        if (compare === undefined) return value;
        at++;
        value = compare(order(value, joined())) ? "TRUE" : "FALSE";
      }
    };
    const joined = (): CellValue => {
      let value = sum();
      while (take("&")) value = `${textOf(value)}${textOf(sum())}`.slice(0, maxTextCharacters);
      return value;
    };
    const sum = (): CellValue => {
      let value = product();
      for (;;) {
        if (take("+")) value = number(value) + number(product());
        else if (take("-")) value = number(value) - number(product());
        else return value;
      }
    };
    const product = (): CellValue => {
      let value = power();
      for (;;) {
        if (take("*")) value = number(value) * number(power());
        else if (take("/")) value = finite(number(value) / number(power()));
        else return value;
      }
    };
    const power = (): CellValue => {
      let value = signed();
      while (take("^")) value = finite(number(value) ** number(signed()));
      return value;
    };
    const signed = (): CellValue =>
      deeper(() => {
        if (take("-")) return -number(signed());
        if (take("+")) return signed();
        let value = single();
        while (take("%")) value = number(value) / 100;
        return value;
      });
    const single = (): CellValue => {
      const token = tokens[at++];
      if (token === undefined) throw new NotComputed();
      if (token.kind === "number") return Number(token.text);
      if (token.kind === "text") return token.text;
      if (token.kind === "reference" && tokens[at]?.text !== ":") return cell(placeOf(token));
      if (token.kind === "function") {
        need("(");
        const name = token.text.toUpperCase();
        if (name === "IF") return chosen();
        return name === "IFERROR" ? sound() : calledFunction(name, readArguments(), is1904);
      }
      if (token.text !== "(") throw new NotComputed();
      const value = compared();
      need(")");
      return value;
    };
    /** Passes over an argument, which may divide by the zero that the condition asks about. */
    const pass = (): number => {
      const start = at;
      let open = 0;
      for (; at < tokens.length; at++) {
        const sign = tokens[at]?.kind === "sign" ? tokens[at]?.text : undefined;
        if (open === 0 && (sign === "," || sign === ")")) break;
        if (sign === "(") open++;
        if (sign === ")") open--;
      }
      return start;
    };
    const chosen = (): CellValue => {
      const condition = compared();
      const isTrue = condition === "TRUE" || (condition !== "FALSE" && number(condition) !== 0);
      need(",");
      const yes = pass();
      const no = take(",") ? pass() : null;
      need(")");
      const end = at;
      if (!isTrue && no === null) return "FALSE";
      at = isTrue ? yes : (no as number);
      const value = compared() ?? 0;
      at = end;
      return value;
    };
    /** The value, or where it means an error, the other one. */
    const sound = (): CellValue => {
      const begin = at;
      let value: CellValue;
      try {
        value = compared();
        need(",");
        pass();
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        at = begin;
        pass();
        need(",");
        value = compared();
      }
      need(")");
      return value ?? 0;
    };
    const readArguments = (): Argument[] => {
      const read: Argument[] = [];
      if (take(")")) return read;
      do {
        const [first, colon, last] = tokens.slice(at, at + 3);
        const isRange = first?.kind === "reference" && colon?.text === ":" && last?.kind === "reference";
        if (isRange) {
          at += 3;
          read.push(cellsIn(placeOf(first), { ...placeOf(last), sheet: first.sheet ?? own }));
        } else if (first?.kind === "reference" && /^[,)]$/.test(colon?.text ?? "")) {
          at++;
          read.push([[cell(placeOf(first))]]);
        } else read.push(compared());
      } while (take(","));
      need(")");
      return read;
    };
    const value = compared();
    if (at < tokens.length) throw new NotComputed();
    // A reference to an empty cell shows a zero.
    return value ?? 0;
  };

  return (place: CellPlace): CellValue => {
    try {
      depth = 0;
      return cell(place);
    } catch (error) {
      if (error instanceof NotComputed) return null;
      throw error;
    }
  };
};

/** By how the first value stands to the second: less than, the same as or greater than it. */
const comparisons: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<>": (order) => order !== 0,
  "<": (order) => order < 0,
  ">": (order) => order > 0,
  "<=": (order) => order <= 0,
  ">=": (order) => order >= 0,
};

interface Token {
  kind: "number" | "text" | "reference" | "function" | "sign";
  text: string;
  /** Of a reference. */
  sheet: string | null;
  reference: { row: number; column: number };
}

const nowhere = { row: 0, column: 0 };
const tokenPattern =
  /\s*(?:(?:(?:'((?:[^']|'')*)'|([\p{L}_][\p{L}\p{N}_.]*))!)?\$?([A-Za-z]{1,3})(?:\$?(\d{1,7})|(?=:\$?[A-Za-z]{1,3}(?![\w(.!$]))|(?<=:\$?[A-Za-z]{1,3}))(?![\w(.!])|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)|(?:_xlfn\.)?([A-Za-z]+)(?=\()|(TRUE|FALSE)(?![\p{L}\p{N}_.(])|(<[>=]|>=|[-+*/%&():,<>=^])|"((?:[^"]|"")*)")/iuy;

/** The row of a reference; of a whole column, its first and its last. */
const rowOf = (row: string | undefined, before: readonly Token[]): number => {
  if (row !== undefined) return Number(row) - 1;
  return before.at(-1)?.text === ":" ? Number.MAX_SAFE_INTEGER : 0;
};

/** @throws NotComputed for a formula with anything else in it */
const tokensOf = (formula: string): Token[] => {
  if (formula.length > maxFormulaCharacters) throw new NotComputed();
  if (/^#[A-Z\d/]{2,8}[!?]?$/.test(formula)) throw new CellError();
  const tokens: Token[] = [];
  const text = formula.trim();
  tokenPattern.lastIndex = 0;
  for (let at = 0; at < text.length; at = tokenPattern.lastIndex) {
    const found = tokenPattern.exec(text);
    if (found === null) throw new NotComputed();
    const [, quoted, plain, letters, row, digits, name, truth, sign, quotedText = ""] = found;
    const token = { sheet: null, reference: nowhere };
    if (letters !== undefined) {
      const column = columnNumber(letters.toUpperCase()) - 1;
      const sheet = quoted?.replaceAll("''", "'") ?? plain ?? null;
      tokens.push({ kind: "reference", text: "", sheet, reference: { row: rowOf(row, tokens), column } });
    } else if (digits !== undefined) tokens.push({ ...token, kind: "number", text: digits });
    else if (name !== undefined) tokens.push({ ...token, kind: "function", text: name });
    else if (truth !== undefined) tokens.push({ ...token, kind: "text", text: truth.toUpperCase() });
    else if (sign !== undefined) tokens.push({ ...token, kind: "sign", text: sign });
    else tokens.push({ ...token, kind: "text", text: quotedText.replaceAll('""', '"') });
  }
  return tokens;
};

/** A formula as it is some cells further on, for cells that share one; what has a `$` before it stays. */
export const shiftedFormula = (formula: string, rows: number, columns: number): string =>
  formula.replace(/"[^"]*"|[A-Z]{1,3}\$?\d{1,7}/g, (found, place: number) => {
    const before = formula[place - 1] ?? "";
    const isName = /\w/.test(before) || /[\w(!.]/.test(formula[place + found.length] ?? "");
    const [, letters = "", fixed = "", row = ""] = /^([A-Z]+)(\$?)(\d+)$/.exec(found) ?? [];
    if (isName || letters === "") return found;
    const column = before === "$" ? letters : lettersOf(columnNumber(letters) + columns);
    return `${column}${fixed}${fixed === "$" ? row : Number(row) + rows}`;
  });

/** `BC` → 55. */
export const columnNumber = (letters: string): number =>
  [...letters].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0);
