/**
 * Skip on a first reading: cuts text where the pattern of `o200k_base` does. ASCII words and numbers, most of a text,
 * are cut without the regular expression.
 */
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";

/** The pattern of `o200k_base` that cuts text into pieces, made to match at one place. */
const anyPiece = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, "uy");

const isUpper = (unit: number): boolean => unit >= 65 && unit <= 90;
const isLower = (unit: number): boolean => unit >= 97 && unit <= 122;
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;
const newline = 10;
const carriageReturn = 13;
const apostrophe = 39;
const firstNonAscii = 128;

/**
 * Where the piece ends that begins at `start`, for the plain cases that make up most of a text: ASCII letters, perhaps
 * with one other character before them, and ASCII digits. 0 where the pattern has to say.
 */
const endOfPlainPiece = (text: string, start: number): number => {
  let at = start;
  let unit = text.charCodeAt(at);
  if (isDigit(unit)) {
    while (at < start + 3 && isDigit(text.charCodeAt(at))) at++;
    return at < start + 3 && text.charCodeAt(at) >= firstNonAscii ? 0 : at;
  }
  if (unit >= firstNonAscii || unit === newline || unit === carriageReturn) return 0;
  if (!isUpper(unit) && !isLower(unit)) at++;
  const firstLetter = at;
  unit = text.charCodeAt(at);
  while (isUpper(unit)) unit = text.charCodeAt(++at);
  while (isLower(unit)) unit = text.charCodeAt(++at);
  // A letter or mark beyond ASCII may continue it, and an apostrophe may begin an ending.
  return at === firstLetter || unit >= firstNonAscii || unit === apostrophe ? 0 : at;
};

/** Calls `visit` with start and end of each piece of the text, in order; together they are the text. */
export const splitPieces = (text: string, visit: (start: number, end: number) => void): void => {
  for (let start = 0; start < text.length; ) {
    let end = endOfPlainPiece(text, start);
    if (end === 0) {
      anyPiece.lastIndex = start;
      // The pattern leaves nothing out.
      end = start + (anyPiece.exec(text)?.[0].length ?? 1);
    }
    visit(start, end);
    start = end;
  }
};
