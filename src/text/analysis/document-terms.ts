import { fold, isPlainAscii } from "../language/fold.ts";
import { createLanguageCounter, isFunctionWordOfAny, type LatinLanguage } from "../language/function-words.ts";
import { hasVietnameseLetter, isVietnamese, isVietnameseWord } from "../language/vietnamese.ts";
import { createWordCache, ownText } from "../words/word-cache.ts";
import { scanWords } from "./fast/scan-words.ts";
import { languageOfScript, type StemmedLanguage, stemForms } from "./stem.ts";
import { boundTerm, denseTerms } from "./term.ts";
import { type Piece, piecesOf } from "./word-pieces.ts";

/** A word of a text in its parts. Cached: the same word mostly gives the same object. */
interface ScannedWord {
  readonly pieces: readonly Piece[];
  /** Folded function words among the pieces, by which the language is detected. */
  readonly functionWords: readonly string[];
  /** Whether it is in Latin letters, and if so, what it shows about Vietnamese. */
  readonly latin: LatinWord | null;
  /** Terms that a document is found by, for a text whose Latin words are in this language. */
  terms(latin: StemmedLanguage): readonly string[];
}

interface LatinWord {
  isSyllable: boolean;
  isMarked: boolean;
  isOwn: boolean;
}

const cache = createWordCache<ScannedWord>(32_768);

/** The word at `text[start, end)`, as the scanner found it. */
const scannedWord = (text: string, start: number, end: number): ScannedWord => {
  const known = cache.get(text, start, end);
  if (known !== undefined) return known;
  const word = takeApart(ownText(text.slice(start, end))); // it is cached with its parts
  cache.set(text, start, end, word);
  return word;
};

const takeApart = (raw: string): ScannedWord => {
  const pieces = piecesOf(raw);
  const short = pieces.filter(({ text, isExact }) => !isExact && text.length <= 12).map(({ text }) => fold(text));
  const byLanguage: Partial<Record<StemmedLanguage, readonly string[]>> = {};
  return {
    pieces,
    functionWords: short.filter(isFunctionWordOfAny),
    latin: latinWord(pieces),
    terms(latin) {
      byLanguage[latin] ??= pieces.flatMap((piece) => termsOf(piece, latin));
      return byLanguage[latin];
    },
  };
};

/** By its first piece; a code or number is no word. */
const latinWord = ([first]: readonly Piece[]): LatinWord | null => {
  if (first === undefined || first.isExact || /\d/.test(first.text) || languageOfScript(first.text) !== null)
    return null;
  const isSyllable = isVietnameseWord(first.text);
  return {
    isSyllable,
    isMarked: isSyllable && !isPlainAscii(first.text),
    isOwn: isSyllable && hasVietnameseLetter(first.text),
  };
};

const termsOf = ({ text, isExact }: Piece, latin: StemmedLanguage): string[] => {
  if (isExact) return [boundTerm(text)];
  // A character that is only marks (U+FC5E) folds to nothing.
  const forms = stemForms(text, languageOfScript(text) ?? latin).filter((form) => form.trim() !== "");
  return forms.map(boundTerm);
};

/** The words of a text, before they are stemmed by its language. */
export interface ScannedText {
  /** In order: words, and runs of a script written without spaces. */
  items: (ScannedWord | string)[];
  /** The likeliest languages of its Latin words. */
  languages: LatinLanguage[];
  /** It is in Vietnamese, whatever the words without marks look like; `languages` is empty then. */
  isVietnamese: boolean;
}

/** Languages that have no stemmer: their words stay whole. */
const unstemmed: ReadonlySet<LatinLanguage> = new Set(["indonesian"]);

export const stemmedLanguage = (language: LatinLanguage): StemmedLanguage =>
  unstemmed.has(language) ? "none" : (language as StemmedLanguage);

/** Finds the words and, by its function words, the language of a text. */
export const scanText = (text: string): ScannedText => {
  const items: ScannedText["items"] = [];
  const counter = createLanguageCounter();
  const seen = { words: 0, syllables: 0, marked: 0, own: 0 };
  scanWords(text, {
    word(start, end) {
      const word = scannedWord(text, start, end);
      for (const functionWord of word.functionWords) counter.see(functionWord);
      if (word.latin !== null) {
        seen.words++;
        if (word.latin.isSyllable) seen.syllables++;
        if (word.latin.isMarked) seen.marked++;
        if (word.latin.isOwn) seen.own++;
      }
      items.push(word);
    },
    dense: (start, end) => items.push(text.slice(start, end)),
  });
  const inVietnamese = isVietnamese(seen);
  return { items, languages: inVietnamese ? [] : counter.likeliest(), isVietnamese: inVietnamese };
};

/** Terms of a document's text. If the language is unknown, its words are stemmed as English. */
export const documentTerms = (text: string): string[] => {
  const { items, languages, isVietnamese } = scanText(text);
  const latin = isVietnamese ? "vietnamese" : stemmedLanguage(languages[0] ?? "english");
  const terms: string[] = [];
  for (const item of items) {
    for (const term of typeof item === "string" ? denseTerms(item, { singles: true }) : item.terms(latin))
      terms.push(term);
  }
  if (isVietnamese) for (const pair of syllablePairs(items)) terms.push(pair);
  return terms;
};

/**
 * What a pair of syllables weighs in a question, beside its words at 1. As heavy as a word, it would let a phrase that many
 * documents have count almost twice, and outweigh the one word that tells them apart. Metzler and Croft (2005) weigh pairs of
 * neighbors less than words, too. Worth .3 to 1.5 points of nDCG in three sets; with no pairs, two of them lose a point or more.
 */
export const syllablePairWeight = 0.5;

/**
 * Each two neighboring words of a Vietnamese text as one term: most of its words are of two syllables, written apart.
 * Worth 1 to 2 points of nDCG.
 */
export const syllablePairs = (items: ScannedText["items"]): string[] => {
  const pairs: string[] = [];
  let previous = "";
  for (const item of items) {
    const own = typeof item === "string" ? "" : (item.terms("vietnamese")[0] ?? "");
    if (previous !== "" && own !== "") pairs.push(boundTerm(`${previous}_${own}`));
    previous = own;
  }
  return pairs;
};
