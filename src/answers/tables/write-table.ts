import { rowLine, tableRow } from "../quote/cells.ts";
import { readable } from "../quote/readable.ts";
import { phrase } from "../wording/phrases.ts";
import type { Column } from "./columns.ts";
import type { DocumentTable } from "./document-table.ts";
import { maxTied, type TableAnswer } from "./table-answer.ts";

/** Rows that an answer shows, and names of rows that a count tells. */
const maxShownRows = 20;
const maxNamed = 12;
/** Decimals of a sum, at most: those of its numbers. */
const maxDecimals = 6;

/** The answer as it is read, with the mark of the snippet that the table was reached from. */
export const writeTableAnswer = (answer: TableAnswer, mark: string, language: string): string => {
  const { operation, table, rows, column, label, conditions } = answer;
  const total = table.rows.length;
  const cell = (row: number, { index }: Column): string => table.rows[row]?.[index] ?? "";
  const cellsOf = (of: readonly number[], each: Column): string[] => of.map((row) => cell(row, each));
  const computed = (of: Column, chosen: readonly number[]): string => {
    const cells = cellsOf(chosen, of);
    return operation === "mean" ? meanOf(of, chosen, cells) : sumOf(of, chosen, cells);
  };
  const nameOfColumn = ({ name }: Column): string =>
    operation === "mean" ? `${name} (${phrase(language, "mean")})` : name;
  if (answer.groups !== null) {
    const each = answer.groups.map(
      ({ name, rows: own }) => `- ${readable(name)}: ${column === null ? own.length : computed(column, own)}`,
    );
    const of = column === null ? "" : `${nameOfColumn(column)}, `;
    return `${each.join("\n")}\n\n(${of}${[...conditions, phrase(language, "rows", { count: rows.length, total })].join(", ")}) ${mark}`;
  }
  if (operation === "count") {
    const by = conditions.length === 0 ? "" : ` (${conditions.join(", ")})`;
    const each = rows.slice(0, maxNamed).map((row) => cell(row, label));
    const isNaming = conditions.length > 0 && rows.length <= maxNamed && (new Set(each).size > 1 || rows.length === 1);
    const names = isNaming ? `: ${each.join(", ")}` : "";
    const count =
      conditions.length === 0
        ? `${rows.length}`
        : rows.length === 0
          ? phrase(language, "noRows", { total })
          : phrase(language, "rows", { count: rows.length, total });
    return `${count}${by}${names} ${mark}`;
  }
  if (rows.length === 0)
    return `${phrase(language, "noRows", { total })}${column === null ? "" : ` (${column.name})`} ${mark}`;
  if ((operation === "sum" || operation === "mean") && column !== null) {
    const by = [...conditions, phrase(language, "rows", { count: rows.length, total })].join(", ");
    const each = rows.length <= maxNamed ? rowTexts({ ...answer, column: null }).map((text) => `- ${text}`) : [];
    return [`${nameOfColumn(column)}: ${computed(column, rows)} (${by}) ${mark}`, ...each].join("\n");
  }
  const isOfRows = operation !== "all" && rows.length <= maxTied;
  if (isOfRows)
    return rowTexts(answer)
      .map((text) => `${text} ${mark}`)
      .join("\n");
  const shown = rows.slice(0, maxShownRows);
  const lines = [
    tableRow(answer.columns.map(({ name }) => name)),
    tableRow(answer.columns.map(() => "---")),
    ...shown.map((row) => tableRow(answer.columns.map((each) => cell(row, each)))),
  ];
  const told =
    rows.length === total && shown.length === total
      ? ""
      : `${phrase(language, "rows", { count: shown.length, total: rows.length })} `;
  const by = conditions.length === 0 ? "" : `(${conditions.join(", ")}) `;
  return `${lines.join("\n")}\n\n${told}${by}${mark}`;
};

/** Of each row what names it, then the column asked for, or all. */
const rowTexts = ({ table, rows, columns, column, label }: TableAnswer): string[] => {
  const shown = column === null || column === label ? columns.filter((each) => each !== label) : [column];
  const numbers = numbersOf(table, columns, label);
  return rows.map((row) => {
    const cells = table.rows[row] ?? [];
    return rowLine(
      numbers === null
        ? nameOf(table, columns, label, row)
        : `${cells[numbers.index] ?? ""}, ${readable(cells[label.index] ?? "")}`,
      shown.map(({ name, index }) => ({ column: name, cell: readable(cells[index] ?? "") })),
    );
  });
};

/** Numbers of lines name nothing. */
const ofLines = /^(?:#|no\.?|nr\.?|pos\.?|id|index|row|line)?$/i;

/** The column of whole numbers that rows begin with, each another one ("room 101"); null where it is none. */
const numbersOf = (table: DocumentTable, [first]: readonly Column[], label: Column): Column | null => {
  if (first === undefined || first.kind !== "number" || first === label || ofLines.test(first.name.trim())) return null;
  const isEach = first.values.every(Number.isInteger) && new Set(first.values).size === table.rows.length;
  return isEach ? first : null;
};

/** The cell that names a row; where others have the same one, with the next cell of text. */
const nameOf = (table: DocumentTable, columns: readonly Column[], label: Column, row: number): string => {
  const cell = table.rows[row]?.[label.index] ?? "";
  const name = readable(cell);
  const isShared = table.rows.some((cells, other) => other !== row && cells[label.index] === cell);
  const beside = isShared ? columns.find(({ kind, index }) => kind === "text" && index !== label.index) : undefined;
  return beside === undefined ? name : `${name}, ${table.rows[row]?.[beside.index] ?? ""}`;
};

/** A whole number's mean has so many decimals more than it, and none where they are zero. */
const decimalsOfMean = 2;

/** @param cells as `sumOf` takes them; those without a number are left out */
const meanOf = ({ values }: Column, rows: readonly number[], cells: readonly string[]): string => {
  const numbers = rows.flatMap((row) => values[row] ?? []);
  const mean = numbers.reduce((sum, value) => sum + value, 0) / Math.max(1, numbers.length);
  const decimals = Math.min(decimalsOf(numbers, cells), maxDecimals);
  return decimals === 0
    ? String(Number(mean.toFixed(decimalsOfMean)))
    : mean.toFixed(Math.max(decimals, decimalsOfMean));
};

const decimalsOf = (numbers: readonly number[], cells: readonly string[]): number => {
  const least = cells.some((cell) => /[.,]\d\d(?!\d)/.test(cell)) ? 2 : 0;
  return Math.max(least, ...numbers.map((value) => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0));
};

/** @param cells as they are written: beside "34.90" a sum is 102.40 */
const sumOf = ({ values }: Column, rows: readonly number[], cells: readonly string[]): string => {
  const added = rows.map((row) => values[row] ?? 0);
  return added.reduce((sum, value) => sum + value, 0).toFixed(Math.min(decimalsOf(added, cells), maxDecimals));
};
