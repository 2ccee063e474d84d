import { analyze } from "../../text/analysis/analyze.ts";
import { answerTypesOf } from "../reading/answer-type.ts";
import type { Wishes } from "../reading/ask.ts";
import { cueLanguages, cues } from "../reading/cues.ts";
import { clauseOf } from "../reading/read-ask.ts";
import {
  affirmed,
  comparesNumber,
  comparisonOf,
  containing,
  type Filter,
  filtersOf,
  inPeriod,
  partOfName,
  rowsMatching,
} from "./choose-rows.ts";
import { type Column, columnsOf, isEmptyCell } from "./columns.ts";
import type { DocumentTable } from "./document-table.ts";
import { type Group, groupingOf, groupsOf } from "./groups.ts";
import {
  isAmong,
  isCueWord,
  isInMostRows,
  isNamedBy,
  measured,
  namedMost,
  ofAmount,
  ofExpense,
  ofSpending,
  type Word,
  wordsOf,
} from "./question-words.ts";

/** What a table says to a question. */
export interface TableAnswer {
  operation: "count" | "sum" | "smallest" | "largest" | "none" | "filter" | "all" | "lookup";
  table: DocumentTable;
  columns: readonly Column[];
  /** Indexes of the rows that were found, in the table's order; of a smallest or largest, those that share it. */
  rows: number[];
  /** The column that was compared or asked for; null where it is whole rows. */
  column: Column | null;
  /** What is counted or added up for each: the largest first, or the first month; null where it is for all rows. */
  groups: readonly Group[] | null;
  /** What the rows were chosen by: "status: closed". */
  conditions: string[];
  /** The column that names a row. */
  label: Column;
  /** The part of the question's words that the table, its columns, headings and document explain, 0 to 1. */
  fit: number;
  /** False where nothing of the table is what is compared: "the dearest repair" of a table of costs. */
  isOfSubject: boolean;
}

/** The words of the question that must be explained before a table answers it. */
const minFit = 0.5;
/** A single fact is told as a row only where nearly all of the question is explained. */
const minFitOfLookup = 0.65;
/** Rows that share a smallest or largest, at most. */
export const maxTied = 5;
/** The part of a column's values that differ where they name the rows. */
const minDistinct = 0.8;

/**
 * Answers a question from a whole table: counts rows, finds the smallest and largest of a column, the rows that values of
 * the question name, or all. Exact, in any language whose cues are known, and without a model.
 * @param about what the table stands under: headings and the document's name
 * @returns null where the table does not say it
 */
export const answerFromTable = (
  table: DocumentTable,
  question: string,
  wishes: Wishes,
  about: string,
): TableAnswer | null => {
  const columns = columnsOf(table);
  const words = wordsOf(question);
  const aboutTerms = new Set(analyze(about));
  const explained = new Set<Word>();
  const explain = (word: Word): true => {
    explained.add(word);
    return true;
  };
  const hasComparison = comparesNumber(question);
  const filters = filtersOf(table, columns, words, question, hasComparison, explain);
  const said = filters.length === 0 ? affirmed(table, columns, words, question) : [];
  filters.push(...said);
  const byName = filters.length === 0 ? partOfName(table, columns, words, explain) : null;
  if (byName !== null) filters.push(byName);
  // A word of the document's name ("the stock list") names no column of it, unless there is no other word.
  const telling = words.filter((word) => !isAmong(aboutTerms, word));
  const comparison = hasComparison ? comparisonOf(columns, words, telling, question, filters) : null;
  const naming = telling.length > 0 ? telling : words;
  const named = columns.filter(
    (column) => naming.filter((word) => isNamedBy(column, word) && explain(word)).length > 0,
  );
  const asking = words.filter((word) => !isCueWord(word.written));
  const subject = asking.filter(({ measures, written }) => measures.length === 0 && !ofExpense.test(written));
  for (const word of words) {
    if (isAmong(aboutTerms, word) || !asking.includes(word)) explain(word);
    else if (word.measures.some((measure) => columns.some((column) => column.measures.has(measure)))) explain(word);
    else if (ofExpense.test(word.written) && columns.some(isOfAmounts)) explain(word);
    else if (isInMostRows(table, columns, word)) explain(word);
  }
  if (comparison !== null) for (const word of words) if (/^\d/.test(word.written)) explain(word);
  const period = inPeriod(columns, words, filters, question, explain);
  const isOfMost = wishes.smallest || wishes.largest;
  const isComputed = wishes.count || wishes.sum || isOfMost;
  const grouping = isComputed ? groupingOf(table, columns, words, question, isOfMost) : null;
  if (grouping !== null)
    words.filter((word) => grouping.words.includes(word) || ofGroups.test(word.written)).forEach(explain);
  const unread = asking.filter(
    (word) => !explained.has(word) && !ofSpending.test(word.written) && !ofAmount.test(word.written),
  );
  const withWords = isComputed && filters.length === 0 ? containing(table, columns, unread, explain) : null;
  const chosen = [period, withWords].filter((each) => each !== null);
  const fit = words.length === 0 ? (wishes.all || wishes.count ? 1 : 0) : explained.size / words.length;
  // "List all commands" of a table of something else: only the words around what is asked are known.
  if (asking.length > 0 && !asking.some((word) => explained.has(word))) return null;
  const left = words.filter((word) => !explained.has(word));
  const unexplained = left.filter((word) => !ofSpending.test(word.written));
  const isOfSpending = wishes.sum && words.some(({ written }) => ofSpending.test(written));
  const fitOfSum = wishes.sum ? 1 - unexplained.length / Math.max(1, words.length) : 0;
  if (Math.max(fit, fitOfSum) < minFit) return null;

  let matched = rowsMatching(table, filters, comparison, chosen);
  // "Is project 34 closed?" of a row that is open: the row is told as it is.
  const [widest] = [...filters].sort((a, b) => b.words.length - a.words.length);
  const isContrary = matched.length === 0 && filters.length > 1 && widest !== undefined;
  if (isContrary) matched = rowsMatching(table, [widest], comparison, chosen);
  const conditions = [
    ...filters.map(({ column, value }) => `${column.name}: ${value}`),
    ...chosen.flatMap(({ conditions }) => conditions),
    ...(comparison === null ? [] : [`${comparison.column.name} ${comparison.isMore ? ">" : "<"} ${comparison.value}`]),
  ];
  const unchosen = named.filter((column) => !filters.some((filter) => filter.column === column));
  const label = labelOf(table, columns, unchosen);
  const base = { table, columns, conditions, label, fit, groups: null, isOfSubject: true };

  if (grouping !== null && Math.max(fit, fitOfSum) >= minFit && !hasTotal(table, label)) {
    const summed = wishes.sum || isOfMost ? summedColumn(columns, words, naming) : null;
    const groups = groupsOf(grouping, matched, summed, wishes.smallest && !wishes.largest);
    if (groups.length > 1 && (summed !== null || wishes.count || isOfMost))
      return {
        ...base,
        operation: summed === null ? "count" : "sum",
        rows: matched,
        column: summed,
        conditions: [...conditions, grouping.column.name],
        groups,
      };
  }
  if (isOfMost) {
    const column = dateAskedFor(columns, question) ?? comparedColumn(columns, words, naming);
    // What is compared is not a column: nothing is counted or listed in its place.
    if (column === null) return null;
    const isOfSmallest = wishes.smallest && !(wishes.largest && isOfLargest(question));
    // A bank writes what is paid below zero.
    const isTurned =
      words.some(({ written }) => ofExpense.test(written)) && matched.some((row) => (column.values[row] ?? 0) < 0);
    const isSince = column.kind === "date" && ofDuration.test(question) && isPast(column);
    const operation = isOfSmallest !== (isTurned || isSince) ? "smallest" : "largest";
    const rows = extremes(column, matched, operation);
    const isOfSubject = subject.length === 0 || subject.some((word) => explained.has(word));
    if (rows.length > 0) return { ...base, operation, rows, column, isOfSubject };
  }
  if (wishes.sum && !hasTotal(table, label)) {
    const column = summedColumn(columns, words, naming);
    const isOfAll = filters.length === 0 && wishes.count && !isOfSpending;
    const isFit = fitOfSum >= (withWords === null ? minFitOfLookup : 1);
    if (column !== null && matched.length > 0 && !isOfAll && isFit)
      return { ...base, operation: matched.length === 1 ? "lookup" : "sum", rows: matched, column };
  }
  if (fit < minFit) return null;
  if (wishes.none) {
    const column = named.find(({ kind }) => kind === "number") ?? measured(columns, words, "number") ?? null;
    if (column !== null) {
      const isNone = (row: number): boolean =>
        column.values[row] === 0 || isEmptyCell(table.rows[row]?.[column.index] ?? "");
      return { ...base, operation: "none", rows: matched.filter(isNone), column };
    }
  }
  // "How tall is the rubber tree?" of a table without heights.
  if (!wishes.all && !wishes.count && left.some(({ measures }) => measures.length > 0)) return null;
  const asked = named.filter((column) => column !== label && !filters.some((filter) => filter.column === column));
  const denied = isContrary ? filters.find((filter) => filter !== widest)?.column : undefined;
  // "2025 against 2026": whole rows, where several columns are asked for alike.
  const others = columns.filter((each) => each !== label && !filters.some((filter) => filter.column === each));
  const isOfSeveral = namedMost(others, words, 2).length > 1;
  const single = isOfSeveral ? null : (namedMost(asked, words)[0] ?? measuredBeside(columns, naming, filters) ?? null);
  const column = denied ?? single;
  if (filters.length > 0 && matched.length > 0 && column !== null && matched.length <= maxTied)
    return fit >= minFitOfLookup || matched.length === 1
      ? { ...base, operation: "lookup", rows: matched, column }
      : null;
  // A value that names a row is not counted: "Kuzu güveç kaç TL?" asks what the row says.
  const isOneRow = matched.length === 1 && (withWords !== null || filters.some((filter) => filter.column === label));
  if (wishes.count && !isOneRow && !isOfSpending) return { ...base, operation: "count", rows: matched, column: null };
  // A word in a longer text chooses rows that are counted or compared, not the answer to another question.
  if (withWords !== null) return null;
  if (conditions.length > 0 && matched.length > 0) {
    const isListed = wishes.all || said.length > 0 || asksWhich(question);
    if (!isListed && matched.length > maxTied) return null;
    // "What is Eva's e-mail?" of a table without one: her row, with a doubt.
    if (byName !== null && fit < minFitOfLookup)
      return { ...base, operation: "filter", rows: matched, column: null, isOfSubject: false };
    return fit >= minFitOfLookup ? { ...base, operation: "filter", rows: matched, column: null } : null;
  }
  return wishes.all && conditions.length === 0 ? { ...base, operation: "all", rows: matched, column: null } : null;
};

/** Words around what rows are put together by: "how many people per city". */
const ofGroups =
  /^(?:many|much|viele?|per|each|every|by|people|persons?|leute|personen|pro|je|nach|jede\p{L}?|gens|personnes|chaque|par|personas|cada|por|persone|ogni|pessoas|mensen|elke?|osób|na|każd\p{L}+|людей|человек|по|кажд\p{L}+|kişi|her)$/u;

/** Words that ask for each that there is: "which members live in Lund", "who has paid". */
const ofWhich =
  /^(?:which|who|welche[nrs]?|wer|quels?|quelles?|qui|cuáles|quiénes?|quais|quem|quali|chi|welke|wie|któr\p{L}{1,4}|kto|какие|кто|hangi\p{L}{0,8}|kim\p{L}{0,8})$/u;

const asksWhich = (question: string): boolean =>
  /哪些|谁|どの|誰/.test(question) ||
  (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => ofWhich.test(word));

/** "Who has been here longest": of days that are over, the earliest. */
const ofDuration =
  /(?<![\p{L}\p{N}])(?:longest|längsten|longtemps|más tiempo|(?:più|há mais) tempo|langste?|najdłużej|дольше всех|en uzun)(?![\p{L}\p{N}])|最久|最长|一番長/iu;

const isPast = ({ values }: Column): boolean => values.every((value) => value === null || value <= Date.now());

/** One word with a digit in it. */
const isCode = (cell: string): boolean => !/\s/.test(cell) && /\d/.test(cell);

const measuredBeside = (
  columns: readonly Column[],
  words: readonly Word[],
  filters: readonly Filter[],
): Column | undefined => {
  const others = columns.filter((column) => !filters.some((filter) => filter.column === column));
  return measured(others, words, "number") ?? measured(others, words, "date") ?? measured(others, words, "text");
};

/** "When was the last service?" compares the only dates. */
const dateAskedFor = (columns: readonly Column[], question: string): Column | null => {
  const [dates, ...others] = columns.filter(({ kind }) => kind === "date");
  return dates !== undefined && others.length === 0 && answerTypesOf(question).includes("time") ? dates : null;
};

/** The column that "cheapest" or "least water" compares. @param telling the words that the document's name has not */
const comparedColumn = (
  columns: readonly Column[],
  words: readonly Word[],
  telling: readonly Word[],
): Column | null => {
  const comparable = columns.filter(({ kind }) => kind !== "text");
  const ofName = namedMost(comparable, telling);
  const byMeasure = measured(columns, telling, "number") ?? measured(columns, telling, "date");
  if (ofName.length === 1) return ofName[0] ?? null;
  if (byMeasure !== undefined) return byMeasure;
  const [ofAnyName, ...others] = namedMost(comparable, words);
  if (ofAnyName !== undefined && others.length === 0) return ofAnyName;
  // "The most expensive thing" of a list of expenses with dates and amounts: dates are not dear.
  const numeric = comparable.filter(({ kind }) => kind === "number");
  const isOfDate = telling.some(({ measures }) => measures.includes("date"));
  const left = isOfDate || numeric.length === 0 ? comparable : numeric;
  return left.length === 1 ? (left[0] ?? null) : null;
};

/** A row that sums up the others: nothing is added to it. */
const hasTotal = ({ rows }: DocumentTable, { index }: Column): boolean =>
  rows.some((row) =>
    /^\**(?:(?:grand |sub)?total|sum|gesamt|summe|somme|suma|totale|totaal|razem|итого|всего|toplam|合计|合計|总计)\b/iu.test(
      row[index] ?? "",
    ),
  );

/** The column of numbers that is added up: the one that is asked for, or the only one. */
const summedColumn = (columns: readonly Column[], words: readonly Word[], telling: readonly Word[]): Column | null => {
  const numeric = columns.filter(({ kind }) => kind === "number");
  const [named, ...others] = namedMost(numeric, telling);
  if (named !== undefined && others.length === 0) return named;
  const amounts = numeric.filter(isOfAmounts);
  return measured(numeric, words, "number") ?? (amounts.length === 1 ? (amounts[0] ?? null) : null);
};

/** Names of columns that hold amounts: numbers of tables, houses or years are not added up. */
const ofAmounts =
  /^(?:amount|sum|value|total|spent|paid|hours|betrag|summe|wert|stunden|montant|somme|valeur|heures|importe|valor|horas|importo|somma|valore|ore|quantia|bedrag|som|uren|kwota|suma|godziny|сумма|часы|tutar|saat|金额|数额|金額|合計)\b/iu;

const isOfAmounts = ({ kind, name, measures }: Column): boolean =>
  kind === "number" && (measures.has("price") || ofAmounts.test(name.trim()));

/** Where both cues are found ("the oldest of the latest"), the first one counts. */
const isOfLargest = (question: string): boolean => {
  const { spaced } = clauseOf(question);
  const at = (name: "smallest" | "largest"): number =>
    Math.min(
      ...cueLanguages.map((language) => {
        const place = spaced.search(cues[language][name]);
        return place < 0 ? Number.POSITIVE_INFINITY : place;
      }),
    );
  return at("largest") < at("smallest");
};

const extremes = (column: Column, rows: readonly number[], operation: "smallest" | "largest"): number[] => {
  let best: number | null = null;
  let found: number[] = [];
  for (const row of rows) {
    const value = column.values[row];
    if (value === null || value === undefined) continue;
    if (best === null || (operation === "smallest" ? value < best : value > best)) {
      best = value;
      found = [row];
    } else if (value === best) found.push(row);
  }
  return found;
};

/**
 * The column that names the rows: of those of text with hardly a value twice the one that the question names, else one of
 * names before one of codes.
 */
const labelOf = (table: DocumentTable, columns: readonly Column[], named: readonly Column[]): Column => {
  const text = columns.filter(({ kind }) => kind === "text");
  const sample = table.rows.slice(0, 200);
  const isTelling = ({ index }: Column): boolean =>
    new Set(sample.map((row) => row[index] ?? "")).size >= minDistinct * sample.length;
  const isOfNames = ({ index }: Column): boolean =>
    sample.filter((row) => /\p{L}{3}/u.test(row[index] ?? "") && !isCode((row[index] ?? "").slice(0, 80))).length >
    sample.length / 2;
  const telling = text.filter(isTelling);
  return (
    text.find((column) => named.includes(column) && isOfNames(column)) ??
    telling.find(isOfNames) ??
    telling[0] ??
    text[0] ??
    (columns[0] as Column)
  );
};
