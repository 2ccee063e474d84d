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

const space = 32;

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
