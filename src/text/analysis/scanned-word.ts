import { createWordCache, ownText } from "../words/word-cache.ts";
import { fold, isPlainAscii } from "./fold.ts";
import { isFunctionWordOfAny } from "./language.ts";
import { languageOfScript, type StemmedLanguage, stemForms } from "./stem.ts";
import { boundTerm } from "./term.ts";
import { hasVietnameseLetter, isVietnameseWord } from "./vietnamese.ts";
import { type Piece, piecesOf } from "./word-pieces.ts";

/** A word of a text in its parts. Cached: the same word mostly gives the same object. */
export interface ScannedWord {
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
export const scannedWord = (text: string, start: number, end: number): ScannedWord => {
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
