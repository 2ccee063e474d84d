import type { QueryWord } from "../text-score.ts";

/** Shorter terms are similar to too many. */
const minCharacters = 3;
/** Terms that have less in common are strangers: half of their pairs of letters. */
const minSimilarity = 0.5;

/** Words of a question that are compared; the others are as they are: a long question costs no more. */
const maxCompared = 24;

/** A form of a word of the question, with its pairs of neighboring characters. */
interface Form {
  characters: number;
  pairs: ReadonlySet<number>;
}

/** Finds, for each word of the question, how similar the most similar of some terms is. */
export type SimilarCredits = (terms: ReadonlySet<string>, credits: readonly number[]) => number[];

/**
 * Words as they are inflected in languages that no stemmer knows well: with something before (Arabic articles, German
 * participles), in between (umlauts), in other spellings. Two terms are as similar as the part of their pairs of
 * neighboring characters that both have (Dice), beginning and end included.
 * @param words of the question; what is known of a term is kept for its next snippet
 */
export const createSimilarCredits = (words: readonly QueryWord[]): SimilarCredits => {
  const formsOf = words
    .slice(0, maxCompared)
    .map(({ forms }) =>
      forms.flatMap(({ term }): Form[] =>
        term.length < minCharacters ? [] : [{ characters: term.length, pairs: new Set(pairsOf(term)) }],
      ),
    );
  const known = new Map<string, Float32Array>();
  const similaritiesOf = (term: string): Float32Array => {
    const found = known.get(term);
    if (found !== undefined) return found;
    const pairs = pairsOf(term);
    const similarities = Float32Array.from(formsOf, (forms) =>
      forms.reduce((best, form) => Math.max(best, similarity(pairs, form, best)), 0),
    );
    known.set(term, similarities);
    return similarities;
  };
  return (terms, credits) => {
    const best = [...credits];
    if (!best.some((credit) => credit < 1)) return best;
    for (const term of terms) {
      if (term.length < minCharacters) continue;
      const similarities = similaritiesOf(term);
      for (let word = 0; word < similarities.length; word++) {
        const similar = similarities[word] ?? 0;
        if (similar > (best[word] ?? 0)) best[word] = similar;
      }
    }
    return best;
  };
};

/** @returns 0 where it is not more than `atLeast`, which is then known sooner */
const similarity = (pairs: readonly number[], form: Form, atLeast: number): number => {
  const all = pairs.length + form.characters + 1;
  const most = 2 * Math.min(pairs.length, form.characters + 1);
  if (most < all * minSimilarity || most <= all * atLeast) return 0;
  let common = 0;
  for (const pair of pairs) if (form.pairs.has(pair)) common++;
  const share = (2 * Math.min(common, form.characters + 1)) / all;
  return share < minSimilarity ? 0 : share;
};

/** One more than there are characters: the beginning and the end count. */
const pairsOf = (term: string): number[] => {
  const pairs: number[] = [];
  let before = 0;
  for (let at = 0; at < term.length; at++) {
    const unit = term.charCodeAt(at);
    pairs.push(before * 65_536 + unit);
    before = unit;
  }
  pairs.push(before * 65_536);
  return pairs;
};
