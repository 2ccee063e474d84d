import { createYielder } from "../../async/yield.ts";
import type { SnippetRecord } from "../../domain/records.ts";
import { lengthUnits, textLength } from "../../text/bm25.ts";
import { ownText } from "../../text/words/word-cache.ts";
import type { RowReader } from "../engine/cells.ts";

/**
 * For each term, the number of snippets that contain it; under `everySnippet`, the number of all snippets, and under other
 * keys that no term has, what else is counted of them.
 */
export type TermTally = ReadonlyMap<string, number>;

/** A key that no term has: terms are separated by spaces, so none is empty. */
export const everySnippet = "";

/** The key of the number of documents: no term of a text or of a name is a space. */
export const everyDocument = " ";

/** The key of a term of a document's name: no term of a text begins with a space. */
export const inTitle = (term: string): string => ` ${term}`;

/** The keys of the length of all snippets together: no term has a space in it. */
export const everyLength = { characters: "  ", terms: "   " } as const;

/** The terms of a tally with the number of snippets that contain each: one of texts and of names comes twice. */
export function* countedTerms(tally: TermTally): Generator<readonly [term: string, snippets: number], void, void> {
  for (const [key, snippets] of tally) {
    const term = key.trimStart();
    if (term !== "" && snippets > 0) yield [term, snippets];
  }
}

/** What is counted of a snippet, and the columns that it is read from. */
export type CountedFields = Pick<SnippetRecord, (typeof countedColumns)[number]>;
export const countedColumns = ["terms", "headingTerms", "titleTerms"] as const;

export const readCountedFields = (row: RowReader): CountedFields => ({
  terms: row.string("terms"),
  headingTerms: row.string("headingTerms"),
  titleTerms: row.string("titleTerms"),
});

const addLength = (tally: Map<string, number>, snippet: CountedFields): void => {
  for (const unit of lengthUnits) {
    const key = everyLength[unit];
    tally.set(key, (tally.get(key) ?? 0) + textLength[unit](snippet));
  }
};

/** @param kept how a term is kept that is new to the tally */
export const tallySnippet = (
  tally: Map<string, number>,
  snippet: CountedFields,
  kept: (term: string) => string = (term) => term,
): void => {
  const add = (key: string): void => {
    const count = tally.get(key);
    if (count === undefined) tally.set(kept(key), 1);
    else tally.set(key, count + 1);
  };
  add(everySnippet);
  addLength(tally, snippet);
  for (const term of new Set(snippet.terms.split(" "))) if (term !== everySnippet) add(term);
  for (const term of new Set(snippet.titleTerms.split(" "))) if (term !== everySnippet) add(inTitle(term));
};

/** Counts a document and its snippets, not their terms and lengths. */
export const tallyTotals = (snippets: number): Map<string, number> =>
  new Map([
    [everyDocument, 1],
    [everySnippet, snippets],
  ]);

/** Counts the terms of a document's snippets and of its name, once for each snippet, and adds up their lengths. */
export const tallyTerms = (snippets: readonly CountedFields[]): TermTally => {
  const tally = tallyTotals(0);
  for (const snippet of snippets) tallySnippet(tally, snippet);
  return tally;
};

/** A term of a large document: in how many snippets it is, and the last of them that was counted. */
interface CountedTerm {
  readonly term: string;
  snippets: number;
  last: number;
}

const space = 32;

/**
 * Counts terms where they stand, by a number made of their characters: cut out, the terms of a text of 20 MB take 200 MB.
 * Of terms with the same number, all but the first are cut out.
 */
const createTermCount = () => {
  const byNumber = new Map<number, CountedTerm>();
  const others = new Map<string, CountedTerm>();

  const counted = (text: string, start: number, end: number, number: number): CountedTerm => {
    let known = byNumber.get(number);
    const isOther = known !== undefined && !(known.term.length === end - start && text.startsWith(known.term, start));
    if (isOther) known = others.get(text.slice(start, end));
    if (known !== undefined) return known;
    const made: CountedTerm = { term: ownText(text.slice(start, end)), snippets: 0, last: -1 };
    if (isOther) others.set(made.term, made);
    else byNumber.set(number, made);
    return made;
  };

  return {
    /** @param terms with spaces between them; each counts once for a snippet */
    count(terms: string, snippet: number): void {
      for (let start = 0; start < terms.length; ) {
        let number = 0;
        let end = start;
        for (let unit = terms.charCodeAt(end); end < terms.length && unit !== space; unit = terms.charCodeAt(end)) {
          number = (Math.imul(number, 31) + unit) | 0;
          end += 1;
        }
        if (end > start) {
          const term = counted(terms, start, end, number);
          if (term.last !== snippet) term.snippets += 1;
          term.last = snippet;
        }
        start = end + 1;
      }
    },
    *all(): Generator<CountedTerm, void, void> {
      yield* byNumber.values();
      yield* others.values();
    },
  };
};

/**
 * As `tallyTerms`, for the snippets of a large document: other work runs meanwhile. At once, those of a text of 20 MB took
 * a second.
 */
export const tallyTermsInTurns = async (snippets: readonly CountedFields[]): Promise<TermTally> => {
  const yieldTurn = createYielder();
  const texts = createTermCount();
  const titles = createTermCount();
  const tally = tallyTotals(snippets.length);
  for (const [place, snippet] of snippets.entries()) {
    texts.count(snippet.terms, place);
    titles.count(snippet.titleTerms, place);
    addLength(tally, snippet);
    await yieldTurn();
  }
  for (const { term, snippets: count } of texts.all()) tally.set(term, count);
  for (const { term, snippets: count } of titles.all()) tally.set(inTitle(term), count);
  return tally;
};
