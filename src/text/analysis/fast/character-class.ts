import { isUnspaced } from "../../language/scripts.ts";

// Skip on a first reading: the classes of scan-words.ts, in a table with an entry for each UTF-16 unit.

/** How the scanner treats a UTF-16 unit (or a code point). */
export const CharacterClass = {
  /** Not classified yet. */
  unset: 0,
  /** Ends a word. */
  separator: 1,
  /** Letter that is not upper case, of a script that puts spaces between words. */
  letter: 2,
  upper: 3,
  /** Any number character. */
  digit: 4,
  /** Combining mark: belongs to the word it follows. */
  mark: 5,
  /**
   * Character of a script written without spaces: Han, kana, Hangul (particles stick to words), Thai, Lao, Khmer,
   * Burmese.
   */
  dense: 6,
  /** Joins two words into one identifier or code where it is between them: `_ - . / : @ # & +` and the like. */
  connector: 7,
  /** Apostrophe: splits a word, and what follows may be an ending. */
  apostrophe: 8,
  /** Invisible within a word: soft hyphen, joiners, byte order mark. */
  invisible: 9,
  /** First half of a surrogate pair: the code point decides. */
  surrogate: 10,
} as const;

const denseToo = /[\p{Script=Bopomofo}\u30fc\uff70\uff9e\uff9f々〆]/u;
const upper = /\p{Lu}/u;
const letter = /\p{L}/u;
const number = /\p{N}/u;
const mark = /\p{M}/u;
const connectors = "_-./:@#&+\u2010\u2011";
const apostrophes = "'\u2019\u02bc\uff07";
const invisibles = "\u00ad\u200c\u200d\u2060\ufeff";

const classify = (character: string): number => {
  if (connectors.includes(character)) return CharacterClass.connector;
  if (apostrophes.includes(character)) return CharacterClass.apostrophe;
  if (invisibles.includes(character)) return CharacterClass.invisible;
  if (number.test(character)) return CharacterClass.digit;
  if (letter.test(character) || mark.test(character)) {
    if (isUnspaced(character) || denseToo.test(character)) return CharacterClass.dense;
    if (mark.test(character)) return CharacterClass.mark;
    return upper.test(character) ? CharacterClass.upper : CharacterClass.letter;
  }
  return CharacterClass.separator;
};

/** Filled as characters occur. */
const table = new Uint8Array(0x10000);

/** Class of one UTF-16 code unit. */
export const classOfUnit = (unit: number): number => {
  const known = table[unit] ?? 0;
  if (known !== CharacterClass.unset) return known;
  const found = unit >= 0xd800 && unit <= 0xdbff ? CharacterClass.surrogate : classify(String.fromCharCode(unit));
  table[unit] = found;
  return found;
};

/** Class of a code point beyond the first plane. */
export const classOfAstral = (codePoint: number): number => classify(String.fromCodePoint(codePoint));
