import { analyze } from "../../text/analysis/analyze.ts";
import { monthOfTerm } from "../../text/dates.ts";
import { isUnspaced } from "../../text/language/fold.ts";
import { cueLanguages } from "../reading/cues.ts";
import { clauseOf, matchesCue } from "../reading/read-ask.ts";
import type { Column } from "./columns.ts";
import type { DocumentTable } from "./document-table.ts";
import { isAmong, isNamedBy, measured, namedMost, ofExpense, type Word } from "./question-words.ts";

/** A value of a column is named by the question in so many words at most; different values that are looked at. */
const maxValueTerms = 6;
const maxValues = 20_000;
const maxTextCharacters = 400;

export interface Filter {
  column: Column;
  value: string;
  /** The words of the question that name it. */
  words: Word[];
  /** Columns of the same values, as "Morning" and "Afternoon" of a rota: a row that has it in one of them is meant too. */
  alike?: readonly Column[];
}

/** Rows that are chosen by more than a value. */
interface RowsWith {
  /** As an answer tells them: "Date: January". */
  conditions: readonly string[];
  has(row: number): boolean;
}

/** The values of columns that the question names. */
export const filtersOf = (
  table: DocumentTable,
  columns: readonly Column[],
  words: readonly Word[],
  question: string,
  hasComparison: boolean,
  explain: (word: Word) => true,
): Filter[] => {
  const lower = question.toLowerCase();
  const found: Filter[] = [];
  const firstText = columns.find(({ kind }) => kind === "text");
  for (const column of columns) {
    const seen = new Set<string>();
    for (const row of table.rows) {
      const value = row[column.index] ?? "";
      if (value === "" || seen.has(value)) continue;
      if (seen.size >= maxValues) break;
      seen.add(value);
      // Cheap before exact: the first letters of a value stand in a question that names it.
      const [first = ""] = /[\p{L}\p{N}]{1,3}/u.exec(value.toLowerCase()) ?? [];
      if (first === "" || !lower.includes(first)) continue;
      if (column.kind !== "text") {
        // The number of "more than 100" is no value.
        if (!hasComparison && isToken(lower, value.toLowerCase()) && !isOfOther(value, column, words, lower))
          found.push({ column, value, words: words.filter((word) => value.includes(word.written)) });
        continue;
      }
      const terms = analyze(value);
      if (terms.length === 0 || terms.length > maxValueTerms) continue;
      const parts = partsOf(value);
      const naming = words.filter((word) => parts.some((part) => isFormOf(part, word)));
      const isWhole = parts.every((part) => naming.some((word) => isFormOf(part, word)));
      const isCode = isToken(withoutSigns(lower), withoutSigns(value.toLowerCase())) && /\d/.test(value);
      // "Was kostet Plus": the name of a row that another language has for a function word.
      const isName = column === firstText && value.length >= minBeginning && isToken(lower, value.toLowerCase());
      if (!isWhole && !isCode && !isName) continue;
      if (isCode) {
        const plain = withoutSigns(value.toLowerCase());
        naming.push(...words.filter((word) => !naming.includes(word) && plain.includes(withoutSigns(word.written))));
      }
      found.push({ column, value, words: naming });
    }
  }
  // A word that names a column too ("water" in the column Water) is no value of another, unless nothing else names it.
  const kept = found.filter(
    ({ column, words: naming }) =>
      naming.length === 0 ||
      naming.some((word) => !columns.some((other) => other !== column && isAmong(other.terms, word))),
  );
  // Of two values of the same words the longer one is meant; of two columns with one value that which the question names, as
  // "reports to" of "who reports to Helen", else the first.
  const isNamed = ({ column, words: naming }: Filter): boolean =>
    words.some((word) => !naming.includes(word) && isNamedBy(column, word));
  const isBefore = (one: Filter, other: Filter): boolean =>
    isNamed(one) === isNamed(other) ? one.column.index < other.column.index : isNamed(one);
  const filters = kept.filter(
    (filter) =>
      !kept.some(
        (other) =>
          other !== filter &&
          filter.words.every((word) => other.words.includes(word)) &&
          (other.words.length > filter.words.length || (other.column !== filter.column && isBefore(other, filter))),
      ),
  );
  for (const filter of filters) {
    filter.words.forEach(explain);
    if (filter.column === firstText || isNamed(filter)) continue;
    filter.alike = kept
      .filter(({ column, value }) => column !== firstText && column !== filter.column && value === filter.value)
      .map(({ column }) => column)
      .filter((column) => haveSameValues(table, filter.column, column));
  }
  return filters;
};

/** Rows whose values are compared, and the part of one column's values that another one of the same kind has. */
const maxCompared = 200;
const minSame = 0.5;

const haveSameValues = (table: DocumentTable, one: Column, other: Column): boolean => {
  const valuesOf = ({ index }: Column): Set<string> =>
    new Set(table.rows.slice(0, maxCompared).map((row) => row[index] ?? ""));
  const [own, others] = [valuesOf(one), valuesOf(other)];
  const shared = [...own].filter((value) => others.has(value)).length;
  return shared >= minSame * Math.min(own.size, others.size);
};

/** "Flat 2" is no row with 2 in the column Number: the word before a number says what it counts. */
const isOfOther = (value: string, column: Column, words: readonly Word[], lower: string): boolean => {
  const at = lower.indexOf(` ${value.toLowerCase()}`);
  const before = /([\p{L}\p{M}]{3,40})$/u.exec(lower.slice(Math.max(0, at - maxWord), at))?.[1];
  const word = words.find(({ written }) => written === before);
  return column.kind === "number" && ofCounts.test(column.name) && word !== undefined && !isNamedBy(column, word);
};

const maxWord = 40;

/** Names of columns that say how many there are. */
export const ofCounts =
  /^(?:no\.?|nr\.?|numbers?|count|pieces|units|anzahl|stück|nombre|número|numero|aantal|liczba|antal|количество|число|adet|数量)$/iu;

/** The words of a value with their forms; the pairs of characters of scripts without spaces each by themselves. */
const partsOf = (value: string): string[][] =>
  (value.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap((part) => {
    const terms = analyze(part);
    return terms.some(isUnspaced) ? terms.map((term) => [term]) : [terms];
  });

/** Letters that the forms of a word have in common at least, and letters that one may have more than another. */
const minCommon = 5;
/** Letters of a value that is the stem of a word, at least. */
const minOther = 3;
const maxEnding = 2;
/** Letters that a word and its other forms begin with. */
const minBeginning = 4;

/** Whether a word is one of a value: as it is written, or in a form of which stemmers leave a letter or two. */
const isFormOf = ([own = "", ...stems]: readonly string[], { forms }: Word): boolean =>
  forms[0] === own ||
  (own.length >= minOther && forms.includes(own)) ||
  (forms[1] !== undefined && forms[1].length >= minOther && stems.includes(forms[1])) ||
  forms.some((form) =>
    [own, ...stems].some((term) => {
      const [short, long] = term.length < form.length ? [term, form] : [form, term];
      return short.length >= minCommon && long.startsWith(short) && long.length - short.length <= maxEnding;
    }),
  );

const yes = /^(?:yes|y|true|ja|oui|sí|si|sì|sim|tak|да|evet|是|有|はい|○|✓|✔|☑)$/iu;
const no = /^(?:no|n|false|nein|non|não|nee|nie|нет|hayır|否|无|いいえ|×|✗|✘|☐)$/iu;
const denies =
  / (?:not|n't|isn't|aren't|doesn't|don't|didn't|hasn't|haven't|without|no|nicht|kein|keine|keinen|pas|sans|sin|non|senza|não|sem|niet|geen|nie|не|нет|değil|olmayan) |不|没|ない|ません/u;

/** Columns of yes and no that the question names: "who is coming" of the column Coming, "who is not coming". */
export const affirmed = (
  table: DocumentTable,
  columns: readonly Column[],
  words: readonly Word[],
  question: string,
): Filter[] => {
  const isDenied = denies.test(clauseOf(question).spaced) || denies.test(question);
  return columns.flatMap((column) => {
    if (column.kind !== "text") return [];
    const naming = words.filter((word) => isNamedBy(column, word));
    if (naming.length === 0) return [];
    const cells = new Set(table.rows.map((row) => (row[column.index] ?? "").trim()));
    const said = [...cells].filter((cell) => yes.test(cell) || no.test(cell));
    // Beside yes and no, one other word at most: "pending".
    if (said.length === 0 || cells.size > said.length + 2 || cells.size > 4) return [];
    const value = said.find((cell) => (isDenied ? no : yes).test(cell));
    return value === undefined ? [] : [{ column, value, words: naming }];
  });
};

/** A name has so many words at most. */
const maxNameWords = 4;

const properName = /^\p{Lu}[^\s]*(?:\s(?:\p{Lu}|(?:van|von|de|der|da|di|la|le|del|al|el|bin)\s)[^\s]*)*$/u;

/** "Cecilia" of "Cecilia Strand", where one row alone has that name: as people ask. */
export const partOfName = (
  table: DocumentTable,
  columns: readonly Column[],
  words: readonly Word[],
  explain: (word: Word) => true,
): Filter | null => {
  const [column] = columns.filter(({ kind }) => kind === "text");
  if (column === undefined) return null;
  const telling = words.filter(
    ({ written, measures }) =>
      written.length >= 2 &&
      measures.length === 0 &&
      !ofExpense.test(written) &&
      !columns.some((each) => each.terms.has(written)),
  );
  const found: Filter[] = [];
  for (const row of table.rows.slice(0, maxValues)) {
    const value = row[column.index] ?? "";
    const parts = value
      .toLowerCase()
      .split(/[^\p{L}\p{M}'’-]+/u)
      .filter((part) => part !== "");
    const naming = telling.filter(({ written }) => parts.includes(written.replace(/['’]s$/u, "")));
    if (naming.length === 0) continue;
    if (found.length > 0) return null;
    found.push({ column, value, words: naming });
  }
  const isName = ({ value }: Filter): boolean =>
    properName.test(value) && value.includes(" ") && value.split(" ").length <= maxNameWords;
  const [only] = found.filter(isName);
  only?.words.forEach(explain);
  return only ?? null;
};

/** A word in a text of several; more rows than this part of them are not chosen by it. */
const maxShareOfWord = 0.6;

/** Rows that have a word of the question in a longer text: "oil" of "Oil and filter, brake fluid". */
export const containing = (
  table: DocumentTable,
  columns: readonly Column[],
  words: readonly Word[],
  explain: (word: Word) => true,
): RowsWith | null => {
  const texts = columns.filter(({ kind }) => kind === "text");
  const rows = table.rows.slice(0, maxValues);
  const found = words.flatMap((word) => {
    // Cheap before exact.
    const begins = word.forms.map((form) => form.slice(0, minBeginning));
    const has = (cell: string): boolean => {
      const text = cell.slice(0, maxTextCharacters);
      const lower = text.toLowerCase();
      return begins.some((begin) => lower.includes(begin)) && partsOf(text).some((part) => isFormOf(part, word));
    };
    const at = new Map<number, Column>();
    for (const [row, cells] of rows.entries()) {
      const column = texts.find(({ index }) => has(cells[index] ?? ""));
      if (column !== undefined) at.set(row, column);
    }
    const [column] = at.values();
    if (column === undefined || at.size > maxShareOfWord * rows.length) return [];
    return [{ word, at: new Set(at.keys()), condition: `${column.name}: ${word.written}` }];
  });
  // Words of different rows are of different things.
  const both = found.reduce<ReadonlySet<number> | null>(
    (left, { at }) => (left === null ? at : left.intersection(at)),
    null,
  );
  if (both === null || both.size === 0) return null;
  for (const { word } of found) explain(word);
  return { conditions: found.map(({ condition }) => condition), has: (row) => both.has(row) };
};

const isYear = ({ written }: Word): boolean => /^(?:19|20)\d\d$/.test(written);
const isMonth = ({ forms }: Word): boolean => forms.some((form) => monthOfTerm(form) !== null);
/** Whether a word names a month or a year. */
export const isOfPeriod = (word: Word): boolean => isYear(word) || isMonth(word);

/** Rows of a month or a year that the question names, where the table has one column of dates. */
export const inPeriod = (
  columns: readonly Column[],
  words: readonly Word[],
  filters: readonly Filter[],
  question: string,
  explain: (word: Word) => true,
): RowsWith | null => {
  const [dates, ...others] = columns.filter(({ kind }) => kind === "date");
  if (dates === undefined || others.length > 0 || filters.some(({ column }) => column === dates)) return null;
  const yearWord = words.find(isYear);
  const monthWord = words.find(isMonth);
  const named = [monthWord, yearWord].filter((word) => word !== undefined);
  if (named.length === 0 || filters.some((filter) => filter.words.some((word) => named.includes(word)))) return null;
  for (const word of named) explain(word);
  const month = monthWord?.forms.map(monthOfTerm).find((each) => each !== null) ?? null;
  const isInPeriod = (value: number | null | undefined): boolean => {
    if (value === null || value === undefined) return false;
    const date = new Date(value);
    return (
      (month === null || date.getUTCMonth() + 1 === month) &&
      (yearWord === undefined || date.getUTCFullYear() === Number(yearWord.written))
    );
  };
  // A table of this month alone needs no condition.
  if (dates.values.every((value) => value === null || isInPeriod(value))) return null;
  const lower = question.toLowerCase();
  const asWritten = ({ written }: Word): string => {
    const at = lower.indexOf(written);
    return at < 0 ? written : question.slice(at, at + written.length);
  };
  const written = named.map(asWritten).join(" ");
  return { conditions: [`${dates.name}: ${written}`], has: (row) => isInPeriod(dates.values[row]) };
};

const isToken = (text: string, token: string): boolean => {
  for (let at = text.indexOf(token); at >= 0; at = text.indexOf(token, at + 1)) {
    const isFree = (character: string | undefined): boolean =>
      character === undefined || !/[\p{L}\p{N}]/u.test(character);
    if (isFree(text[at - 1]) && isFree(text[at + token.length])) return true;
  }
  return false;
};

/** Codes with their signs left out: `00631200K` is `00631-200-K`. */
const withoutSigns = (text: string): string => text.replace(/(?<=[\p{L}\p{N}])[-_./](?=[\p{L}\p{N}])/gu, "");

interface Comparison {
  column: Column;
  isMore: boolean;
  value: number;
}

/** "More than 100 euros": only where the question has one number that is no value of a row. */
export const comparisonOf = (
  columns: readonly Column[],
  words: readonly Word[],
  telling: readonly Word[],
  question: string,
  filters: readonly Filter[],
): Comparison | null => {
  const numbers = [...question.matchAll(/\d[\d.,']*/g)].filter(
    ([number]) =>
      !filters.some(({ value }) => value.includes(number)) &&
      !columns.some(({ terms }) => terms.has(withoutLastSigns(number))),
  );
  const [only] = numbers;
  if (numbers.length !== 1 || only === undefined) return null;
  const isMore = compares(question, "more");
  const numeric = columns.filter(({ kind }) => kind === "number");
  const column =
    namedMost(numeric, telling)[0] ??
    measured(columns, telling, "number") ??
    namedMost(numeric, words)[0] ??
    (numeric.length === 1 ? numeric[0] : undefined);
  const value = Number(
    withoutLastSigns(only[0].slice(0, 40))
      .replace(/[,'](?=\d{3})/g, "")
      .replace(",", "."),
  );
  return column === undefined || !Number.isFinite(value) ? null : { column, isMore, value };
};

const compares = (question: string, name: "more" | "less"): boolean => {
  const clause = clauseOf(question);
  return cueLanguages.some((language) => matchesCue(name, language, clause));
};

/** Whether a question compares with a number, in one direction. */
export const comparesNumber = (question: string): boolean =>
  /\d/.test(question) && compares(question, "more") !== compares(question, "less");

/** A sentence goes on after a number: "more than 100." */
const withoutLastSigns = (number: string): string => {
  let end = number.length;
  while (end > 0 && ".,'".includes(number[end - 1] ?? "")) end--;
  return number.slice(0, end);
};

export const rowsMatching = (
  table: DocumentTable,
  filters: readonly Filter[],
  comparison: Comparison | null,
  others: readonly RowsWith[],
): number[] => {
  const rows: number[] = [];
  const byColumn = [...Map.groupBy(filters, ({ column }) => column).values()];
  for (const [index, row] of table.rows.entries()) {
    const has = ({ column, value, alike = [] }: Filter): boolean =>
      [column, ...alike].some(({ index: at }) => (row[at] ?? "") === value);
    if (!byColumn.every((own) => own.some(has))) continue;
    if (!others.every(({ has }) => has(index))) continue;
    if (comparison !== null) {
      const value = comparison.column.values[index];
      if (value === null || value === undefined) continue;
      if (comparison.isMore ? value <= comparison.value : value >= comparison.value) continue;
    }
    rows.push(index);
  }
  return rows;
};
