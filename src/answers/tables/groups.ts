import type { Column } from "./columns.ts";
import type { DocumentTable } from "./document-table.ts";
import { isNamedBy, type Word, writtenWords } from "./question-words.ts";

/** Rows that share a value of a column, a month or a year. */
export interface Group {
  name: string;
  rows: number[];
}

/** What rows are put together by. */
export interface Grouping {
  column: Column;
  words: readonly Word[];
  keyOf(row: number): string | null;
}

/** More groups than this are a list of rows. */
const maxGroups = 60;

/** "Which product" names rows, and no groups, where more of its values than this part of the rows differ. */
const maxDistinct = 0.6;

/** What stands before the word that names groups: "how many per city", "by category", "in each month". */
export const perEach =
  /^(?:per|by|each|every|pro|je|nach|jede[mnrs]?|par|chaque|por|cada|ogni|elke?|na|każd\p{L}{1,4}|по|кажд\p{L}{1,4}|her)$/u;

/** What asks which group it is: "which city has the most members", "what category did we spend most on". */
const whichOf =
  /^(?:which|what|welche[mnrs]?|quels?|quelles?|qué|cuál|quale?|qual|welke?|któr\p{L}{1,4}|как\p{L}{2,3}|hangi)$/u;

const ofMonths = /^(?:months?|monate?n?|mois|mes(?:es)?|mes[ei]|mês|maand(?:en)?|miesiąc\p{L}*|месяц\p{L}*|ay)$/u;
const ofYears = /^(?:years?|jahre?n?|ans?|années?|años?|ann[oi]|anos?|jaar|jaren|lata?|rok\p{L}*|год\p{L}*|лет|yıl)$/u;

/** The words of the question that follow one of a kind. */
const following = (pattern: RegExp, question: string, words: readonly Word[]): Word[] => {
  const written = writtenWords(question);
  return written.flatMap((word, at) =>
    pattern.test(word) ? words.filter((each) => each.written === written[at + 1]) : [],
  );
};

/**
 * What the question wants rows to be put together by, in an order that tells: "per city", "which city has most".
 * @param isOfMost a smallest or largest is asked for
 */
export const groupingOf = (
  table: DocumentTable,
  columns: readonly Column[],
  words: readonly Word[],
  question: string,
  isOfMost: boolean,
): Grouping | null => {
  const asked = question.slice(0, 600);
  for (const word of following(perEach, asked, words)) {
    const [dates, ...others] = columns.filter(({ kind }) => kind === "date");
    const part = ofMonths.test(word.written) ? 7 : ofYears.test(word.written) ? 4 : 0;
    if (part > 0 && dates !== undefined && others.length === 0) {
      const keyOf = (row: number): string | null => {
        const value = dates.values[row];
        return value === null || value === undefined ? null : new Date(value).toISOString().slice(0, part);
      };
      return { column: dates, words: [word], keyOf };
    }
    const grouping = byColumn(table, columns, word);
    if (grouping !== null) return grouping;
  }
  for (const word of isOfMost ? following(whichOf, asked, words) : []) {
    const grouping = byColumn(table, columns, word, maxDistinct);
    if (grouping !== null) return grouping;
  }
  return null;
};

/** The column of text that a word names, where several rows have the same value in it. */
const byColumn = (table: DocumentTable, columns: readonly Column[], word: Word, mostDistinct = 1): Grouping | null => {
  const column = columns.find((each) => each.kind === "text" && isNamedBy(each, word));
  if (column === undefined) return null;
  const keyOf = (row: number): string | null => table.rows[row]?.[column.index]?.trim() || null;
  const names = new Set(table.rows.map((_, row) => keyOf(row)));
  const isOfGroups = names.size < table.rows.length && names.size <= mostDistinct * table.rows.length;
  return isOfGroups && names.size <= maxGroups ? { column, words: [word], keyOf } : null;
};

/** The groups of rows: months and years in their order, others by what is counted or added up. */
export const groupsOf = (
  { column, keyOf }: Grouping,
  rows: readonly number[],
  summed: Column | null,
  isLeastFirst: boolean,
): Group[] => {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const name = keyOf(row);
    if (name === null) continue;
    const group = groups.get(name) ?? { name, rows: [] };
    group.rows.push(row);
    groups.set(name, group);
  }
  const size = (group: Group): number =>
    summed === null ? group.rows.length : Math.abs(group.rows.reduce((sum, row) => sum + (summed.values[row] ?? 0), 0));
  const inOrder = [...groups.values()];
  if (column.kind === "date") return inOrder.sort((a, b) => (a.name < b.name ? -1 : 1));
  return inOrder.sort((a, b) => (isLeastFirst ? size(a) - size(b) : size(b) - size(a)));
};
