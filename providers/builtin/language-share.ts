import { emptyRun, runLimit, type Tokenizer } from "./wordpiece/tokenizer.ts";

/** From this share of known words on, a query counts fully. */
const fullShare = 0.7;

/**
 * How far a query is in a language that the built-in models know, 0 to 1: the part of its word characters that lies in
 * words of two characters or more which are single vocabulary entries, divided by 0.7, at most 1.
 * The models are English; without this, queries in Thai fall three points of nDCG under full text alone.
 * Looks at the first 8,192 wordpieces.
 */
export const languageShare = (tokenizer: Tokenizer, query: string): number => {
  const run = emptyRun();
  tokenizer.read(query, 0, runLimit, run);
  if (run.wordCharacters === 0) return 0;
  return Math.min(1, run.knownCharacters / run.wordCharacters / fullShare);
};
