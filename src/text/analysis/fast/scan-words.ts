/**
 * Skip on a first reading: finds words in one pass over UTF-16 units, by the class of each. What it finds is shown by
 * test/text/analysis/analyze.test.ts. One regular expression takes half as long again once compiled, and would cut long
 * runs elsewhere, which needs a new `analysisVersion` (docs/decisions/text.md).
 */

import { isUnspaced } from "../../language/fold.ts";

// Skip on a first reading: the classes of scan-words.ts, in a table with an entry for each UTF-16 unit.

/** How the scanner treats a UTF-16 unit (or a code point). */
const CharacterClass = {
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
const upperCase = /\p{Lu}/u;
const anyLetter = /\p{L}/u;
const anyNumber = /\p{N}/u;
const anyMark = /\p{M}/u;
const connectors = "_-./:@#&+\u2010\u2011";
const apostrophes = "'\u2019\u02bc\uff07";
const invisibles = "\u00ad\u200c\u200d\u2060\ufeff";

const classify = (character: string): number => {
  if (connectors.includes(character)) return CharacterClass.connector;
  if (apostrophes.includes(character)) return CharacterClass.apostrophe;
  if (invisibles.includes(character)) return CharacterClass.invisible;
  if (anyNumber.test(character)) return CharacterClass.digit;
  if (anyLetter.test(character) || anyMark.test(character)) {
    if (isUnspaced(character) || denseToo.test(character)) return CharacterClass.dense;
    if (anyMark.test(character)) return CharacterClass.mark;
    return upperCase.test(character) ? CharacterClass.upper : CharacterClass.letter;
  }
  return CharacterClass.separator;
};

/** Filled as characters occur. */
const table = new Uint8Array(0x10000);

/** Class of one UTF-16 code unit. */
const classOfUnit = (unit: number): number => {
  const known = table[unit] ?? 0;
  if (known !== CharacterClass.unset) return known;
  const found = unit >= 0xd800 && unit <= 0xdbff ? CharacterClass.surrogate : classify(String.fromCharCode(unit));
  table[unit] = found;
  return found;
};

/** Class of a code point beyond the first plane. */
const classOfAstral = (codePoint: number): number => classify(String.fromCodePoint(codePoint));

/** Called with the places of what the scanner finds, in order. */
interface WordVisitor {
  /** A word, or words joined to an identifier, a code or a number: `getUserName`, `AB-1204/7`, `l'homme`, `1,234.5`. */
  word(start: number, end: number): void;
  /** A run of a script written without spaces. */
  dense(start: number, end: number): void;
}

/** A longer run without a separator is cut, so that hostile input makes no endless words. */
const maxRunCharacters = 512;

const { letter, upper, digit, mark, dense, connector, apostrophe, invisible, surrogate } = CharacterClass;

const isWordClass = (found: number): boolean => found === letter || found === upper || found === digit;

/** Class of the character at a place of the text; a surrogate pair is one character. */
const classAt = (text: string, at: number): number => {
  const found = classOfUnit(text.charCodeAt(at));
  return found === surrogate ? classOfAstral(text.codePointAt(at) ?? 0) : found;
};

const widthAt = (text: string, at: number): number => (classOfUnit(text.charCodeAt(at)) === surrogate ? 2 : 1);

/** Finds the words of a text in one pass, in time linear in its length. */
export const scanWords = (text: string, visitor: WordVisitor): void => {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const found = classAt(text, at);
    if (isWordClass(found)) {
      const end = endOfWord(text, at);
      visitor.word(at, end);
      at = end;
    } else if (found === dense) {
      const end = endOfDense(text, at);
      visitor.dense(at, end);
      at = end;
    } else at += widthAt(text, at);
  }
};

const endOfDense = (text: string, start: number): number => {
  const limit = Math.min(text.length, start + maxRunCharacters);
  let end = start;
  while (end < limit) {
    const found = classAt(text, end);
    if (found !== dense && found !== mark) break;
    end += widthAt(text, end);
  }
  return end;
};

const endOfWord = (text: string, start: number): number => {
  const limit = Math.min(text.length, start + maxRunCharacters);
  let end = start;
  while (end < limit) {
    const found = classAt(text, end);
    if (isWordClass(found) || found === mark || found === invisible) {
      end += widthAt(text, end);
      continue;
    }
    const next = nextInWord(text, end, found);
    if (next === end) break;
    end = next;
  }
  return end + lengthOfSign(text, start, end);
};

/** Where the word continues after a joining character; `at` itself if the word ends there. */
const nextInWord = (text: string, at: number, found: number): number => {
  const after = at + 1;
  if (after >= text.length) return at;
  if (found === connector) {
    if (isWordClass(classAt(text, after))) return after;
    const doubled = text[at] === ":" && text[after] === ":" && after + 1 < text.length;
    return doubled && isWordClass(classAt(text, after + 1)) ? after + 1 : at;
  }
  if (found === apostrophe) return isWordClass(classAt(text, after)) ? after : at;
  const digits = text[at] === "," && classAt(text, at - 1) === digit && classAt(text, after) === digit;
  return digits ? after : at;
};

/** `C++`, `g++`, `C#`: signs that belong to a name of one or two letters. */
const lengthOfSign = (text: string, start: number, end: number): number => {
  if (end - start > 2) return 0;
  if (text.startsWith("++", end)) return 2;
  return end - start === 1 && text[end] === "#" && classAt(text, start) !== digit ? 1 : 0;
};
