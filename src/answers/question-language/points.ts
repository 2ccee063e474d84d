import { readFileSync } from "node:fs";
import { signs } from "./signs.ts";
import { eachLanguageOf, readWordTable, type WordTable } from "./word-table.ts";
import path from "./words.bin" with { type: "file" };

// What a word adds to a language. The unit is the table's: a word ten times as frequent as another adds 50 more. The points
// were found by trial on questions like those of test/answers/question-language/questions-by-language.ts; others near them do as well.

/** The rarest words of the table are at 240: they still count for their language. */
const unlistedRarity = 330;
const asking = 100;
const askingUnmarked = 50;
/** Shared among the languages that have the word's letters: few of them tell more. */
const ownLetters = 60;
const foreignLetters = -60;
const ending = 40;

/** Letters that do not tell a language from another of its script. */
const commonLetters = /[a-z\p{Script=Devanagari}]/gu;

let table: WordTable | null = null;
/** 1.2 MB, read with the first question that needs it, so that an idle server does not hold them. */
const loadedTable = (): WordTable => {
  table ??= readWordTable(readFileSync(path));
  return table;
};

/** Points of each language, in the order of `listedLanguages`. */
export type Points = Float64Array;

const add = (points: Points, language: number, more: number): void => {
  points[language] = (points[language] ?? 0) + more;
};

/** Adds what begins a question only in some languages. @param words that follow each other @returns whether one does */
export const addAsking = (
  points: Points,
  among: readonly number[],
  word: string,
  next: string | undefined,
): boolean => {
  let asks = false;
  const pair = `${word}_${next}`;
  for (const language of among) {
    const own = signs[language];
    if (own === undefined) continue;
    const isMarked = own.asks.has(word) || own.asks.has(pair);
    if (!isMarked && !own.unmarkedAsks.has(word)) continue;
    asks = true;
    add(points, language, (isMarked ? asking : askingUnmarked) * (own.isUnlisted ? 2 : 1));
  }
  return asks;
};

/** Adds what the signs before a Spanish question tell. @returns whether it has them */
export const addInvertedMarks = (points: Points, spanish: number, text: string): boolean => {
  const has = /[¿¡]/.test(text);
  if (has) add(points, spanish, asking);
  return has;
};

/** Adds what a word's frequency, ending and letters tell. */
export const addWord = (points: Points, among: readonly number[], word: string, weight: number): void => {
  let isListed = false;
  eachLanguageOf(loadedTable(), word, (language, rarity) => {
    isListed = true;
    add(points, language, weight * (unlistedRarity - rarity));
  });
  for (const language of among) {
    const own = signs[language];
    if (own === undefined || (isListed && !own.isUnlisted)) continue;
    if (own.endings.some((end) => word.length > end.length + 2 && word.endsWith(end)))
      add(points, language, weight * ending);
  }
  const telling = [...new Set(word.replace(commonLetters, ""))];
  if (telling.length === 0) return;
  const fitting = among.filter((language) => telling.every((letter) => signs[language]?.letters.has(letter)));
  for (const language of among)
    add(points, language, weight * (fitting.includes(language) ? ownLetters / fitting.length : foreignLetters));
};
