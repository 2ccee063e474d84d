import { newStemmer } from "snowball-stemmers";
import { ownText } from "../own-text.ts";
import { createWordCache, type WordCache } from "../word-cache.ts";
import { stemEnglish } from "./fast/english-stem.ts";
import { fold, isPlainAscii } from "./fold.ts";
import { isLightlyStemmed, type LightlyStemmed, stemLightly } from "./light-stem.ts";
import { hasVietnameseLetter, isVietnameseWord, markedForm, unmarkedForm } from "./vietnamese.ts";

/** Language whose endings are removed: a Latin one, or the one used for a script. `none` leaves words whole. */
export type StemmedLanguage =
  | "none"
  | LightlyStemmed
  | "vietnamese"
  | "arabic"
  | "armenian"
  | "catalan"
  | "czech"
  | "danish"
  | "dutch"
  | "english"
  | "finnish"
  | "french"
  | "german"
  | "hungarian"
  | "italian"
  | "norwegian"
  | "portuguese"
  | "romanian"
  | "russian"
  | "spanish"
  | "swedish"
  | "tamil"
  | "turkish";

/** Longer strings are not words of a language, and stemming them would take long. */
const maxStemmedCharacters = 64;
interface Stemmer {
  stem(word: string): string;
}
const stemmers = new Map<StemmedLanguage, Stemmer>();
/** By language. */
const caches = new Map<StemmedLanguage, WordCache<readonly string[]>>();

const stemmerOf = (language: StemmedLanguage): Stemmer => {
  let stemmer = stemmers.get(language);
  if (stemmer === undefined) {
    if (language === "english") stemmer = { stem: stemEnglish };
    else if (isLightlyStemmed(language)) stemmer = { stem: (word) => stemLightly(word, language) };
    else stemmer = newStemmer(language);
    stemmers.set(language, stemmer);
  }
  return stemmer;
};

const scripts: [RegExp, StemmedLanguage][] = [
  [/\p{Script=Cyrillic}/u, "russian"],
  [/\p{Script=Greek}/u, "greek"],
  [/\p{Script=Devanagari}/u, "hindi"],
  [/\p{Script=Arabic}/u, "arabic"],
  [/\p{Script=Armenian}/u, "armenian"],
  [/\p{Script=Tamil}/u, "tamil"],
];

/**
 * The language used for a script other than Latin, whatever the text is in: a short question and a long document are
 * then always stemmed alike. Null for Latin letters.
 */
export const languageOfScript = (word: string): StemmedLanguage | null => {
  if (isPlainAscii(word)) return null;
  for (const [script, language] of scripts) if (script.test(word)) return language;
  return /\p{Script=Latin}/u.test(word) ? null : "none";
};

/**
 * The forms a word is found by: the folded word, its folded stem and, where accents change the stem, the stem of the
 * folded word, which matches questions written without accents. The rarer form scores higher, so the exact word of the
 * question counts more than another form of it (worth 3 points of nDCG on source code, and costs nothing on prose).
 * @param word lower-case
 */
export const stemForms = (word: string, language: StemmedLanguage): readonly string[] => {
  let cache = caches.get(language);
  if (cache === undefined) {
    cache = createWordCache(2_048);
    caches.set(language, cache);
  }
  const known = cache.get(word, 0, word.length);
  if (known !== undefined) return known;
  const forms = computeForms(ownText(word), language); // often the word itself is one of them
  cache.set(word, 0, word.length, forms);
  return forms;
};

const computeForms = (word: string, language: StemmedLanguage): readonly string[] => {
  if (language === "vietnamese") return vietnameseForms(word);
  const folded = fold(word);
  if (language === "none" || word.length > maxStemmedCharacters || /\d/.test(word)) return [folded];
  const stemmer = stemmerOf(language);
  const forms = new Set([folded, stemmer.stem(folded) || folded]);
  // The endings of light stemmers are folded.
  if (!isPlainAscii(word) && !isLightlyStemmed(language)) forms.add(fold(stemmer.stem(word)) || folded);
  // A Vietnamese name in a text of another language.
  if (hasVietnameseLetter(word)) forms.add(markedForm(word));
  return [...forms];
};

/** The word with its marks and without; a word that cannot be Vietnamese is one of English, such as a name. */
const vietnameseForms = (word: string): readonly string[] => {
  if (!isVietnameseWord(word)) return stemForms(word, "english");
  return [...new Set([markedForm(word), unmarkedForm(word)])];
};
