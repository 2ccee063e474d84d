import { analyze, analyzeQuery, formsByWord } from "../../text/analysis/analyze.ts";
import { type Measure, measuresOf } from "../../text/measures.ts";
import { cueLanguages, cues } from "../reading/cues.ts";
import { clauseOf, matchesCue } from "../reading/read-ask.ts";
import type { Column } from "./columns.ts";
import type { DocumentTable } from "./document-table.ts";

/** A word of a question, as columns and rows are compared with it. */
export interface Word {
  forms: readonly string[];
  written: string;
  measures: readonly Measure[];
}

export const wordsOf = (question: string): Word[] => {
  const { terms, words } = analyzeQuery(question);
  return formsByWord(terms).map((own) => {
    const written = words.find(({ terms: of }) => of.some((term) => own.includes(term)))?.written ?? own[0] ?? "";
    return { forms: own, written, measures: measuresOf(written) };
  });
};

/** Each word of a question as it is written, in lower case: those of its grammar too, which `wordsOf` leaves out. */
export const writtenWords = (question: string): string[] => question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export const isAmong = (terms: ReadonlySet<string>, { forms }: Word): boolean => forms.some((form) => terms.has(form));

/** Letters of a column's name at the end of a compound: "Waschprogramm" of "Programm". */
const minEnd = 6;

/** A word names a column as a whole, or one begins with the other: "products", "product_name". */
export const isNamedBy = (column: Column, word: Word): boolean => {
  if (isAmong(column.terms, word)) return true;
  return word.forms.some((form) =>
    [...column.terms].some(
      (term) =>
        form.length >= 4 &&
        term.length >= 4 &&
        (form.startsWith(term) || term.startsWith(form) || (term.length >= minEnd && form.endsWith(term))),
    ),
  );
};

/** Words around a sum: "how much did we spend so far". */
export const ofSpending =
  /^(?:spend|spent|pay|paid|cost|costs|earn|earned|owe|far|ausgegeben|ausgeben|gezahlt|bezahlt|verdient|gekostet|dépensé|payé|gagné|coûté|gastado|gastó|gastamos|pagado|pagó|ganado|speso|spesi|pagato|guadagnato|gastou|gasto|pagou|pago|uitgegeven|betaald|verdiend|wydał\p{L}*|zapłacił\p{L}*|потратил\p{L}*|заплатил\p{L}*|harcadı\p{L}*|ödedi\p{L}*)$/u;

/** Words that name what was paid, whose amounts a bank writes below zero. */
export const ofExpense =
  /^(?:expens\p{L}*|spend\p{L}*|spent|costs?|paid|pay|payment\p{L}*|ausgabe\p{L}*|ausgegeben|bezahlt|kosten|dépens\p{L}*|payé|gasto\p{L}*|gastado|pagado|spes[ae]|speso|pagato|despesa\p{L}*|gastou|uitgave\p{L}*|uitgegeven|betaald|wydat\p{L}*|wydał\p{L}*|расход\p{L}*|потрат\p{L}*|gider\p{L}*|harca\p{L}*)$/u;

/** Words that name what came in. */
export const ofIncome =
  /^(?:earn\p{L}*|incomes?|receiv\p{L}*|verdien\p{L}*|einnahme\p{L}*|eingenommen|gagn\p{L}*|revenus?|gan\p{L}{1,5}|ingres\p{L}*|guadagn\p{L}*|entrat\p{L}*|receb\p{L}*|receita\p{L}*|inkomst\p{L}*|zarob\p{L}*|przych\p{L}*|заработ\p{L}*|доход\p{L}*|kazan\p{L}*|gelir\p{L}*)$/u;

/** Words that ask for an amount, and mean something else in a cell: "how many". */
export const ofAmount =
  /^(?:many|much|viel|viele|beaucoup|muchos|muchas|molti|molte|muitos|muitas|veel|wiele|много|çok)$/u;

/** A word of a cue ("list", "cheapest") says what is wanted, not of what. */
export const isCueWord = (written: string): boolean => {
  const clause = clauseOf(written);
  return (
    cueLanguages.some((language) =>
      (["all", "count", "sum", "mean", "smallest", "largest", "none"] as const).some((name) =>
        matchesCue(name, language, clause),
      ),
    ) ||
    /^(?:one|ones|things?|ding|dinge|chose|cosa|coisa|rzecz|вещь|şey|list|listed|listing|table|row|rows|entry|entries|item|items|there|show|exist|yet|already|still|hasn|haven|hadn|didn|doesn|don|isn|aren|wasn|weren|won|noch|schon|bereits|encore|déjà|todavía|aún|ya|ancora|già|ainda|já|nog|al|jeszcze|już|ещё|уже|henüz|total|times?|often|oft|mal|fois|veces|volte|vezes|vaak|keer|razy|раз|kez|kere|defa|liste|aufgelistet|tabelle|zeilen|einträge|gibt|lista|tabla|filas|tableau|lignes|elenco|tabella|righe|tabela|linhas|lijst|tabel|rijen|wiersze|таблица|таблице|строк|tablo|satır)$/u.test(
      written,
    )
  );
};

/** Words of the cues of a question for its smallest or largest: "alta" of "più alta". */
export const wordsOfExtremes = (question: string): ReadonlySet<string> => {
  const { spaced } = clauseOf(question);
  const found = cueLanguages.flatMap((language) =>
    [cues[language].smallest, cues[language].largest].map((cue) => cue.exec(spaced)?.[0] ?? ""),
  );
  return new Set(found.flatMap((cue) => cue.split(" ")));
};

/** "Projects" where most rows say "Project 34". */
export const isInMostRows = (table: DocumentTable, columns: readonly Column[], { forms }: Word): boolean => {
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

export const measured = (
  columns: readonly Column[],
  words: readonly Word[],
  kind: Column["kind"],
): Column | undefined =>
  columns.find(
    (column) =>
      column.kind === kind && words.some(({ measures }) => measures.some((each) => column.measures.has(each))),
  );

/** The columns that most words name: "budget in 2026" is of "Budget 2026", not of "Budget 2025". */
export const namedMost = (columns: readonly Column[], words: readonly Word[], least = 1): Column[] => {
  const counts = columns.map((column) => words.filter((word) => isNamedBy(column, word)).length);
  const most = Math.max(0, ...counts);
  return most < least ? [] : columns.filter((_, at) => counts[at] === most);
};
