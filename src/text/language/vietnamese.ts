/**
 * Vietnamese: a word's marks are letters and tones, and without them many words become one ("bàn" table, "bán" sell, "bạn"
 * friend). Its words keep them; a second term without them, with a sign before it, is for questions typed without marks.
 */

/** Letters that no other language of Latin script has. */
const ownLetter = /[ơưạ-ỹ]/;
const plainWord = /^[a-z]+$/;
/** A syllable without its marks: Vietnamese words are written one by one. */
const syllable = /^(?:b|ch?|d|gh?|gi|h|kh?|l|m|n|ngh?|nh|ph?|qu?|r|s|th?|tr|v|x)?[aeiouy]{1,3}(?:ch?|m|n|ng|nh|p|t)?$/;
const marks = /\p{Mn}/gu;
const tones = /[\u0300\u0301\u0303\u0309\u0323]/g;
/** Stands before a word without marks, so that it is not taken for a word that has none. */
const unmarkedSign = "~";
/** Part of a text's words of one syllable that have such letters; in Vietnamese it is about a half. */
const minOwnShare = 0.2;
/** Part of them that has a mark; in Vietnamese four of five, in English only a name. */
const minMarkedShare = 0.4;
const minUnmarkedShare = 0.8;

/** Function words, with their marks. */
const functionWords = new Set(
  "bị bởi các có của cũng gì là mà những nào rằng sao thì và vì đã đâu đó được ở"
    .split(" ")
    .map((word) => word.normalize("NFC")),
);

/** @param word lower-case */
export const hasVietnameseLetter = (word: string): boolean => ownLetter.test(word.normalize("NFC"));

/** What the words of a text tell about its language. */
interface SyllableCounts {
  /** Words in Latin letters. */
  words: number;
  /** Of those, words of one Vietnamese syllable. */
  syllables: number;
  /** Of those, words with a mark. */
  marked: number;
  /** Of those, words with letters that only Vietnamese has. */
  own: number;
}

/** Whether a text is Vietnamese. */
export const isVietnamese = ({ words, syllables, marked, own }: SyllableCounts): boolean => {
  if (marked < minMarkedShare * syllables) return false;
  return own > 0 ? own >= minOwnShare * syllables : words > 1 && syllables === words;
};

/** @param word lower-case */
export const isVietnameseFunctionWord = (word: string): boolean => functionWords.has(word.normalize("NFC"));

/** Whether a word can be Vietnamese, by its shape. @param word lower-case */
export const isVietnameseWord = (word: string): boolean => syllable.test(bareForm(word));

const bareForm = (word: string): string =>
  plainWord.test(word) ? word : word.normalize("NFD").replace(marks, "").replaceAll("đ", "d");

/** Whether a question may be Vietnamese typed without marks. @param words lower-case */
export const mayBeUnmarked = (words: readonly string[]): boolean =>
  words.length > 0 &&
  words.every((word) => plainWord.test(word)) &&
  words.filter(isVietnameseWord).length >= minUnmarkedShare * words.length;

/** The word with its marks, the tone last: it is written over either of two vowels (hòa, hoà). @param word lower-case */
export const markedForm = (word: string): string => {
  const parts = word.normalize("NFD");
  const tone = parts.match(tones)?.join("") ?? "";
  return (parts.replace(tones, "") + tone).normalize("NFC");
};

/** The term of a word for questions typed without marks. @param word lower-case */
export const unmarkedForm = (word: string): string => unmarkedSign + bareForm(word);
