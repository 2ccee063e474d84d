import { inflectionsOf } from "../inflections/inflections.ts";
import { languageOfScript, type StemmedLanguage, stemForms } from "./stem.ts";
import { boundTerm } from "./term.ts";
import { isVietnameseWord, markedForm, unmarkedForm } from "./vietnamese.ts";
import type { Piece } from "./word-pieces.ts";

/**
 * The terms by which a question finds a word, in each language it may be in.
 * @param unmarked a question that may be Vietnamese typed without marks
 */
export const formsOf = (piece: Piece, stems: ReadonlySet<StemmedLanguage>, unmarked: boolean): string[] => {
  if (piece.isExact) return [boundTerm(piece.text)];
  const script = languageOfScript(piece.text);
  if (script === null && stems.has("vietnamese") && isVietnameseWord(piece.text)) return [markedForm(piece.text)];
  const forms =
    script === null ? [...stems].flatMap((language) => stemForms(piece.text, language)) : stemForms(piece.text, script);
  return [...new Set([...forms, ...(unmarked ? [unmarkedForm(piece.text)] : [])].map(boundTerm))];
};

/**
 * The terms of the word's other forms, which its stemmer does not know as one with it; none of a code.
 * @param latin the likeliest languages of the question's words in Latin letters
 */
export const inflectionsOfPiece = ({ text, isExact }: Piece, latin: readonly StemmedLanguage[]): string[] => {
  if (isExact) return [];
  const script = languageOfScript(text);
  return (script === null ? latin : [script]).flatMap((language) =>
    inflectionsOf(stemForms(text, language).at(-1) ?? text, language).map(boundTerm),
  );
};
