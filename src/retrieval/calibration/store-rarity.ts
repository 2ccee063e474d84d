import { fold } from "../../text/analysis/fold.ts";
import { inverseDocumentFrequency } from "../../text/bm25.ts";
import { termShare, unspacedWordShare } from "../../text/word-frequency/word-frequency.ts";
import { isLetterPair } from "./letter-pairs.ts";

/** What a language says of a word counts as much as so many snippets of a store. */
const priorSnippets = 500;
/** Of a snippet of about 1,000 characters. */
const wordsOfSnippet = 150;

/**
 * In how many snippets of a store a word is to be expected: its count smoothed by the word's share of running text in its
 * language (a Dirichlet prior, as in Zhai and Lafferty 2004). In a store of 100 notes, a word of one note may be a name or
 * one that every second page of a book has; its count alone does not tell.
 * @param share of running text, 0 to 1; null: not known, the count stands as it is
 */
export const smoothedCount = (snippets: number, count: number, share: number | null): number => {
  if (share === null) return Math.min(snippets, count);
  const expected = priorSnippets * (1 - Math.exp(-wordsOfSnippet * share));
  return (snippets * (count + expected)) / (snippets + priorSnippets);
};

/** In a smaller store words have the rarity of one with so many snippets: that of a few notes says nothing of a word. */
export const minSnippets = 240;

/**
 * How rare a question's words are, as the gate counts it: alike in stores of a few notes and of thousands, and told by the
 * language too. The order of a search does not heed the language: in a catalog of programs "application" is common, which the
 * lists do not know (bench/quality/README.md).
 */
export interface StoreRarity {
  /** Of a term of the index. */
  ofTerm(term: string): number;
  /** Of a Chinese, Japanese or Korean word of which the index has pairs of characters; null where no list has the word. */
  ofUnspacedWord(written: string, pairs: readonly string[]): number | null;
}

export const storeRarity = (frequencies: { snippets: number; counts: ReadonlyMap<string, number> }): StoreRarity => {
  const own = Math.max(1, frequencies.snippets);
  const snippets = Math.max(minSnippets, own);
  const countOf = (term: string): number => frequencies.counts.get(term) ?? 0;
  /** @param isScaled the count means the same in a larger store; else that of a small store stands as it is */
  const rarity = (count: number, isScaled: boolean): number =>
    inverseDocumentFrequency(snippets, Math.min(snippets, count * (isScaled ? snippets / own : 1)));
  return {
    ofTerm(term) {
      const share = termShare(term);
      // Of pairs of letters a few snippets tell: how many of them have one does not depend on what they are about.
      return rarity(smoothedCount(own, countOf(term), share), share !== null || isLetterPair(term));
    },
    ofUnspacedWord(written, pairs) {
      const share = unspacedWordShare(fold(written));
      return share === null ? null : rarity(smoothedCount(own, Math.min(...pairs.map(countOf)), share), true);
    },
  };
};
