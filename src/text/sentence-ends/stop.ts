/** A full stop before white space, and what stands around it: some characters, however long the text is. */
export interface FullStop {
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
export const startOfWord = (text: string, end: number, from: number): number => {
  const earliest = Math.max(from, end - maxWordCharacters);
  let start = end;
  while (start > earliest && isInWord(text, start - 1)) start--;
  return start;
};

/** @param at of the full stop @param start of the word before it @param to where the text ends @param next where what follows the white space begins */
export const fullStopAt = (
  text: string,
  at: number,
  start: number,
  from: number,
  to: number,
  next: number,
): FullStop => {
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
export const textBefore = ({ text, from, start }: FullStop, characters: number): string =>
  text.slice(Math.max(from, start - characters), start);
