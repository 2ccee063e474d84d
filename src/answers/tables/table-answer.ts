import { answerTypesOf, hasAnswerOf } from "../reading/answer-type.ts";
import type { Wishes } from "../reading/ask.ts";
import { cueLanguages, cues } from "../reading/cues.ts";
import { clauseOf } from "../reading/read-ask.ts";
import { isOfPeriod, ofCounts } from "./choose-rows.ts";
import { type Column, isEmptyCell } from "./columns.ts";
import type { DocumentTable } from "./document-table.ts";
import { type Group, groupsOf } from "./groups.ts";
import {
  isNamedBy,
  measured,
  namedMost,
  ofAmount,
  ofExpense,
  ofIncome,
  ofSpending,
  writtenWords,
} from "./question-words.ts";
import {
  isOfAmounts,
  minFit,
  readTableQuestion,
  type TableReading,
  type TableSurroundings,
} from "./read-table-question.ts";

/** What a table says to a question. */
export interface TableAnswer {
  operation: "count" | "sum" | "mean" | "smallest" | "largest" | "none" | "filter" | "all" | "lookup";
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

/** A single fact is told as a row only where nearly all of the question is explained. */
const minFitOfLookup = 0.65;
/** Rows that share a smallest or largest, at most. */
export const maxTied = 5;

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
  surroundings: TableSurroundings = { beside: [], over: "", earlier: [], isOfEarlier: false },
): TableAnswer | null => {
  const reading = readTableQuestion(table, question, wishes, about, surroundings);
  if (reading === null) return null;
  const grouped = byGroups(reading);
  if (grouped !== null) return grouped;
  if (wishes.smallest || wishes.largest) {
    const column = dateAskedFor(reading.columns, question) ?? comparedColumn(reading);
    // What is compared is not a column: nothing is counted or listed in its place.
    if (column === null) return null;
    const extreme = ofExtremes(reading, column);
    if (extreme !== null) return extreme;
  }
  const sum = wishes.sum ? ofSum(reading) : null;
  if (sum !== null) return sum;
  if (reading.fit < minFit && !reading.isContinued) return null;
  return (wishes.none ? ofNothing(reading) : null) ?? ofRows(reading);
};

const answerOf = (
  { table, columns, conditions, label, fit }: TableReading,
  told: Pick<TableAnswer, "operation" | "rows" | "column"> & Partial<TableAnswer>,
): TableAnswer => ({ table, columns, conditions, label, fit, groups: null, isOfSubject: true, ...told });

/** "How many per city", "how much did we spend each month", "which city has the most members". */
const byGroups = (reading: TableReading): TableAnswer | null => {
  const { table, wishes, label, grouping, matched, conditions } = reading;
  if (grouping === null || hasTotal(table, label)) return null;
  const isOfMost = wishes.smallest || wishes.largest;
  const isOfSums = wishes.sum || isOfMost || reading.isOfSpending;
  const column = isOfSums ? summedColumn(reading) : null;
  const rows = column === null ? matched : ofOneSign(reading, column);
  // "The most expensive room" of a table without prices is not the one with the most rows.
  if (column === null && isOfMost && reading.left.some(({ measures }) => measures.length > 0)) return null;
  const groups = groupsOf(grouping, rows, column, wishes.smallest && !wishes.largest);
  if (groups.length < 2 || (column === null && !wishes.count && !isOfMost)) return null;
  const operation = column === null ? "count" : wishes.mean ? "mean" : "sum";
  return answerOf(reading, {
    ...{ operation, rows, column, groups },
    conditions: [...conditions, grouping.column.name],
  });
};

/** The rows with the smallest or largest value of a column. */
const ofExtremes = (reading: TableReading, column: Column): TableAnswer | null => {
  const { question, wishes, words, subject, explained, matched, isByWord, fit } = reading;
  // "When was the onboarding page last changed?" is not of the last oil change.
  if (isByWord && fit < minFitOfLookup) return null;
  const isOfSmallest = wishes.smallest && !(wishes.largest && isOfLargest(question));
  // A bank writes what is paid below zero.
  const isTurned =
    words.some(({ written }) => ofExpense.test(written)) && matched.some((row) => (column.values[row] ?? 0) < 0);
  const isSince = (column.kind === "date" || isOfYears(column)) && ofDuration.test(question) && isPast(column);
  const operation = isOfSmallest !== (isTurned || isSince) ? "smallest" : "largest";
  const rows = extremes(column, matched, operation);
  const isOfSubject = subject.length === 0 || subject.some((word) => explained.has(word));
  return rows.length === 0 ? null : answerOf(reading, { operation, rows, column, isOfSubject });
};

const ofSum = (reading: TableReading): TableAnswer | null => {
  const { table, wishes, label, filters, matched, isByWord, isOfSpending, fitOfSum, subject, explained } = reading;
  // "How much does the medicine cost?" of the costs of a car.
  const things = subject.filter(({ written }) => !ofAmount.test(written) && !ofSpending.test(written));
  if (things.length > 0 && !things.some((word) => explained.has(word))) return null;
  if (hasTotal(table, label)) return null;
  const column = summedColumn(reading);
  const isOfAll = filters.length === 0 && wishes.count && !isOfSpending && !wishes.mean;
  const isFit = fitOfSum >= (isByWord ? 1 : minFitOfLookup);
  if (column === null || matched.length === 0 || isOfAll || !isFit) return null;
  const rows = ofOneSign(reading, column);
  return answerOf(reading, { operation: rows.length === 1 ? "lookup" : wishes.mean ? "mean" : "sum", rows, column });
};

/** A bank's list has both: what is spent is below zero there, what is earned above. All rows where the table has not both. */
const ofOneSign = ({ words, matched }: TableReading, { values }: Column): number[] => {
  const isOf = (sign: -1 | 1) => (row: number) => Math.sign(values[row] ?? 0) === sign;
  const isOfBoth = values.some((value) => (value ?? 0) < 0) && values.some((value) => (value ?? 0) > 0);
  const isEarned = words.some(({ written }) => ofIncome.test(written));
  const isSpent = words.some(({ written }) => ofExpense.test(written) || ofSpending.test(written));
  const chosen = isOfBoth && (isEarned || isSpent) ? matched.filter(isOf(isEarned ? 1 : -1)) : [];
  return chosen.length > 0 ? chosen : matched;
};

/** "What is sold out": rows with zero or nothing in a column. */
const ofNothing = (reading: TableReading): TableAnswer | null => {
  const { table, columns, words, named, matched } = reading;
  const column = named.find(({ kind }) => kind === "number") ?? measured(columns, words, "number");
  if (column === undefined) return null;
  const isNone = (row: number): boolean =>
    column.values[row] === 0 || isEmptyCell(table.rows[row]?.[column.index] ?? "");
  const rows = matched.filter(isNone);
  return reading.wishes.count
    ? answerOf(reading, {
        operation: "count",
        rows,
        column: null,
        conditions: [...reading.conditions, `${column.name}: 0`],
      })
    : answerOf(reading, { operation: "none", rows, column });
};

/** A cell of a row that is named, rows that are counted or listed. */
const ofRows = (reading: TableReading): TableAnswer | null => {
  const { question, wishes, columns, label, words, left, named, filters, kept, matched, conditions, fit } = reading;
  // "How tall is the rubber tree?" of a table without heights.
  if (!wishes.all && !wishes.count && left.some(({ measures }) => measures.length > 0)) return null;
  const isFiltered = (column: Column): boolean => filters.some((filter) => filter.column === column);
  const others = columns.filter((each) => each !== label && !isFiltered(each));
  const denied = kept === null ? undefined : filters.find((filter) => filter !== kept)?.column;
  // "2025 against 2026": whole rows, where several columns are asked for alike.
  const isOfSeveral = namedMost(others, words, 2).length > 1;
  const asked = named.filter((column) => others.includes(column));
  const [one, ...alike] = namedMost(asked, words);
  // "Goal difference" of the columns "Goals for" and "Goals against".
  const isOfNone = alike.length > 0 && left.length > 0;
  const single = isOfSeveral || isOfNone ? null : (one ?? measuredBeside(reading) ?? onlyAmount(reading) ?? null);
  const column = denied ?? single;
  if (filters.length > 0 && matched.length > 0 && column !== null && matched.length <= maxTied)
    return fit >= minFitOfLookup || matched.length === 1
      ? answerOf(reading, { operation: "lookup", rows: matched, column })
      : null;
  // A value that names a row is not counted: "Kuzu güveç kaç TL?" asks what the row says.
  const isOneRow = matched.length === 1 && (reading.isByWord || isFiltered(label));
  if (wishes.count && !isOneRow && !reading.isOfSpending && conditions.length === 0 && !isOfThese(reading)) return null;
  if (wishes.count && !isOneRow && !reading.isOfSpending)
    return answerOf(reading, { operation: "count", rows: matched, column: null });
  // A word in a longer text chooses rows that are counted or compared, not the answer to another question.
  if (reading.isByWord) return null;
  if (conditions.length > 0 && matched.length > 0) {
    // "Which appointments are there in November?" of a list of expenses.
    const things = reading.subject.filter((word) => !isOfPeriod(word));
    if (filters.length === 0 && things.length > 0 && things.every((word) => left.includes(word))) return null;
    const isListed = wishes.all || reading.isAffirmed || asksWhich(question);
    // "What is Eva's e-mail?" of a table without one: her row, with a doubt.
    // "How often is the filter cleaned?" of a table that says what helps: clean the filter.
    if (!hasKindAsked(reading) && !filters.some(({ column }) => column === label)) return null;
    const isOfSubject =
      !((reading.isByPartOfName || reading.isContinued) && fit < minFitOfLookup) && hasKindAsked(reading);
    const isFit = fit >= (asksWhich(question) ? minFit : minFitOfLookup) || !isOfSubject;
    return (isListed || matched.length <= maxTied) && isFit
      ? answerOf(reading, { operation: "filter", rows: matched, column: null, isOfSubject })
      : null;
  }
  const amount =
    wishes.all && asksWhich(question) ? named.find((column) => column !== label && hasZeros(column)) : null;
  // "Which pills does she take in the evening?": rows with a number in that column.
  if (amount && conditions.length === 0)
    return answerOf(reading, {
      ...{ operation: "filter", column: null, conditions: [`${amount.name} > 0`] },
      rows: matched.filter((row) => (amount.values[row] ?? 0) > 0),
    });
  const isWhole = isOfThese(reading) && (fit >= minFitOfLookup || named.includes(label));
  return wishes.all && conditions.length === 0 && isWhole
    ? answerOf(reading, { operation: "all", rows: matched, column: null })
    : null;
};

/** "What is Nina's salary?" of a row without an amount. */
const hasKindAsked = ({ table, question, columns, matched }: TableReading): boolean =>
  answerTypesOf(question).every(
    (type) =>
      type === "person" ||
      (type === "money" && columns.some(({ measures }) => measures.has("price"))) ||
      matched.some((row) => hasAnswerOf(type, (table.rows[row] ?? []).join("; "))),
  );

/** What is counted or listed is named first: "how many pupils …" of a school's table of clubs counts none of its rows. */
const isOfThese = ({ question, asking, left, named: columns, isOfDocument }: TableReading): boolean => {
  if (!isOfDocument) return false;
  const said = writtenWords(question);
  const things = asking.filter(({ written }) => !ofAmount.test(written));
  // "Error codes", "light signals": one of words that follow each other.
  const end = things.findIndex(
    ({ written }, at) => at > 0 && said[said.indexOf(written) - 1] !== things[at - 1]?.written,
  );
  const [first, ...others] = end < 0 ? things : things.slice(0, end);
  return (
    first === undefined ||
    !left.includes(first) ||
    others.some((word) => columns.some((column) => isNamedBy(column, word)))
  );
};

const hasZeros = ({ kind, values }: Column): boolean =>
  kind === "number" && values.includes(0) && values.some((value) => (value ?? 0) > 0);

/** Words that ask for each that there is: "which members live in Lund", "who has paid". */
const ofWhich =
  /^(?:which|who|welche[nrs]?|wer|quels?|quelles?|qui|cuáles|quiénes?|quais|quem|quali|chi|welke|wie|vilk(?:a|en|et)|vem|hvilke[nt]?|hvem|któr\p{L}{1,4}|kto|какие|кто|hangi\p{L}{0,8}|kim\p{L}{0,8})$/u;

const asksWhich = (question: string): boolean =>
  /哪些|谁|どの|誰/.test(question) || writtenWords(question).some((word) => ofWhich.test(word));

/** "Who has been here longest": of days that are over, the earliest. */
const ofDuration =
  /(?<![\p{L}\p{N}])(?:longest|längsten|longtemps|más tiempo|(?:più|há mais) tempo|langste?|najdłużej|дольше всех|en uzun)(?![\p{L}\p{N}])|最久|最长|一番長/iu;

const isOfYears = ({ values }: Column): boolean =>
  values.every((value) => value === null || (Number.isInteger(value) && value >= 1900 && value <= 2100));

const isPast = ({ values }: Column): boolean => values.every((value) => value === null || value <= Date.now());

const measuredBeside = ({ columns, naming: words, filters }: TableReading): Column | undefined => {
  const others = columns.filter((column) => !filters.some((filter) => filter.column === column));
  return measured(others, words, "number") ?? measured(others, words, "date") ?? measured(others, words, "text");
};

const asksHowMuch =
  /(?<!\p{L})(?:how much|wie ?viel|combien|cu[aá]nto|quanto|hoeveel|hur mycket|hvor (?:meget|mye)|ile|сколько)(?!\p{L})/iu;

/** "How much is planned for meals?" of a list of things and amounts. */
const onlyAmount = ({ question, columns }: TableReading): Column | undefined =>
  columns.length === 2 && asksHowMuch.test(question) ? columns.find(({ kind }) => kind === "number") : undefined;

/** "When was the last service?" compares the only dates. */
const dateAskedFor = (columns: readonly Column[], question: string): Column | null => {
  const [dates, ...others] = columns.filter(({ kind }) => kind === "date");
  return dates !== undefined && others.length === 0 && answerTypesOf(question).includes("time") ? dates : null;
};

/** The column that "cheapest" or "least water" compares. */
const comparedColumn = ({ columns, words, naming: telling }: TableReading): Column | null => {
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
  // How many there are is no price.
  const isOfPrice = telling.some(({ measures }) => measures.includes("price"));
  if (isOfPrice && left.every(({ measures, name }) => measures.has("stock") || ofCounts.test(name))) return null;
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
const summedColumn = ({ columns, words, naming: telling }: TableReading): Column | null => {
  const numeric = columns.filter(({ kind }) => kind === "number");
  const [named, ...others] = namedMost(numeric, telling);
  if (named !== undefined && others.length === 0) return named;
  const [ofAnyName, ...more] = namedMost(numeric, words);
  if (ofAnyName !== undefined && more.length === 0) return ofAnyName;
  const amounts = numeric.filter(isOfAmounts);
  return measured(numeric, words, "number") ?? (amounts.length === 1 ? (amounts[0] ?? null) : null);
};

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
