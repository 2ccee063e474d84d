import { listedLanguages, type SharedScriptLanguage } from "./languages.ts";
import { addAsking, addInvertedMarks, addWord } from "./points.ts";
import { type SharedScript, signs } from "./signs.ts";
import { nameWeight, weighedWords } from "./weighed-words.ts";

/** Of two languages that fit alike, the one with more speakers: what each place in their order takes away. */
const perPlace = 2;
/** Languages this near the likeliest one are likely too. */
const nearness = 30;
/** The same of one word or two without a question word. */
const nearnessOfFew = 90;
/** Below, a word or a name has told next to nothing. */
const least = 60;
/** Two words with fewer points are not clear. */
const enough = 120;
/** English is the answer where nothing tells: a language that leads it by less is not clear. */
const leadOverEnglish = 60;

const english = listedLanguages.indexOf("english");
const spanish = listedLanguages.indexOf("spanish");

/** What the words of a text tell of its language. */
export interface LikelyLanguages {
  /** Those that fit about alike, the likeliest first. Empty: the words do not tell. */
  likely: readonly SharedScriptLanguage[];
  /** The words tell enough to take the likeliest, if nothing decides between those near it. A keyword never does. */
  isClear: boolean;
}

/** @param script of most of the text: only its languages are weighed against each other */
export const likelyLanguages = (text: string, script: SharedScript): LikelyLanguages => {
  const among = [...signs.keys()].filter((language) => signs[language]?.script === script);
  const points = new Float64Array(signs.length);
  const of = (language: number): number => points[language] ?? 0;
  const words = weighedWords(text);
  let asks = script === "Latin" && addInvertedMarks(points, spanish, text);
  for (const [at, { word, weight }] of words.entries()) {
    addWord(points, among, word, weight);
    if (addAsking(points, among, word, words[at + 1]?.word)) asks = true;
  }
  const isOfNames = !asks && words.every(({ weight }) => weight === nameWeight);
  const best = Math.max(0, ...among.map(of));
  if (isOfNames || best < least) return { likely: [], isClear: false };
  for (const language of among) points[language] = of(language) - perPlace * language;
  const ordered = among.toSorted((one, other) => of(other) - of(one));
  const [first = english] = ordered;
  const nearest = of(first) - (asks || words.length > 2 ? nearness : nearnessOfFew);
  const near = ordered.filter((language) => of(language) >= nearest);
  const isAhead = first === english || best - of(english) >= leadOverEnglish;
  return {
    likely: near.flatMap((language) => listedLanguages[language] ?? []),
    isClear: (words.length > 1 && best >= enough && isAhead) || (words.length > 2 && near.length === 1),
  };
};
