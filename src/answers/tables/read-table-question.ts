import { analyze } from "../../text/analysis/analyze.ts";
import type { Wishes } from "../reading/ask.ts";
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
import { type Column, columnsOf } from "./columns.ts";
import type { DocumentTable } from "./document-table.ts";
import { type Grouping, groupingOf, perEach } from "./groups.ts";
import {
  isAmong,
  isCueWord,
  isInMostRows,
  isNamedBy,
  ofAmount,
  ofExpense,
  ofSpending,
  type Word,
  wordsOf,
  wordsOfExtremes,
} from "./question-words.ts";

/** A question as a table understands it: what its words name, and the rows that they choose. */
export interface TableReading {
  table: DocumentTable;
  question: string;
  wishes: Wishes;
  columns: readonly Column[];
  /** The column that names a row. */
  label: Column;
  words: readonly Word[];
  /** Words that the document's name has not, unless there are no others. */
  naming: readonly Word[];
  explained: ReadonlySet<Word>;
  /** Words that nothing of the table explains. */
  left: readonly Word[];
  /** Words that are no cue of what is wanted. */
  asking: readonly Word[];
  /** Of those: words of what is asked about, not of how. */
  subject: readonly Word[];
  /** Columns that the question names. */
  named: readonly Column[];
  filters: readonly Filter[];
  /** The values of `filters` were only named: a column of yes and no; a part of a row's name; the row asked about before. */
  isAffirmed: boolean;
  isByPartOfName: boolean;
  isContinued: boolean;
  /** A word in a longer text chose the rows. */
  isByWord: boolean;
  /** False where it is a part of a longer document and only that one's name is asked for. */
  isOfDocument: boolean;
  grouping: Grouping | null;
  /** Where no row has all that is named: the value that was kept ("is project 34 closed?" of one that is open). */
  kept: Filter | null;
  /** Indexes of the rows that are chosen. */
  matched: number[];
  conditions: string[];
  isOfSpending: boolean;
  /** The part of the words that is explained, 0 to 1; of a sum also words of spending are. */
  fit: number;
  fitOfSum: number;
}

/** What else tells how a table is asked. */
export interface TableSurroundings {
  /** Lines of its document that are of no table. */
  beside: readonly string[];
  /** The heading that it stands under, or the line before it. */
  over: string;
  /** Questions before it in a chat, the last one first. */
  earlier: readonly string[];
  /** It has a word that stands for something of them: "her e-mail". */
  isOfEarlier: boolean;
}

/** The words of the question that must be explained before a table answers it. */
export const minFit = 0.5;
/** Lines beside a table from which on its document is of more than it. */
const maxBeside = 4;
/** The part of a column's values that differ where they name the rows. */
const minDistinct = 0.8;

/**
 * Reads a question by a table's columns and values.
 * @param about what the table stands under: headings and the document's name
 * @returns null where the table explains too little of it, or a line beside it more
 */
export const readTableQuestion = (
  table: DocumentTable,
  question: string,
  wishes: Wishes,
  about: string,
  { beside, over, earlier, isOfEarlier }: TableSurroundings,
): TableReading | null => {
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
  const own = filters.length;
  if (own === 0) filters.push(...filtersBefore(table, columns, earlier));
  // A word of the document's name ("the stock list") names no column of it, unless there is no other word.
  const telling = words.filter(
    (word) => !isAmong(aboutTerms, word) && !(wishes.sum && isCueWord(word.written)), // "total rent" of rents.csv
  );
  const comparison = hasComparison ? comparisonOf(columns, words, telling, question, filters) : null;
  const naming = telling.length > 0 ? telling : words;
  const named = columns.filter(
    (column) => naming.filter((word) => isNamedBy(column, word) && explain(word)).length > 0,
  );
  const ofExtremes = wordsOfExtremes(question);
  // "Alta" of "più alta" asks for nothing, "expensive" for a price.
  const asking = words.filter(
    ({ written, measures }) => !isCueWord(written) && !(ofExtremes.has(written) && measures.length === 0),
  );
  const subject = asking.filter(({ measures, written }) => measures.length === 0 && !ofExpense.test(written));
  const ofCells = new Set(explained);
  // "And her e-mail?" is of the row of the question before; "and her boss?" leaves a doubt.
  const isContinued = filters.length > own && (named.length > 0 || isOfEarlier);
  if (!isContinued) filters.length = own;
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
  const spends = words.some(({ written }) => ofSpending.test(written));
  const grouping = isComputed || spends ? groupingOf(table, columns, words, question, isOfMost) : null;
  if (grouping !== null)
    for (const word of words)
      if (grouping.words.includes(word) || perEach.test(word.written) || ofGroups.test(word.written)) explain(word);
  const unread = asking.filter(
    (word) => !explained.has(word) && !ofSpending.test(word.written) && !ofAmount.test(word.written),
  );
  const withWords = isComputed && filters.length === 0 ? containing(table, columns, unread, explain) : null;
  const chosen = [period, withWords].filter((each) => each !== null);
  const fit = words.length === 0 ? (wishes.all || wishes.count ? 1 : 0) : explained.size / words.length;
  // "List all commands" of a table of something else: only the words around what is asked are known.
  if (!isContinued && asking.length > 0 && !asking.some((word) => explained.has(word))) return null;
  const left = words.filter((word) => !explained.has(word));
  const isOfTable = (word: Word): boolean =>
    explained.has(word) && (ofCells.has(word) || chosen.length > 0 || isInMostRows(table, columns, word));
  const heading = new Set(analyze(over));
  const isOfDocument = beside.length < maxBeside || words.some((word) => isOfTable(word) || isAmong(heading, word));
  const inTable = words.filter(isOfTable).length + filters.filter((filter) => filter.words.length === 0).length;
  const others = asking.filter((word) => !isOfTable(word) && !isAmong(aboutTerms, word));
  if (isToldBeside(beside, asking, others, inTable)) return null;
  const unexplained = left.filter(({ written }) => !ofSpending.test(written) && !ofAmount.test(written));
  const isOfSpending = (wishes.sum || grouping !== null) && spends;
  const fitOfSum = wishes.sum ? 1 - unexplained.length / Math.max(1, words.length) : 0;
  if (!isContinued && Math.max(fit, fitOfSum) < minFit) return null;

  let matched = rowsMatching(table, filters, comparison, chosen);
  // "Is project 34 closed?" of a row that is open: the row is told as it is.
  const [widest] = [...filters].sort((a, b) => b.words.length - a.words.length);
  const kept = matched.length === 0 && filters.length > 1 && widest !== undefined ? widest : null;
  if (kept !== null) matched = rowsMatching(table, [kept], comparison, chosen);
  const conditions = [
    ...filters.map(({ column, value }) => `${column.name}: ${value}`),
    ...chosen.flatMap(({ conditions }) => conditions),
    ...(comparison === null ? [] : [`${comparison.column.name} ${comparison.isMore ? ">" : "<"} ${comparison.value}`]),
  ];
  const unchosen = named.filter((column) => !filters.some((filter) => filter.column === column));
  const label = labelOf(table, columns, unchosen);
  return {
    ...{ table, question, wishes, columns, label, words, naming, explained, left, asking, subject, named, filters },
    ...{ grouping, kept, matched, conditions, isOfSpending, fit, fitOfSum },
    isAffirmed: said.length > 0,
    isByPartOfName: byName !== null,
    isContinued,
    isByWord: withWords !== null,
    isOfDocument,
  };
};

/** The values that the last question before it names which names any. */
const filtersBefore = (table: DocumentTable, columns: readonly Column[], earlier: readonly string[]): Filter[] => {
  for (const question of earlier) {
    const found = filtersOf(table, columns, wordsOf(question), question, comparesNumber(question), () => true);
    if (found.length > 0) return found;
  }
  return [];
};

/**
 * Whether a line beside the table has a word that the table has not, and more of the question: "What does a day ticket with
 * sauna cost?" is answered by a sentence on day tickets, not by the memberships with a sauna.
 * @param others words that the table has not
 * @param inTable how many it has
 */
const isToldBeside = (
  beside: readonly string[],
  asking: readonly Word[],
  others: readonly Word[],
  inTable: number,
): boolean =>
  others.length > 0 &&
  beside.some((line) => {
    const terms = new Set(analyze(line));
    const isIn = (word: Word): boolean => isAmong(terms, word);
    return others.some(isIn) && asking.filter(isIn).length > inTable;
  });

/** Words around what is counted in groups: "how many people per city". */
const ofGroups =
  /^(?:many|much|viele?|people|persons?|leute|personen|gens|personnes|personas|persone|pessoas|mensen|osób|людей|человек|kişi)$/u;

/** Names of columns that hold amounts: numbers of tables, houses or years are not added up. */
const ofAmounts =
  /^(?:amount|sum|value|total|spent|paid|hours|betrag|summe|wert|stunden|montant|somme|valeur|heures|importe|valor|horas|importo|somma|valore|ore|quantia|bedrag|som|uren|kwota|suma|godziny|сумма|часы|tutar|saat|金额|数额|金額|合計)\b/iu;

export const isOfAmounts = ({ kind, name, measures }: Column): boolean =>
  kind === "number" && (measures.has("price") || ofAmounts.test(name.trim()));

/** One word with a digit in it. */
const isCode = (cell: string): boolean => !/\s/.test(cell) && /\d/.test(cell);

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
