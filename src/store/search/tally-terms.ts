import { createYielder } from "../../async/yield.ts";
import type { SnippetRecord } from "../../domain/records.ts";
import { lengthUnits, textLength } from "../../text/bm25.ts";
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
    const term = key.charCodeAt(0) === space ? key.trimStart() : key;
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

/** Counts a document and its snippets, not their terms and lengths. */
export const tallyTotals = (snippets: number): Map<string, number> =>
  new Map([
    [everyDocument, 1],
    [everySnippet, snippets],
  ]);

/** Counts snippets, one after another. */
export interface RunningTally {
  add(snippet: CountedFields): void;
  /** The number of terms so far. */
  readonly size: number;
  /** @param documents that the snippets are of */
  counts(documents: number): Map<string, number>;
  /** The same, while other work runs: of a million terms it takes seconds. */
  countsInTurns(documents: number): Promise<Map<string, number>>;
}

export const createTally = (): RunningTally => {
  const texts = createTermCount();
  const titles = createTermCount();
  const lengths = { characters: 0, terms: 0 };
  let snippets = 0;
  function* entries(documents: number): Generator<[key: string, count: number], void, void> {
    yield [everyDocument, documents];
    yield [everySnippet, snippets];
    for (const unit of lengthUnits) yield [everyLength[unit], lengths[unit]];
    yield* texts.entries();
    for (const [term, count] of titles.entries()) yield [inTitle(term), count];
  }
  return {
    add(snippet) {
      snippets += 1;
      texts.count(snippet.terms, snippets);
      titles.count(snippet.titleTerms, snippets);
      for (const unit of lengthUnits) lengths[unit] += textLength[unit](snippet);
    },
    get size() {
      return texts.size() + titles.size();
    },
    counts: (documents) => new Map(entries(documents)),
    async countsInTurns(documents) {
      const yieldTurn = createYielder();
      const counts = new Map<string, number>();
      for (const [key, count] of entries(documents)) {
        counts.set(key, count);
        const pause = yieldTurn();
        if (pause !== undefined) await pause;
      }
      return counts;
    },
  };
};

/** Counts the terms of a document's snippets and of its name, once for each snippet, and adds up their lengths. */
export const tallyTerms = (snippets: readonly CountedFields[]): TermTally => {
  const tally = createTally();
  for (const snippet of snippets) tally.add(snippet);
  return tally.counts(1);
};

/**
 * As `tallyTerms`, for the snippets of a large document: other work runs meanwhile. At once, those of a text of 20 MB took
 * a second.
 */
export const tallyTermsInTurns = async (snippets: readonly CountedFields[]): Promise<TermTally> => {
  const yieldTurn = createYielder();
  const tally = createTally();
  for (const snippet of snippets) {
    tally.add(snippet);
    await yieldTurn();
  }
  return tally.counts(1);
};

const space = 32;
const firstSlots = 1_024;
const firstBytes = 4_096;
/** Of this process: a text with a hundred thousand terms of one hash would keep everybody waiting. The multiplier is odd. */
const [seed = 1, random = 1] = crypto.getRandomValues(new Int32Array(2));
const multiplier = random | 1;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * In how many snippets each term is. Terms are compared as bytes where they stand, in a table of hashes: cut out as texts,
 * those of 105,787 snippets took 5.4 s of CPU, and take 0.7; those of a text of 20 MB took 200 MB.
 */
const createTermCount = () => {
  /** The number of a term plus one, at the first free place from its hash on; 0: free. */
  let slots = new Int32Array(firstSlots);
  /** The terms, one after the other, and where each begins. */
  let bytes = new Uint8Array(firstBytes);
  const starts = [0];
  const hashes: number[] = [];
  const counts: number[] = [];
  const lasts: number[] = [];
  let list = new Uint8Array(firstBytes);

  const isTerm = (term: number, start: number, end: number): boolean => {
    const own = starts[term] ?? 0;
    if ((starts[term + 1] ?? 0) - own !== end - start) return false;
    for (let at = start; at < end; at += 1) if (bytes[own + at - start] !== list[at]) return false;
    return true;
  };

  const enlarge = (): void => {
    slots = new Int32Array(4 * slots.length);
    const mask = slots.length - 1;
    for (const [term, hash] of hashes.entries()) {
      let at = hash & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = term + 1;
    }
  };

  const addTerm = (hash: number, at: number, start: number, end: number): number => {
    const term = counts.length;
    const begin = starts[term] ?? 0;
    const after = begin + end - start;
    if (after > bytes.length) {
      const larger = new Uint8Array(2 * after);
      larger.set(bytes);
      bytes = larger;
    }
    bytes.set(list.subarray(start, end), begin);
    starts.push(after);
    hashes.push(hash);
    counts.push(0);
    lasts.push(0);
    slots[at] = term + 1;
    if (2 * counts.length > slots.length) enlarge();
    return term;
  };

  const countTerm = (hash: number, start: number, end: number, snippet: number): void => {
    const mask = slots.length - 1;
    let at = hash & mask;
    let term = (slots[at] ?? 0) - 1;
    while (term >= 0 && !(hashes[term] === hash && isTerm(term, start, end))) {
      at = (at + 1) & mask;
      term = (slots[at] ?? 0) - 1;
    }
    if (term < 0) term = addTerm(hash, at, start, end);
    if (lasts[term] === snippet) return;
    lasts[term] = snippet;
    counts[term] = (counts[term] ?? 0) + 1;
  };

  return {
    /**
     * @param terms with spaces between them; each counts once for a snippet
     * @param snippet its number, from 1 on
     */
    count(terms: string, snippet: number): void {
      if (list.length < 3 * terms.length) list = new Uint8Array(3 * terms.length);
      const { written } = encoder.encodeInto(terms, list);
      for (let start = 0; start < written; ) {
        let hash = seed;
        let end = start;
        for (; end < written && list[end] !== space; end += 1) {
          hash = Math.imul(hash ^ (list[end] ?? 0), multiplier);
          hash ^= hash >>> 15;
        }
        if (end > start) countTerm(hash, start, end, snippet);
        start = end + 1;
      }
    },
    size: () => counts.length,
    *entries(): Generator<[term: string, snippets: number], void, void> {
      for (const [term, count] of counts.entries())
        yield [decoder.decode(bytes.subarray(starts[term], starts[term + 1])), count];
    },
  };
};
