import { inverseDocumentFrequency } from "../../text/bm25.ts";
import { fold, isUnspaced, isUnspacedLetter } from "../../text/language/fold.ts";
import { termShare, unspacedWordShare } from "../../text/words/word-frequency.ts";
import type { QueryWord } from "../scores/text-score.ts";
import { sumOf } from "./found-words.ts";

/** The part of the words in scripts without spaces that is of letters, 0 to 1. */
export const lettersShare = (words: readonly QueryWord[]): number => {
  const dense = words.flatMap(({ forms }) => forms.slice(0, 1)).filter(({ term }) => isUnspaced(term));
  return dense.length === 0 ? 0 : dense.filter(({ term }) => isUnspacedLetter(term)).length / dense.length;
};

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
 * lists do not know (bench/quality/gate/README.md).
 */
interface StoreRarity {
  /** Of a term of the index. */
  ofTerm(term: string): number;
  /** Of a word in all its forms: that of its commonest form, and less by each inflection. */
  ofWord(forms: QueryWord["forms"]): number;
  /** Of a Chinese, Japanese or Korean word of which the index has pairs of characters; null where no list has the word. */
  ofUnspacedWord(written: string, pairs: readonly string[]): number | null;
}

export const storeRarity = (frequencies: { snippets: number; counts: ReadonlyMap<string, number> }): StoreRarity => {
  const held = Math.max(1, frequencies.snippets);
  const snippets = Math.max(minSnippets, held);
  const countOf = (term: string): number => frequencies.counts.get(term) ?? 0;
  /** @param isScaled the count means the same in a larger store; else that of a small store stands as it is */
  const rarity = (count: number, isScaled: boolean): number =>
    inverseDocumentFrequency(snippets, Math.min(snippets, count * (isScaled ? snippets / held : 1)));
  const ofTerm = (term: string): number => {
    const share = termShare(term);
    // Of pairs of letters a few snippets tell: how many of them have one does not depend on what they are about.
    return rarity(smoothedCount(held, countOf(term), share), share !== null || isUnspacedLetter(term));
  };
  return {
    ofTerm,
    ofWord(forms) {
      const inflections = forms.filter(({ isInflection }) => isInflection).map(({ term }) => term);
      const own = forms.filter(({ isInflection }) => !isInflection).map(({ term }) => term);
      if (inflections.length === 0) return Math.min(...own.map(ofTerm));
      const all = (amountOf: (term: string) => number): number =>
        Math.max(...own.map(amountOf)) + sumOf(inflections.map(amountOf));
      const share = Math.min(
        1,
        all((term) => termShare(term) ?? 0),
      );
      return rarity(smoothedCount(held, Math.min(held, all(countOf)), share), true);
    },
    ofUnspacedWord(written, pairs) {
      const share = unspacedWordShare(fold(written));
      return share === null ? null : rarity(smoothedCount(held, Math.min(...pairs.map(countOf)), share), true);
    },
  };
};
