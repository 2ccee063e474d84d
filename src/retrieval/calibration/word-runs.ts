import { denseTerms } from "../../text/analysis/dense-terms.ts";
import { normalForm } from "../../text/normal-form.ts";
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
 * @returns the finder of a snippet; what is known of a word is kept for the next snippet
 */
export const createRunFinders = (): ((snippet: TextFields) => RunFinder) => {
  const runsOf = new Map<string, readonly Run[]>();
  return ({ terms, headingTerms, titleTerms }) => {
    const written = ` ${terms} | ${headingTerms} | ${titleTerms} `;
    const known = new Map<string, number>();
    return (word) => {
      const found = known.get(word);
      if (found !== undefined) return found;
      const runs = runsOf.get(word) ?? longestFirst(word);
      runsOf.set(word, runs);
      const share = runs.find(({ terms: run }) => written.includes(run))?.share ?? 0;
      known.set(word, share);
      return share;
    };
  };
};

interface Run {
  /** As they stand in a document: with the ideographs by themselves, and spaces around. */
  terms: string;
  /** The part of the word's pairs. */
  share: number;
}

const longestFirst = (word: string): Run[] => {
  const characters = Array.from(normalForm(word, "NFKC")).slice(0, maxCharacters);
  const pairs = characters.length - 1;
  if (pairs < 1) return [{ terms: ` ${word} `, share: 1 }];
  const ideographs = characters.map((character) => denseTerms(character + character, { singles: true }).length > 1);
  const runs: Run[] = [];
  for (let length = characters.length; length - 1 >= pairs / 2; length--)
    for (let start = 0; start + length <= characters.length; start++) {
      let terms = " ";
      for (let at = start; at < start + length; at++) {
        if (ideographs[at] === true) terms += `${characters[at]} `;
        if (at + 1 < start + length) terms += `${characters[at]}${characters[at + 1]} `;
      }
      runs.push({ terms, share: (length - 1) / pairs });
    }
  return runs;
};
