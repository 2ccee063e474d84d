import { type AbbreviationKind, kindOfAbbreviation } from "./abbreviations.ts";
import { goesOnAfterInitial } from "./initial.ts";
import { goesOnAfterNumber } from "./number.ts";
import { beginsSentences } from "./sentence-words.ts";
import { type FullStop, fullStopAt, startOfWord, textBefore } from "./stop.ts";

const lowerCase = /\p{Ll}/u;
const longWord = /^\p{L}\p{Ll}{3,}$/u;
const endOfLongWord = /^[\p{L}\p{N}%)\]]{4}$/u;
const digits = /^\d+$/;
/** A single letter is an initial rather than a number. */
const roman = /^[IVXLCDM]{2,}$/;
const capitals = /^\p{Lu}(?:\.\p{Lu})*$/u;

/**
 * True where the sentence goes on after the full stop at `at`. The rules are tried in order.
 * @param next where what follows the white space begins
 */
export const goesOnAfterStop = (text: string, at: number, from: number, to: number, next: number): boolean => {
  const start = startOfWord(text, at, from);
  const word = text.slice(start, at);
  // Most words are no abbreviation whatever stands next to them.
  if (word !== "" && !(longWord.test(word) && kindOfAbbreviation(word) === undefined)) {
    const stop = fullStopAt(text, at, start, from, to, next);
    // "1. First", "A. First": the mark of a list, which belongs to what follows.
    if (isListMark(stop)) return true;
    // "z. B.", "т. е.": the first letter of an abbreviation in several.
    if (isFirstLetter(stop)) return true;
    const kind = kindOf(stop);
    // What follows decides, and may not be all there: an answer is to be cut alike, however its pieces arrive.
    if (kind !== undefined) return stop.isCut || stop.isLowerCase || goesOnAfterAbbreviation(stop, kind);
    if (digits.test(word) || roman.test(word)) return goesOnAfterNumber(stop);
    if (capitals.test(word)) return goesOnAfterInitial(stop);
  }
  // A lower-case letter begins a sentence only in text without capitals; then the word before is no abbreviation.
  return lowerCase.test(text[next] ?? "") && !endOfLongWord.test(text.slice(Math.max(0, at - 4), at));
};

const listMark = /^(?:\d{1,3}(?:\.\d{1,3})*|\p{L}|[IVXLC]{1,5})$/u;
const maxLeadCharacters = 12;
const lead = new Set(" \t\u00a0*#>/•([-");

/** Whether a line or a sentence begins with it: nothing but white space and marks stand before. */
const isListMark = ({ text, from, start, word }: FullStop): boolean => {
  if (!listMark.test(word)) return false;
  let at = start;
  while (at > from && start - at < maxLeadCharacters && lead.has(text[at - 1] ?? "")) at--;
  return at === from || text[at - 1] === "\n";
};

const isFirstLetter = (stop: FullStop): boolean =>
  /^\p{Ll}$/u.test(stop.word) &&
  !isAfterNumber(stop) &&
  /^\p{L}$/u.test(stop.following) &&
  (stop.isFollowedByStop || stop.isCut);

/** "5 min", "XX в". */
const isAfterNumber = ({ wordBefore }: FullStop): boolean => /\d$|^[IVXLCDM]+$/.test(wordBefore);

const kindOf = (stop: FullStop): AbbreviationKind | undefined => {
  // Letters before it that have full stops of their own: "z. B", "i. d. R".
  const letters = /(?:^|[^\p{L}\p{M}\p{N}.])((?:\p{L}\.\s){1,3})$/u.exec(textBefore(stop, 10))?.[1] ?? "";
  const spaced = letters === "" ? undefined : kindOfAbbreviation(letters.replace(/\s/gu, "") + stop.word);
  return spaced ?? kindOfAbbreviation(stop.word, stop.wordBefore);
};

/** "3", "S1", "IV", "+49", "(0171)", and a letter that is no word: "Abb. B". */
const isNumbering = ({ next, following }: FullStop): boolean =>
  following === "" || next === "(" || /^(?:\p{Lu}?\d|[IVXLCDM]{2,}$|[B-DF-HJ-NP-TVWXZ]$)/u.test(following);

/** What follows is neither cut nor in small letters. */
const goesOnAfterAbbreviation = (stop: FullStop, kind: AbbreviationKind): boolean => {
  const { following, isFollowedByStop } = stop;
  // "Art. Nr. 5", "Ltd. Şti.": abbreviations of one kind in a row.
  const isRepeated = isFollowedByStop && kindOfAbbreviation(following) === kind;
  if (kind === "always" || isRepeated) return true;
  if (kind === "name") return following === "" || !beginsSentences(following);
  if (kind === "number") return isNumbering(stop);
  if (kind === "unit") return !isAfterNumber(stop) || !/^\p{Lu}/u.test(following);
  return following === "" || stop.next === "(";
};
