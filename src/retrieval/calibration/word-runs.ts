import { denseTerms } from "../../text/analysis/dense-terms.ts";
import type { TextFields } from "../text-score.ts";

/**
 * Finds how much of a word in a script without spaces a snippet has in one piece, as a part of its pairs of characters; 0 for
 * less than half.
 */
export type RunFinder = (word: string) => number;

/** Longer words are names or whole clauses, of which the beginning says enough. */
const maxCharacters = 12;

/**
 * Pairs of characters that a snippet has here and there are not the word: in an alphabet most pairs of letters are in any
 * long text.
 */
export const runFinder = ({ terms, headingTerms, titleTerms }: TextFields): RunFinder => {
  const written = ` ${terms} | ${headingTerms} | ${titleTerms} `;
  const known = new Map<string, number>();
  return (word) => {
    const found = known.get(word) ?? longestRun(word, written);
    known.set(word, found);
    return found;
  };
};

const longestRun = (word: string, written: string): number => {
  const characters = Array.from(word.normalize("NFKC")).slice(0, maxCharacters);
  const pairs = characters.length - 1;
  if (pairs < 1) return written.includes(` ${word} `) ? 1 : 0;
  for (let length = characters.length; length - 1 >= pairs / 2; length--)
    for (let start = 0; start + length <= characters.length; start++)
      if (written.includes(` ${runOf(characters.slice(start, start + length))} `)) return (length - 1) / pairs;
  return 0;
};

/** As the terms of a document stand: with the ideographs by themselves. */
const runOf = (characters: readonly string[]): string => denseTerms(characters.join(""), { singles: true }).join(" ");
