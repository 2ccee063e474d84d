import { denseTerms } from "./dense-terms.ts";
import { fold } from "./fold.ts";
import type { LatinLanguage } from "./function-words.ts";
import { createLanguageCounter } from "./language.ts";
import { scanWords } from "./scan-words.ts";
import { languageOfScript, type StemmedLanguage, stemForms } from "./stem.ts";
import { boundTerm } from "./term.ts";
import { type Piece, piecesOf } from "./word-pieces.ts";

/** A text taken apart, before its language is applied. */
export interface ScannedText {
  /** In order: pieces of words, or the terms of a dense run. */
  items: { pieces: readonly Piece[]; dense: string | null }[];
  /** The likeliest languages of its Latin words. */
  languages: LatinLanguage[];
}

/** Languages that have no stemmer: their words stay whole. */
const unstemmed: ReadonlySet<LatinLanguage> = new Set(["indonesian", "polish"]);

export const stemmedLanguage = (language: LatinLanguage): StemmedLanguage =>
  unstemmed.has(language) ? "none" : (language as StemmedLanguage);

/** Finds the words and, by its function words, the language of a text. */
export const scanText = (text: string): ScannedText => {
  const items: ScannedText["items"] = [];
  const counter = createLanguageCounter();
  scanWords(text, {
    word(raw) {
      const pieces = piecesOf(raw);
      for (const { text: word, exact } of pieces) if (!exact && word.length <= 12) counter.see(fold(word));
      items.push({ pieces, dense: null });
    },
    dense: (raw) => items.push({ pieces: [], dense: raw }),
  });
  return { items, languages: counter.likeliest() };
};

/** Terms of a document's text. Where the language cannot be told, its words are taken for English. */
export const documentTerms = (text: string): string[] => {
  const { items, languages } = scanText(text);
  const latin = stemmedLanguage(languages[0] ?? "english");
  const terms: string[] = [];
  for (const { pieces, dense } of items) {
    if (dense !== null) for (const term of denseTerms(dense, { singles: true })) terms.push(term);
    for (const piece of pieces) {
      if (piece.exact) terms.push(boundTerm(piece.text));
      else
        for (const form of stemForms(piece.text, languageOfScript(piece.text) ?? latin)) {
          // A character that stands for marks alone (U+FC5E) folds to nothing.
          if (form.trim() !== "") terms.push(boundTerm(form));
        }
    }
  }
  return terms;
};
