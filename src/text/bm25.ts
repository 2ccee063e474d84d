/** BM25 constants, the same as in LanceDB's index (Robertson and Zaragoza 2009, section 3.5.4). */
export const bm25 = { k1: 1.2, b: 0.75 };

/** Rarity of a term (Robertson–Spärck Jones, never negative, as in Lucene and LanceDB). */
export const inverseDocumentFrequency = (snippets: number, count: number): number =>
  Math.log(1 + (snippets - count + 0.5) / (count + 0.5));
