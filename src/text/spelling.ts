import { distance } from "fastest-levenshtein";
import { createYielder } from "../async/yield.ts";

/** Signs within a code, which people leave out: `00631-200-K`. */
const signsOfCodes = /[-_./]/g;

/**
 * The terms that one of a word's terms may be a typing error of. Other work has its turn meanwhile: a store may have 100,000
 * terms, which take some 20 ms.
 * @param counted terms, each with the number of snippets that contain it; one may come twice
 * @param forms the word's own terms
 * @param errors that the word may have; a code is one only of itself with other signs
 * @returns those with the fewest errors first, then those of most snippets
 */
export const similarTermsIn = async (
  counted: Iterable<readonly [term: string, snippets: number]>,
  forms: readonly string[],
  errors: number,
): Promise<string[]> => {
  const wanted = forms
    .map((form) => ({ form, most: maxErrorsOfTerm(form, errors), letters: lettersIn(form) }))
    .filter(({ most }) => most > 0);
  const codes = new Set(forms.filter((form) => /\p{N}/u.test(form)));
  const similar = new Map<string, { errors: number; snippets: number }>();
  const yieldTurn = createYielder();
  let at = 0;
  for (const [term, snippets] of wanted.length === 0 && codes.size === 0 ? [] : counted) {
    at += 1;
    const pause = at % termsInTurn === 0 ? yieldTurn() : undefined;
    if (pause !== undefined) await pause;
    if (codes.size > 0 && codes.has(term.replace(signsOfCodes, ""))) similar.set(term, { errors: 0, snippets });
    let fewest = Number.POSITIVE_INFINITY;
    for (const { form, most, letters } of wanted)
      if (mayBeNear(form, letters, term, most)) fewest = Math.min(fewest, typingErrors(form, term, most) ?? fewest);
    if (Number.isFinite(fewest) && isOfLetters(term))
      similar.set(term, { errors: fewest, snippets: Math.max(snippets, similar.get(term)?.snippets ?? 0) });
  }
  return [...similar]
    .sort(([, one], [, two]) => one.errors - two.errors || two.snippets - one.snippets)
    .map(([term]) => term);
};

/** Terms that are looked at before other work may have its turn. */
const termsInTurn = 256;

/** The letters of a word as bits, some sharing one. */
const lettersIn = (word: string): number => {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
};

/** Cheap before exact: an error changes the length by one at most, and adds or takes two letters at most. */
const mayBeNear = (form: string, letters: number, term: string, most: number): boolean => {
  if (Math.abs(form.length - term.length) > most) return false;
  let different = letters ^ lettersIn(term);
  for (let left = 2 * most; different !== 0; left--) {
    if (left === 0) return false;
    different &= different - 1;
  }
  return true;
};

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
