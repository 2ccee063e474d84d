import { analyze } from "../../text/analysis/analyze.ts";
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

export const columnsOf = ({ head, rows }: DocumentTable): Column[] =>
  head.map((name, index) => {
    const cells = rows.map((row) => row[index] ?? "");
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
  /(\d+(?:[.,]\d+)?)\s?(d|days?|tage?n?|jours?|h|hr|hrs|hours?|std|stunden?|heures?|horas?|ore|uur|godz|ч|часов|sa|saat|min|mins|minutes?|minuten?|minutos?|minuti|мин|dk|dakika|s|sec|secs|seconds?|sekunden?)\b\.?/giu;

/** Minutes of "3 h 25 min"; null for anything else. */
const durationOf = (cell: string): number | null => {
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

const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "tr"];
/** Names of months by their first letters, in the languages that ICU knows them in. */
const months: ReadonlyMap<string, number> = new Map(
  languages.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_, index) => {
        const date = new Date(Date.UTC(2024, index, 15));
        const name = new Intl.DateTimeFormat(language, { month, day: "numeric", timeZone: "UTC" })
          .formatToParts(date)
          .find(({ type }) => type === "month")?.value;
        return [(name ?? "").toLowerCase().replace(/\.$/, ""), index + 1] as const;
      }),
    ),
  ),
);

const isoDate = /^(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:[T ]\d.{0,24})?$/;
const dayFirst = /^(?:\p{L}{2,12}\.?,? )?(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})$/u;
const namedMonth = /^(?:\p{L}{2,12}\.?,? )?(\d{1,2})\.?(?: de| of)? (\p{L}{3,12})\.?(?: de)?,? (\d{4})$/u;
const monthFirst = /^(\p{L}{3,12})\.? (?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})$/u;

/** Epoch milliseconds of a cell that is a date; null for anything else. A bare year is a number. */
export const dateOf = (cell: string): number | null => {
  const text = cell.trim().toLowerCase();
  const iso = isoDate.exec(text);
  if (iso !== null) return utc(Number(iso[1]), Number(iso[2]), Number(iso[3] ?? 1));
  const numeric = dayFirst.exec(text);
  if (numeric !== null) {
    const [day, month, year] = [Number(numeric[1]), Number(numeric[2]), Number(numeric[3])];
    const full = year < 100 ? 2000 + year : year;
    // 12/25/2024 can only be the month first.
    return month > 12 ? utc(full, day, month) : utc(full, month, day);
  }
  const named = namedMonth.exec(text);
  if (named !== null) return inMonth(named[2] ?? "", Number(named[1]), Number(named[3]));
  const first = monthFirst.exec(text);
  return first === null ? null : inMonth(first[1] ?? "", Number(first[2] ?? 1), Number(first[3]));
};

const inMonth = (name: string, day: number, year: number): number | null => {
  const month = months.get(name);
  return month === undefined ? null : utc(year, month, day);
};

const utc = (year: number, month: number, day: number): number | null =>
  month < 1 || month > 12 || day < 1 || day > 31 ? null : Date.UTC(year, month - 1, day);
