import {
  type AbbreviationKind,
  beginsSentences,
  isCounted,
  isPartOfNames,
  kindOfAbbreviation,
  marksOrdinal,
  takesLetter,
} from "./language/sentence-words.ts";

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
const goesOnAfterStop = (text: string, at: number, from: number, to: number, next: number): boolean => {
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

/** A full stop before white space, and what stands around it: some characters, however long the text is. */
interface FullStop {
  text: string;
  /** Where its sentence begins: nothing before counts. */
  from: number;
  /** What stands before it without a space, with full stops inside: "e.g", "3", "U.S"; and where that begins. */
  word: string;
  start: number;
  /** The word before `word`, if only one space is between them. */
  wordBefore: string;
  /** The first character after the white space. */
  next: string;
  /** The word that follows, without an opening bracket or quotation mark; empty if no word follows. */
  following: string;
  /** A full stop follows that word. */
  isFollowedByStop: boolean;
  /** The text ends with that word: an answer that is still being written may add letters to it. */
  isCut: boolean;
  /** The word that follows begins with a small letter. */
  isLowerCase: boolean;
}

const maxWordCharacters = 24;
const character = /[\p{L}\p{N}\p{M}.]/u;
const laterCharacter = /[\p{L}\p{N}\p{M}'’]/u;
const opening = new Set("([{'\"„“”«»‘‹¿¡");

/** ASCII letters and digits, most of most texts, need no expression. */
const isInWord = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at);
  if (unit < 128)
    return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 46;
  return character.test(text[at] ?? "");
};

/** Where the word begins that ends at `end`. */
const startOfWord = (text: string, end: number, from: number): number => {
  const earliest = Math.max(from, end - maxWordCharacters);
  let start = end;
  while (start > earliest && isInWord(text, start - 1)) start--;
  return start;
};

/** @param at of the full stop @param start of the word before it @param to where the text ends @param next where what follows the white space begins */
const fullStopAt = (text: string, at: number, start: number, from: number, to: number, next: number): FullStop => {
  const begin = opening.has(text[next] ?? "") ? next + 1 : next;
  const latest = Math.min(to, begin + maxWordCharacters);
  let end = begin;
  while (end < latest && laterCharacter.test(text[end] ?? "")) end++;
  return {
    text,
    from,
    word: text.slice(start, at),
    start,
    wordBefore: start - 1 > from ? text.slice(startOfWord(text, start - 1, from), start - 1) : "",
    next: text[next] ?? "",
    following: text.slice(begin, end),
    isFollowedByStop: end < to && text[end] === ".",
    isCut: end === to,
    isLowerCase: /^\p{Ll}/u.test(text.slice(begin, end)),
  };
};

/** The last characters of its sentence before `word`. */
const textBefore = ({ text, from, start }: FullStop, characters: number): string =>
  text.slice(Math.max(from, start - characters), start);

/**
 * Finds the ends of sentences by punctuation in one pass: fast enough for every document, and the same for every language
 * whose sentences end in a full stop or a similar mark. No model: abbreviations, initials and ordinals are told by lists
 * of words and by what stands next to them.
 */

/** Ends a sentence if white space follows, and then no lower-case letter. */
const stops = new Set(".!?…؟۔։።");
/** Ends a sentence whatever follows. */
const denseStops = new Set("。！？｡।॥");
const closers = new Set("\"'”’»)]}」』）】》〉");

const isSpace = (unit: number): boolean =>
  unit === 32 ||
  (unit >= 9 && unit <= 13) ||
  unit === 160 ||
  unit === 0x2028 ||
  unit === 0x2029 ||
  unit === 0x3000 ||
  unit === 0x202f;

/** True where the text up to `end` ends in a mark that ends a sentence, whatever quotation marks or brackets close it. */
export const endsWithStop = (text: string, end: number): boolean => {
  let at = end - 1;
  while (at >= 0 && closers.has(text[at] ?? "")) at--;
  const last = text[at] ?? "";
  return stops.has(last) || denseStops.has(last);
};

/**
 * End of the sentence that begins at `from`: after its stop and what closes it, before the white space that follows.
 * @returns `to` where no sentence ends before it
 */
export const endOfSentence = (text: string, from: number, to: number): number => {
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    // ASCII letters and digits, most of most texts, need no look-up.
    if ((unit >= 97 && unit <= 122) || unit === 32 || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57))
      continue;
    const character = text[at] ?? "";
    const dense = denseStops.has(character);
    if (!dense && !stops.has(character)) continue;
    let end = at + 1;
    while (end < to && (stops.has(text[end] ?? "") || denseStops.has(text[end] ?? "") || closers.has(text[end] ?? "")))
      end++;
    if (dense || end === to) return end;
    if (!isSpace(text.charCodeAt(end))) {
      at = end - 1;
      continue;
    }
    let next = end;
    while (next < to && isSpace(text.charCodeAt(next))) next++;
    if (next === to) return end;
    const isPlain = character === "." && end === at + 1;
    if (!(isPlain ? goesOnAfterStop(text, at, from, to, next) : lowerCase.test(text[next] ?? ""))) return end;
    at = end - 1;
  }
  return to;
};
