/** How often a term occurs in a list of terms separated by single spaces. */
export const countTerm = (terms: string, term: string): number => {
  let count = 0;
  for (let at = terms.indexOf(term); at >= 0; at = terms.indexOf(term, at + term.length)) {
    const end = at + term.length;
    const isWordStart = at === 0 || terms.charCodeAt(at - 1) === 32;
    if (isWordStart && (end === terms.length || terms.charCodeAt(end) === 32)) count++;
  }
  return count;
};

const space = 32;
/** Kinds of terms that are told apart before a term is cut out, by its ends and its length: a power of two. */
const kinds = 4_096;

/**
 * Counts terms in lists of terms as `countTerm` does, all at once: a list is gone through once, however many are sought.
 * @returns for a list, how often it has each of the terms; those that it has not are left out
 */
export const createTermCounter = (terms: Iterable<string>): ((list: string) => ReadonlyMap<string, number>) => {
  const wanted = new Set(terms);
  const isWantedKind = new Uint8Array(kinds);
  for (const term of wanted) isWantedKind[kindOf(term, 0, term.length)] = 1;
  return (list) => {
    let counts: Map<string, number> | null = null;
    let start = 0;
    for (let at = 0; at <= list.length; at++) {
      if (at < list.length && list.charCodeAt(at) !== space) continue;
      if (at > start && isWantedKind[kindOf(list, start, at)] === 1) {
        const term = list.slice(start, at);
        if (wanted.has(term)) {
          counts ??= new Map();
          counts.set(term, (counts.get(term) ?? 0) + 1);
        }
      }
      start = at + 1;
    }
    return counts ?? none;
  };
};

/** Most lists have none of the terms. */
const none: ReadonlyMap<string, number> = new Map();

const kindOf = (text: string, start: number, end: number): number =>
  (text.charCodeAt(start) * 31 + text.charCodeAt(end - 1) * 7 + (end - start) * 131) & (kinds - 1);

/** BM25 constants, the same as in LanceDB's index (Robertson and Zaragoza 2009, section 3.5.4). */
export const bm25 = { k1: 1.2, b: 0.75 };

/** What a length is counted in. */
export const lengthUnits = ["characters", "terms"] as const;
export type LengthUnit = (typeof lengthUnits)[number];

/** The text that a snippet's terms come from, its headings among it: lists of terms separated by single spaces. */
interface CountedText {
  readonly terms: string;
  readonly headingTerms: string;
}

const countTerms = (terms: string): number => {
  if (terms === "") return 0;
  let count = 1;
  for (let at = 0; at < terms.length; at++) if (terms.charCodeAt(at) === space) count++;
  return count;
};

/** Mean length of the snippets of a store, in either unit. */
export type MeanLengths = Readonly<Record<LengthUnit, number>>;

/** How long a snippet is: what BM25 divides the occurrences of a term by, as a multiple of the mean. */
export const textLength: Readonly<Record<LengthUnit, (text: CountedText) => number>> = {
  characters: ({ terms, headingTerms }) => terms.length + headingTerms.length,
  terms: ({ terms, headingTerms }) => countTerms(terms) + countTerms(headingTerms),
};

/** Rarity of a term (Robertson–Spärck Jones, never negative, as in Lucene and LanceDB). */
export const inverseDocumentFrequency = (snippets: number, count: number): number =>
  Math.log(1 + (snippets - count + 0.5) / (count + 0.5));
