import { fold } from "../language/fold.ts";
import { isVietnameseWord, markedForm, unmarkedForm } from "../language/vietnamese.ts";
import { inflectionsOf } from "../words/inflections.ts";
import { languageOfScript, type StemmedLanguage, stemForms } from "./stem.ts";
import { boundTerm } from "./term.ts";

/** A word or a part of it, by which it is found; not stemmed yet. */
export interface Piece {
  /** Lower-case; folded too where `isExact`. */
  text: string;
  /** Not stemmed: codes, numbers, whole identifiers. */
  isExact: boolean;
}

const joint = /[-_./:@#&+,\u2010\u2011]+/u;
const apostrophe = /['\u2019\u02bc\uff07]/u;
const special = /[-_./:@#&+,'\u2010\u2011\u2019\u02bc\uff07]/u;
const number = /^\d[\d.,]*$/;
const camelJoint = /(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const languageName = /^(?:\p{L}{1,2}\+\+|\p{L}#)$/u;
/** English endings after an apostrophe. */
const ending = /^(?:s|t|d|m|ll|re|ve)$/i;

/**
 * The pieces of a word from the scanner: the whole and, for an identifier or code (`getUserName`, `snake_case`,
 * `a::b.c`, `AB-1204/7`), its parts, so that it is found by either.
 */
export const piecesOf = (raw: string): readonly Piece[] => (special.test(raw) ? joinedPieces(raw) : plainPieces(raw));

const plainPieces = (raw: string): Piece[] => {
  const whole: Piece = { text: raw.toLowerCase(), isExact: false };
  const parts = raw.split(camelJoint);
  return parts.length === 1 ? [whole] : [whole, ...parts.map((part) => ({ text: part.toLowerCase(), isExact: false }))];
};

const joinedPieces = (raw: string): Piece[] => {
  if (number.test(raw)) return [{ text: plainNumber(raw), isExact: true }];
  const pieces: Piece[] = [];
  for (const [index, section] of raw.split(apostrophe).entries()) {
    if (index > 0 && ending.test(section)) continue;
    if (languageName.test(section)) pieces.push({ text: fold(section.toLowerCase()), isExact: true });
    const parts = section.split(joint).filter((part) => part !== "");
    if (parts.length > 1) {
      const whole = section.toLowerCase().replace(/[\u2010\u2011]/g, "-");
      pieces.push({ text: fold(whole), isExact: true });
    }
    for (const part of parts) pieces.push(...plainPieces(part));
  }
  return pieces;
};

/** A number without thousands separators and with a decimal point: `1,234.5` and `1.234,5` become `1234.5`. */
const plainNumber = (raw: string): string => {
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(raw)) return raw.replace(/[.,]/g, "");
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(raw)) return raw.replaceAll(",", "");
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(raw)) return raw.replaceAll(".", "").replace(",", ".");
  return raw.replaceAll(",", ".");
};

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
