import { distance } from "fastest-levenshtein";

/** A shorter word with a letter changed is another word. */
const minCharacters = 5;
/** A word this long may have two errors. */
const minForTwo = 9;
/** A shorter stem with a letter changed is any. */
const minStem = 4;
/** A shorter stem with two letters changed is any. */
const minStemForTwo = 7;

const letters = /^[\p{L}\p{M}]+$/u;

/** Whether a word or term is of letters alone: in codes and numbers no letter is a typing error. */
export const isOfLetters = (word: string): boolean => letters.test(word);

/** How many typing errors a word of so many characters may have and still be told. */
export const maxTypingErrors = (characters: number): 0 | 1 | 2 =>
  characters < minCharacters ? 0 : characters < minForTwo ? 1 : 2;

/**
 * The same for a term that a word is found by, which may be shorter.
 * @param errors that the word may have
 */
export const maxErrorsOfTerm = (term: string, errors: number): number =>
  term.length < minStem ? 0 : term.length < minStemForTwo ? Math.min(1, errors) : errors;

/**
 * How many letters are wrong, missing or too many, where two neighbors that changed places are one error, and an error in the
 * first letter counts as two: people rarely mistype it, and words that differ in it are others.
 * @returns null if there are more than `most`
 */
export const typingErrors = (written: string, meant: string, most: number): number | null => {
  const atStart = written.charCodeAt(0) === meant.charCodeAt(0) ? 0 : 1;
  if (Math.abs(written.length - meant.length) + atStart > most) return null;
  const errors = atStart + (most > 0 && isSwap(written, meant) ? 1 : distance(written, meant));
  return errors <= most ? errors : null;
};

/** Whether two neighboring letters changed places, and all others are the same. */
const isSwap = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at + 1 < a.length && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
};
