import { analyze } from "../../text/analysis/analyze.ts";
import { dateOf } from "../../text/dates.ts";
import { type Measure, measuresOf } from "../../text/measures.ts";
import type { DocumentTable } from "./document-table.ts";

/** A column with its values as they can be compared. */
export interface Column {
  name: string;
  index: number;
  /** Search terms of its name. */
  terms: ReadonlySet<string>;
  /** What it measures, by its name and the units of its cells. */
  measures: ReadonlySet<Measure>;
  kind: "number" | "date" | "text";
  /** For each row; dates as epoch milliseconds, durations in minutes; null where a cell is none. Empty for text. */
  values: (number | null)[];
}

/** The part of the cells with content that must be numbers or dates, and cells that are looked at to tell. */
const minShare = 0.8;
const maxSampled = 400;
const maxCellCharacters = 80;

export const columnsOf = ({ head, rows }: DocumentTable): Column[] =>
  head.map((name, index) => {
    // Longer cells are texts.
    const cells = rows.map((row) => (row[index] ?? "").slice(0, maxCellCharacters));
    const sample = cells.filter((cell) => cell !== "" && !isEmptyCell(cell)).slice(0, maxSampled);
    const isDecimalComma = decimalComma(sample);
    const isMost = (read: (cell: string) => number | null): boolean =>
      sample.length > 0 && sample.filter((cell) => read(cell) !== null).length >= minShare * sample.length;
    const toNumber = (cell: string): number | null => numberOf(cell, isDecimalComma);
    const kind = isMost(dateOf) ? "date" : isMost(toNumber) ? "number" : "text";
    const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
    const units = kind === "number" ? unitsIn(sample[0] ?? "") : [];
    const measures = [...words, ...units].flatMap(measuresOf);
    return {
      name,
      index,
      terms: new Set(analyze(name)),
      measures: new Set<Measure>(kind === "date" ? [...measures, "date"] : measures),
      kind,
      values: kind === "text" ? [] : cells.map(kind === "date" ? dateOf : toNumber),
    };
  });

/** Whether a cell says that there is nothing. */
export const isEmptyCell = (cell: string): boolean =>
  /^(?:|[-–—/.]+|n\/?a|none|null|nil|no|kein[es]?|nein|non|aucun|ninguno|nessuno|nenhum|geen|nee|brak|nie|нет|yok|无|無|なし)$/i.test(
    cell.trim(),
  );

const unitsIn = (cell: string): string[] => {
  if (/[€$£¥₽₺]|zł/.test(cell)) return ["price"];
  return cell.match(/\p{L}{1,8}/gu) ?? [];
};

const durationPart =
  /(\d+(?:[.,]\d+)?)\s?(d|days?|tage?n?|jours?|h|hr|hrs|hours?|std|stunden?|heures?|horas?|ore|uur|godz|ч|часов|sa|saat|min|mins|minutes?|minuten?|minutos?|minuti|мин|dk|dakika|s|sec|secs|seconds?|sekunden?)(?!\p{L})\.?/giu;

/** "2:35 h"; without the unit it may be a time of day. */
const clock = /^(\d{1,3}):(\d\d) ?(?:h|hrs?|hours?|std|stunden?|heures?|horas?|ore|uur|godz|ч|sa)\.?$/iu;

/** Minutes of "3 h 25 min" and "3:25 h"; null for anything else. */
const durationOf = (cell: string): number | null => {
  const [, hours, past] = clock.exec(cell.trim()) ?? [];
  if (hours !== undefined) return Number(hours) * 60 + Number(past);
  let minutes = 0;
  const rest = cell.replace(durationPart, (_, amount: string, unit: string) => {
    const first = unit.toLowerCase();
    const factor = /^(?:d|t|j)/.test(first)
      ? 1_440
      : /^(?:min|m|мин|dk|dakika)/.test(first)
        ? 1
        : /^s(?!a|t)/.test(first)
          ? 1 / 60
          : 60;
    minutes += Number(amount.replace(",", ".")) * factor;
    return "";
  });
  return rest === cell || /[\p{L}\p{N}]/u.test(rest) ? null : minutes;
};

const numberCell = /^([^\d\n+−-]{0,16})([+−-]?\d[\d.,'’\u00a0\u202f ]{0,40})([^\d\n]{0,24})$/u;

/** The number of a cell with its unit or currency; null where it holds none, or several. */
const numberOf = (cell: string, isDecimalComma: boolean): number | null => {
  const duration = durationOf(cell);
  if (duration !== null) return duration;
  const found = numberCell.exec(cell.trim());
  if (found === null) return null;
  const [, before = "", digits = "", after = ""] = found;
  // "PRJ-034", "E04" and "Project 34" are names; "EUR 34" is an amount.
  if (/\p{L}{4,}/u.test(before) || /\p{L}-?$/u.test(before)) return null;
  if (after.trim().split(/\s+/).length > 3) return null;
  const plain = digits
    .trim()
    .replace(/['’\u00a0\u202f ]/gu, "")
    .replace("−", "-");
  const value = Number(isDecimalComma ? plain.replaceAll(".", "").replace(",", ".") : plain.replaceAll(",", ""));
  return Number.isFinite(value) ? value : null;
};

/**
 * Whether the numbers of a column have a comma before their decimals: where one shows it (1.234,50 or 12,5). Three digits
 * after a single sign tell nothing.
 */
const decimalComma = (cells: readonly string[]): boolean => {
  for (const cell of cells) {
    const [digits = ""] = /\d[\d.,]*/.exec(cell) ?? [];
    const comma = digits.lastIndexOf(",");
    const point = digits.lastIndexOf(".");
    if (comma >= 0 && point >= 0) return comma > point;
    if (comma >= 0 && digits.length - comma - 1 !== 3) return true;
    if (point >= 0 && digits.length - point - 1 !== 3) return false;
  }
  return false;
};
