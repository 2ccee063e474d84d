import { analyze, analyzeQuery, formsByWord } from "../../text/analysis/analyze.ts";
import { type Measure, measuresOf } from "../../text/measures.ts";
import type { Wishes } from "../reading/ask.ts";
import { cueLanguages, cues } from "../reading/cues.ts";
import { clauseOf, matchesCue } from "../reading/read-ask.ts";
import { phrase } from "../wording/phrases.ts";
import { type Column, columnsOf, isEmptyCell } from "./columns.ts";
import type { DocumentTable } from "./document-table.ts";

/** What a table says to a question. */
export interface TableAnswer {
  operation: "count" | "sum" | "smallest" | "largest" | "none" | "filter" | "all" | "lookup";
  table: DocumentTable;
  columns: readonly Column[];
  /** Indexes of the rows that were found, in the table's order; of a smallest or largest, those that share it. */
  rows: number[];
  /** The column that was compared or asked for; null where it is whole rows. */
  column: Column | null;
  /** What the rows were chosen by: "status: closed". */
  conditions: string[];
  /** The column that names a row. */
  label: Column;
  /** The part of the question's words that the table, its columns, headings and document explain, 0 to 1. */
  fit: number;
}

/** The words of the question that must be explained before a table answers it. */
const minFit = 0.5;
/** A single fact is told as a row only where nearly all of the question is explained. */
const minFitOfLookup = 0.65;
/** Rows that an answer shows, names of rows that a count tells, and rows that share a smallest or largest. */
const maxShownRows = 20;
const maxNamed = 12;
const maxTied = 5;
/** Decimals of a sum, at most: those of its numbers. */
const maxDecimals = 6;
/** The part of a column's values that differ where they name the rows. */
const minDistinct = 0.8;
/** A value of a column is named by the question in so many words at most; different values that are looked at. */
const maxValueTerms = 6;
const maxValues = 20_000;

interface Word {
  forms: readonly string[];
  written: string;
  measures: readonly Measure[];
}

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
  if (filters.length === 0) filters.push(...affirmed(table, columns, words, question));
  // A word of the document's name ("the stock list") names no column of it, unless there is no other word.
  const telling = words.filter((word) => !isAmong(aboutTerms, word));
  const comparison = hasComparison ? comparisonOf(columns, words, telling, question, filters) : null;
  const naming = telling.length > 0 ? telling : words;
  const named = columns.filter(
    (column) => naming.filter((word) => isNamedBy(column, word) && explain(word)).length > 0,
  );
  for (const word of words) {
    if (isAmong(aboutTerms, word) || isCueWord(word.written)) explain(word);
    else if (word.measures.some((measure) => columns.some((column) => column.measures.has(measure)))) explain(word);
    else if (isInMostRows(table, columns, word)) explain(word);
  }
  if (comparison !== null) for (const word of words) if (/^\d/.test(word.written)) explain(word);
  const fit = words.length === 0 ? (wishes.all || wishes.count ? 1 : 0) : explained.size / words.length;
  const unexplained = words.filter((word) => !explained.has(word) && !ofSpending.test(word.written));
  const fitOfSum = wishes.sum ? 1 - unexplained.length / Math.max(1, words.length) : 0;
  if (Math.max(fit, fitOfSum) < minFit) return null;

  let matched = rowsMatching(table, filters, comparison);
  // "Is project 34 closed?" of a row that is open: the row is told as it is.
  const [widest] = [...filters].sort((a, b) => b.words.length - a.words.length);
  const isContrary = matched.length === 0 && filters.length > 1 && widest !== undefined;
  if (isContrary) matched = rowsMatching(table, [widest], comparison);
  const conditions = [
    ...filters.map(({ column, value }) => `${column.name}: ${value}`),
    ...(comparison === null ? [] : [`${comparison.column.name} ${comparison.isMore ? ">" : "<"} ${comparison.value}`]),
  ];
  const unchosen = named.filter((column) => !filters.some((filter) => filter.column === column));
  const label = labelOf(table, columns, unchosen);
  const base = { table, columns, conditions, label, fit };

  if (wishes.smallest || wishes.largest) {
    const column = comparedColumn(columns, words, naming);
    // What is compared is not a column: nothing is counted or listed in its place.
    if (column === null) return null;
    const operation = wishes.smallest && !(wishes.largest && isOfLargest(question)) ? "smallest" : "largest";
    const rows = extremes(column, matched, operation);
    if (rows.length > 0) return { ...base, operation, rows, column };
  }
  if (wishes.sum && !hasTotal(table, label)) {
    const column = summedColumn(columns, words, naming);
    const isOfAll = filters.length === 0 && wishes.count;
    if (column !== null && matched.length > 1 && !isOfAll && fitOfSum >= minFitOfLookup)
      return { ...base, operation: "sum", rows: matched, column };
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
  const isOneRow = matched.length === 1 && filters.some((filter) => filter.column === label);
  if (wishes.count && !isOneRow) return { ...base, operation: "count", rows: matched, column: null };
  if (filters.length + (comparison === null ? 0 : 1) > 0 && matched.length > 0) {
    if (wishes.all || matched.length <= maxTied)
      return fit >= minFitOfLookup ? { ...base, operation: "filter", rows: matched, column: null } : null;
    return null;
  }
  return wishes.all && filters.length === 0 ? { ...base, operation: "all", rows: matched, column: null } : null;
};

const wordsOf = (question: string): Word[] => {
  const { terms, words } = analyzeQuery(question);
  return formsByWord(terms).map((own) => {
    const written = words.find(({ terms: of }) => of.some((term) => own.includes(term)))?.written ?? own[0] ?? "";
    return { forms: own, written, measures: measuresOf(written) };
  });
};

const isAmong = (terms: ReadonlySet<string>, { forms }: Word): boolean => forms.some((form) => terms.has(form));

/** A word names a column as a whole, or one begins with the other: "products", "product_name". */
const isNamedBy = (column: Column, word: Word): boolean => {
  if (isAmong(column.terms, word)) return true;
  return word.forms.some((form) =>
    [...column.terms].some(
      (term) => form.length >= 4 && term.length >= 4 && (form.startsWith(term) || term.startsWith(form)),
    ),
  );
};

/** Words around a sum: "how much did we spend so far". */
const ofSpending =
  /^(?:spend|spent|pay|paid|cost|costs|earn|earned|owe|far|ausgegeben|ausgeben|gezahlt|bezahlt|verdient|gekostet|dépensé|payé|gagné|coûté|gastado|gastó|gastamos|pagado|pagó|ganado|speso|spesi|pagato|guadagnato|gastou|gasto|pagou|pago|uitgegeven|betaald|verdiend|wydał\p{L}*|zapłacił\p{L}*|потратил\p{L}*|заплатил\p{L}*|harcadı\p{L}*|ödedi\p{L}*)$/u;

/** A word of a cue ("list", "cheapest") says what is wanted, not of what. */
const isCueWord = (written: string): boolean => {
  const clause = clauseOf(written);
  return (
    cueLanguages.some((language) =>
      (["all", "count", "sum", "smallest", "largest", "none"] as const).some((name) =>
        matchesCue(name, language, clause),
      ),
    ) ||
    /^(?:list|listed|listing|table|row|rows|entry|entries|item|items|there|show|exist|total|liste|aufgelistet|tabelle|zeilen|einträge|gibt|lista|tabla|filas|tableau|lignes|elenco|tabella|righe|tabela|linhas|lijst|tabel|rijen|wiersze|таблица|таблице|строк|tablo|satır)$/u.test(
      written,
    )
  );
};

/** "Projects" where most rows say "Project 34". */
const isInMostRows = (table: DocumentTable, columns: readonly Column[], { forms }: Word): boolean => {
  const sample = table.rows.slice(0, 20);
  return columns.some(({ kind, index }) => {
    if (kind !== "text") return false;
    const with_ = sample.filter((row) => {
      const terms = analyze(row[index] ?? "");
      return forms.some((form) => terms.includes(form));
    });
    return with_.length > sample.length / 2;
  });
};

interface Filter {
  column: Column;
  value: string;
  /** The words of the question that name it. */
  words: Word[];
}

/** The values of columns that the question names. */
const filtersOf = (
  table: DocumentTable,
  columns: readonly Column[],
  words: readonly Word[],
  question: string,
  hasComparison: boolean,
  explain: (word: Word) => true,
): Filter[] => {
  const lower = question.toLowerCase();
  const found: Filter[] = [];
  for (const column of columns) {
    const seen = new Set<string>();
    let best: Filter | null = null;
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
        if (!hasComparison && isToken(lower, value.toLowerCase()))
          best = { column, value, words: words.filter((word) => value.includes(word.written)) };
        continue;
      }
      const terms = new Set(analyze(value));
      if (terms.size === 0 || terms.size > maxValueTerms) continue;
      const naming = words.filter((word) => isAmong(terms, word));
      const isWhole = [...terms].every((term) => naming.some(({ forms }) => forms.includes(term)));
      const isCode = isToken(withoutSigns(lower), withoutSigns(value.toLowerCase())) && /\d/.test(value);
      if (!isWhole && !isCode) continue;
      if (isCode) {
        const plain = withoutSigns(value.toLowerCase());
        naming.push(...words.filter((word) => !naming.includes(word) && plain.includes(withoutSigns(word.written))));
      }
      if (best === null || naming.length > best.words.length) best = { column, value, words: naming };
    }
    if (best !== null) found.push(best);
  }
  // A word that names a column too ("water" in the column Water) is no value of another, unless nothing else names it.
  const kept = found.filter(
    ({ column, words: naming }) =>
      naming.length === 0 ||
      naming.some((word) => !columns.some((other) => other !== column && isAmong(other.terms, word))),
  );
  // Of two values of the same words the longer one is meant.
  const filters = kept.filter(
    (filter) =>
      !kept.some(
        (other) =>
          other !== filter &&
          other.words.length > filter.words.length &&
          filter.words.every((word) => other.words.includes(word)),
      ),
  );
  for (const { words: naming } of filters) naming.forEach(explain);
  return filters;
};

const yes = /^(?:yes|y|true|ja|oui|sí|si|sì|sim|tak|да|evet|是|有|はい|○|✓|✔|☑)$/iu;
const no = /^(?:no|n|false|nein|non|não|nee|nie|нет|hayır|否|无|いいえ|×|✗|✘|☐)$/iu;
const denies =
  / (?:not|n't|isn't|aren't|doesn't|don't|didn't|hasn't|haven't|without|no|nicht|kein|keine|keinen|pas|sans|sin|non|senza|não|sem|niet|geen|nie|не|нет|değil|olmayan) |不|没|ない|ません/u;

/** Columns of yes and no that the question names: "who is coming" of the column Coming, "who is not coming". */
const affirmed = (
  table: DocumentTable,
  columns: readonly Column[],
  words: readonly Word[],
  question: string,
): Filter[] => {
  const isDenied = denies.test(clauseOf(question).spaced) || denies.test(question);
  return columns.flatMap((column) => {
    if (column.kind !== "text") return [];
    const naming = words.filter((word) => isNamedBy(column, word));
    const cells = new Set(table.rows.map((row) => (row[column.index] ?? "").trim()));
    const said = [...cells].filter((cell) => yes.test(cell) || no.test(cell));
    // Beside yes and no, one other word at most: "pending".
    if (naming.length === 0 || said.length === 0 || cells.size > said.length + 2 || cells.size > 4) return [];
    const value = said.find((cell) => (isDenied ? no : yes).test(cell));
    return value === undefined ? [] : [{ column, value, words: naming }];
  });
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
const comparisonOf = (
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
const comparesNumber = (question: string): boolean =>
  /\d/.test(question) && compares(question, "more") !== compares(question, "less");

/** A sentence goes on after a number: "more than 100." */
const withoutLastSigns = (number: string): string => {
  let end = number.length;
  while (end > 0 && ".,'".includes(number[end - 1] ?? "")) end--;
  return number.slice(0, end);
};

/** One word with a digit in it. */
const isCode = (cell: string): boolean => !/\s/.test(cell) && /\d/.test(cell);

const rowsMatching = (table: DocumentTable, filters: readonly Filter[], comparison: Comparison | null): number[] => {
  const rows: number[] = [];
  for (const [index, row] of table.rows.entries()) {
    if (!filters.every(({ column, value }) => (row[column.index] ?? "") === value)) continue;
    if (comparison !== null) {
      const value = comparison.column.values[index];
      if (value === null || value === undefined) continue;
      if (comparison.isMore ? value <= comparison.value : value >= comparison.value) continue;
    }
    rows.push(index);
  }
  return rows;
};

const measured = (columns: readonly Column[], words: readonly Word[], kind: Column["kind"]): Column | undefined =>
  columns.find(
    (column) =>
      column.kind === kind && words.some(({ measures }) => measures.some((each) => column.measures.has(each))),
  );

const measuredBeside = (
  columns: readonly Column[],
  words: readonly Word[],
  filters: readonly Filter[],
): Column | undefined => {
  const others = columns.filter((column) => !filters.some((filter) => filter.column === column));
  return measured(others, words, "number") ?? measured(others, words, "date");
};

/** The columns that most words name: "budget in 2026" is of "Budget 2026", not of "Budget 2025". */
const namedMost = (columns: readonly Column[], words: readonly Word[], least = 1): Column[] => {
  const counts = columns.map((column) => words.filter((word) => isNamedBy(column, word)).length);
  const most = Math.max(0, ...counts);
  return most < least ? [] : columns.filter((_, at) => counts[at] === most);
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
  const amounts = numeric.filter(({ name, measures }) => measures.has("price") || ofAmounts.test(name.trim()));
  return measured(numeric, words, "number") ?? (amounts.length === 1 ? (amounts[0] ?? null) : null);
};

/** Names of columns that hold amounts: numbers of tables, houses or years are not added up. */
const ofAmounts =
  /^(?:amount|sum|value|total|spent|paid|hours|betrag|summe|wert|stunden|montant|somme|valeur|heures|importe|valor|horas|importo|somma|valore|ore|quantia|bedrag|som|uren|kwota|suma|godziny|сумма|часы|tutar|saat|金额|数额|金額|合計)\b/iu;

const sumOf = ({ values }: Column, rows: readonly number[]): string => {
  const added = rows.map((row) => values[row] ?? 0);
  const decimals = Math.max(...added.map((value) => /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0));
  return added.reduce((sum, value) => sum + value, 0).toFixed(Math.min(decimals, maxDecimals));
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

/** The answer as it is read, with the mark of the snippet that the table was reached from. */
export const writeTableAnswer = (answer: TableAnswer, mark: string, language: string): string => {
  const { operation, table, rows, column, label, conditions } = answer;
  const total = table.rows.length;
  const cell = (row: number, { index }: Column): string => table.rows[row]?.[index] ?? "";
  if (operation === "count") {
    const by = conditions.length === 0 ? "" : ` (${conditions.join(", ")})`;
    const names =
      conditions.length > 0 && rows.length > 0 && rows.length <= maxNamed
        ? `: ${rows.map((row) => cell(row, label)).join(", ")}`
        : "";
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
  if (operation === "sum" && column !== null) {
    const by = [...conditions, phrase(language, "rows", { count: rows.length, total })].join(", ");
    const each = rows.length <= maxNamed ? rows.map((row) => `- ${rowText({ ...answer, column: null }, row)}`) : [];
    return [`${column.name}: ${sumOf(column, rows)} (${by}) ${mark}`, ...each].join("\n");
  }
  const isOfRows = operation !== "all" && rows.length <= maxTied;
  if (isOfRows) return rows.map((row) => `${rowText(answer, row)} ${mark}`).join("\n");
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

/** "Leith – Boats: 9": what names the row, then the column asked for, or all. */
const rowText = ({ table, columns, column, label }: TableAnswer, row: number): string => {
  const cells = table.rows[row] ?? [];
  const shown = column === null || column === label ? columns.filter((each) => each !== label) : [column];
  const told = shown
    .filter(({ index }) => (cells[index] ?? "") !== "")
    .map(({ name, index }) => (name === "" ? cells[index] : `${name}: ${cells[index]}`));
  const name = nameOf(table, columns, label, row);
  return told.length === 0 ? name : `${name} – ${told.join(", ")}`;
};

/** The cell that names a row; where others have the same one, with the next cell of text. */
const nameOf = (table: DocumentTable, columns: readonly Column[], label: Column, row: number): string => {
  const name = table.rows[row]?.[label.index] ?? "";
  const isShared = table.rows.some((cells, other) => other !== row && cells[label.index] === name);
  const beside = isShared ? columns.find(({ kind, index }) => kind === "text" && index !== label.index) : undefined;
  return beside === undefined ? name : `${name}, ${table.rows[row]?.[beside.index] ?? ""}`;
};

const tableRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
