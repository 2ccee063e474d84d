import type { SnippetHit, TermFrequencies } from "../../store/contract.ts";
import type { Background } from "./background.ts";

interface Found {
  /** Of all legs. */
  hits: readonly SnippetHit[];
  frequencies: TermFrequencies;
  background: Background;
}

/**
 * What a search finds as if some documents were not there: without their snippets, and with the frequencies of terms
 * less what occurs in those of them that were found. (A rare term, which decides, is only in snippets that are found.)
 */
export const withoutDocuments = (found: Found, leftOut: ReadonlySet<string>): Found => {
  const { hits, frequencies, background } = found;
  if (leftOut.size === 0) return { hits, frequencies, background };
  const removed = hits.filter(({ documentId }) => leftOut.has(documentId));
  const counts = new Map(frequencies.counts);
  const titles = new Map(frequencies.titles);
  for (const { terms, titleTerms } of removed) {
    countDown(counts, terms);
    countDown(titles, titleTerms);
  }
  const isLeft = ({ documentId }: { documentId: string }): boolean => !leftOut.has(documentId);
  return {
    hits: hits.filter(isLeft),
    frequencies: { ...frequencies, snippets: Math.max(0, frequencies.snippets - removed.length), counts, titles },
    background: background.filter(isLeft),
  };
};

const countDown = (counts: Map<string, number>, terms: string): void => {
  for (const term of new Set(terms.split(" "))) {
    const count = counts.get(term);
    if (count !== undefined) counts.set(term, Math.max(0, count - 1));
  }
};
