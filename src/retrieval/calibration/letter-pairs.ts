import { isDenseTerm } from "../../text/analysis/analyze.ts";
import type { QueryWord } from "../text-score.ts";

/** Scripts written without spaces whose characters are letters: pairs of them are no words, and are in any long text. */
const letter = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export const isLetterPair = (term: string): boolean => letter.test(term);

/** The part of the words in scripts without spaces that is of letters, 0 to 1. */
export const lettersShare = (words: readonly QueryWord[]): number => {
  const dense = words.flatMap(({ forms }) => forms.slice(0, 1)).filter(({ term }) => isDenseTerm(term));
  return dense.length === 0 ? 0 : dense.filter(({ term }) => isLetterPair(term)).length / dense.length;
};
