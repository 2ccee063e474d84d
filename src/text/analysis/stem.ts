import { newStemmer } from "snowball-stemmers";
import { fold, isPlainAscii } from "../language/fold.ts";
import { hasVietnameseLetter, isVietnameseWord, markedForm, unmarkedForm } from "../language/vietnamese.ts";
import { createWordCache, ownText, type WordCache } from "../words/word-cache.ts";
import { stemEnglish } from "./fast/english-stem.ts";

/**
 * Endings of languages that have no Snowball stemmer, folded. Only the longest that fits is taken off, and the whole
 * word stays a form of its own: a wrong cut finds too much, and never loses a word. Measured on help, books and program
 * catalogs (bench/quality/ranking.md).
 */
const endings = {
  greek:
    "α αι αμε ας ασεις αση ασης ατε ε ει εις εισ εμενα εμενη εμενο εμενοι εμενος εμενου εμενων ες εσ εται ετε εων εως η ημα ηματα ηματος ηματων ης ησ ησει ησεις ησετε ηση ησης ησω ησεων ησουν ι ια ιες ιεσ ικα ικες ικεσ ικη ικης ικησ ικο ικοι ικος ικοσ ικου ικους ικουσ ικων ιο ιου ιων μα ματα ματος ματοσ ματων μενα μενες μενη μενης μενο μενοι μενος μενου μενων ο οι ομαι ομε ον ονται οντας οντασ ος οσ ου ουμε ουν ους ουσ σει σεις σετε σης σησ ση σεων σεως σουμε σουν στε σω τε τες υ ω ων ωση ωσης ωσεις",
  hindi:
    "ा ि ी ु ू े ै ो ौ ां ाँ ें ैं ीं ों िया ियां ियाँ ियों ुओं ुएं ुएँ ाओं ाएं ाएँ ाओ ाए ाई ाइयों ाइयां ता ते ती तीं ना ने नी कर ाना ाने ानी ाता ाते ाती ेगा ेंगे ेगी ूंगा ेंगी ाएगा ाएंगे ाएगी इए िए",
  polish:
    "a ac ach acie aja ajac ajaca ajace ajacego ajacej ajacy ajacych ajacym ajacymi al ala ali alo aly am ami amy ana ane anego anej ani ania aniach aniami anie aniem aniu any anych anym anymi asz cie e ego ej em emu ec ecie ej eja en eni enia eniach eniami enie eniem eniu i ia iac iach iaja iam iami ic icie ie iego iej iem iemu ij il ila ili ilo ily im imi imy isz iu ich iec ek ka kach kami ki kich kie kiego kiej kiem kim kimi ko kom kow ku ke nie nia niach niami niem niu o oga om osc osci oscia ow owac owal owala owali owan owana owane owanego owanej owania owaniach owanie owaniem owaniu owany owanych owanym owe owego owej owi owie owy owych owym owymi u uja ujac ujaca ujace ujacy ujacych uje ujemy ujesz uj y ych yc ycie yl yla yli ylo yly ym ymi ymy ysz",
} as const;

type LightlyStemmed = keyof typeof endings;

/** Letters of a word that stay, at least. */
const minStem = 3;
const maxEnding = 9;

const endingsOf = new Map(
  Object.entries(endings).map(([language, list]): [string, ReadonlySet<string>] => [
    language,
    new Set(list.split(" ")),
  ]),
);

const isLightlyStemmed = (language: string): language is LightlyStemmed => language in endings;

/** The word without its longest known ending. @param folded lower-case, folded word */
const stemLightly = (folded: string, language: LightlyStemmed): string => {
  const known = endingsOf.get(language);
  for (let length = Math.min(maxEnding, folded.length - minStem); length > 0; length--) {
    if (known?.has(folded.slice(-length))) return folded.slice(0, -length);
  }
  return folded;
};

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
