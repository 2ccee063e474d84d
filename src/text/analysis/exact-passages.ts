import { fold, isUnspaced } from "../language/fold.ts";

/** Pairs of quotation marks. An apostrophe is not one, because words contain it. */
const quoted =
  /"([^"\n]{1,400})"|“([^”“\n]{1,400})[”“]|„([^“”„\n]{1,400})[“”]|«([^«»\n]{1,400})»|「([^「」\n]{1,400})」|『([^『』\n]{1,400})』/gu;

/** Codes: letters and digits joined by signs, or mixed in one word; `ordinary` words such as `21st` are excluded. */
const code =
  /(?<![a-z\d])(?=[a-z\d_./:#@-]{0,99}\d)(?=[a-z\d_./:#@-]{0,99}[a-z_/:#-])[a-z\d]+(?:[_./:#@-][a-z\d]+){0,20}(?![a-z\d])/giu;
const ordinary = /^(?:\d+(?:st|nd|rd|th|er|e|º|ª|s)|\d{1,4}[-/.:]\d{1,4}(?:[-/.:]\d{1,4})?)$/iu;

const maxPassages = 8;

/** The passages in quotation marks and the codes (`AB-1204/7`) of a question, which are searched for word for word. */
export const exactPassages = (query: string): string[] => {
  const found = new Set<string>();
  for (const match of query.matchAll(quoted)) {
    const passage =
      match
        .slice(1)
        .find((group) => group !== undefined)
        ?.trim() ?? "";
    if (/[\p{L}\p{N}]/u.test(passage)) found.add(passage);
  }
  for (const [match] of query.matchAll(code)) if (match.length >= 3 && !ordinary.test(match)) found.add(match);
  return [...found].slice(0, maxPassages);
};

/** The form in which exact passages are compared: lower-case, folded, single spaces. */
export const foldForExact = (text: string): string => fold(text.toLowerCase()).replace(/\s+/gu, " ").trim();

const wordCharacter = /[\p{L}\p{N}]/u;
/** What no word goes on after: a character of two units too, since units are looked at. */
const wordEnd = /[^\p{L}\p{N}]|[\u{10000}-\u{10ffff}]/gu;

/**
 * True if the folded text contains the folded passage, and not as a part of a longer word or code. A word that holds the
 * passage at many places, such as `aaaa`, is passed over at once: it would be gone through for each of them.
 */
export const holdsExactly = (foldedText: string, foldedPassage: string): boolean => {
  const begins = isSpacedWord(foldedPassage[0] ?? "");
  const ends = isSpacedWord(foldedPassage.at(-1) ?? "");
  let at = foldedText.indexOf(foldedPassage);
  while (at >= 0) {
    const cutBefore = begins && wordCharacter.test(foldedText[at - 1] ?? "");
    const cutAfter = ends && wordCharacter.test(foldedText[at + foldedPassage.length] ?? "");
    if (!cutBefore && !cutAfter) return true;
    at = foldedText.indexOf(foldedPassage, cutBefore ? afterWord(foldedText, at) : at + 1);
  }
  return false;
};

/** Where the first word can begin after the one that this letter or digit is in. */
const afterWord = (text: string, at: number): number => {
  wordEnd.lastIndex = at;
  return wordEnd.test(text) ? wordEnd.lastIndex : text.length;
};

/** A letter or digit of a script with spaces: a word that begins or ends with it does so at a border. */
const isSpacedWord = (character: string): boolean => wordCharacter.test(character) && isSpaced(character);

/** False for scripts without spaces, where a word begins anywhere. */
const isSpaced = (character: string): boolean => !isUnspaced(character);
