import { type AbbreviationKind, kindOfAbbreviation } from "./abbreviations.ts";
import { beginsSentences, isCounted, isPartOfNames, marksOrdinal, takesLetter } from "./sentence-words.ts";
import { type FullStop, fullStopAt, startOfWord, textBefore } from "./stop.ts";

/** Letters of units behind a number: "12 V". Others are initials there: "Since May 5 J. Smith". */
const unit = /^[ACFKLVWΩΩ]$/u;
const year = /(?:19|20)\d\d$/;

/** Whether the sentence goes on after one or more capital letters: "J. Smith", "U.S. Army". */
const goesOnAfterInitial = (stop: FullStop): boolean => {
  const { word, wordBefore, following } = stop;
  const lead = textBefore(stop, 12);
  // "65 °C", "R&D", "A/B": part of something that is no name.
  if (/[°º&/+%]\s?$/u.test(lead)) return false;
  if (stop.isLowerCase) return true;
  if (unit.test(word) && /\d\s$/u.test(lead) && !year.test(wordBefore)) return false;
  // "Group B", "from A to B": the letter is a name by itself.
  if (takesLetter(wordBefore) || isSecondLetter(lead)) return false;
  // What follows decides, and is not all there.
  if (stop.isCut || following === "") return true;
  // "J. A. Smith": the next letter is an initial too, though "a" is a word.
  if (/^\p{L}$/u.test(following) && stop.isFollowedByStop) return true;
  return isPartOfNames(following) || !beginsSentences(following);
};

const isSecondLetter = (lead: string): boolean =>
  /(?:^|[\s(])[A-HJ-Z],? (?:and|or|to|und|oder|bis|et|ou|à|y|e|o|en|of|i|и|ve)\s$/u.test(lead);

/** How far back the number before it in a list, and signs of a language, are looked for. */
const maxListLeadCharacters = 120;

/**
 * Whether the sentence goes on after a number: an ordinal as "3. Mai", or in a list. In most languages a full stop behind
 * a number ends the sentence, so that something must tell an ordinal.
 */
const goesOnAfterNumber = (stop: FullStop): boolean => {
  const { text, start, word, following } = stop;
  const isYear = /^\d{3,}$/.test(word);
  // "2024. január", but "in 1998. the board" in text without capitals.
  if (stop.isLowerCase) return !/^\d{4}/.test(word) || isCounted(following);
  if (isYear) return false;
  // A time: "at 18:00. April".
  if (text[start - 1] === ":") return false;
  // What follows decides, and is not all there.
  if (stop.isCut) return true;
  // "3. 4. 2020"
  if (/^\d/.test(following))
    return /^\d{1,2}$/.test(following) ? stop.isFollowedByStop : /\d\.\s?$/.test(textBefore(stop, 3));
  if (isCounted(following)) return true;
  if (isInList(stop)) return true;
  if (!/^\p{L}/u.test(following) || beginsSentences(following)) return false;
  // The end of a range: "10–14. Sonntags".
  if (/[-–—]\s?$/u.test(textBefore(stop, 2))) return false;
  if (marksOrdinal(stop.wordBefore)) return isGermanMarker(stop);
  return isTurkish(stop);
};

/** "Steps: 1. Open it 2. Close it": the first after a colon, the others after the number before. */
const isInList = (stop: FullStop): boolean => {
  const lead = textBefore(stop, maxListLeadCharacters);
  const place = Number(stop.word);
  return place === 1 ? /[:;]\s$/u.test(lead) : lead.includes(`${place - 1}. `);
};

/** "I am 12" is English, "às 10 e das 12" Portuguese. */
const isGermanMarker = (stop: FullStop): boolean => {
  const lead = textBefore(stop, maxListLeadCharacters);
  return !/\bI am\s$/.test(lead) && !(/^(?:das|des)$/i.test(stop.wordBefore) && /[ãõçàèêéñ]/iu.test(lead));
};

/** In Turkish an ordinal stands before any noun ("2. Dünya Savaşı"), and sentences end in verbs. */
const isTurkish = (stop: FullStop): boolean =>
  /[ğışİĞŞ]/u.test(textBefore(stop, maxListLeadCharacters)) || /[ğışİĞŞ]/u.test(stop.following);

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
