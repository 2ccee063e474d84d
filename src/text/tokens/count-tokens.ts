import tablePath from "gpt-tokenizer/data/o200k_base.tiktoken" with { type: "file" };
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { nextSlice } from "../../async/yield.ts";
import { readCarriedFile } from "../../system/carried-file.ts";
import { type CountPiece, createPieceCounter, readBytePairTable } from "./fast/byte-pair-count.ts";

/**
 * Characters counted before other work may run: 1 ms, and 7 ms where each character is a piece of its own. A longer run of
 * letters is cut, and may then count one token more.
 */
const windowCharacters = 8_192;
const letter = /\p{L}/u;
const continuesWord = /[\p{L}\p{M}']/u;
const digit = /\p{N}/u;

let counter: Promise<CountPiece> | null = null;

/** The table is read with the first document, so that an idle server does not hold it. */
const loadCounter = (): Promise<CountPiece> => {
  counter ??= readCarriedFile(tablePath).then((file) => createPieceCounter(readBytePairTable(file)));
  return counter;
};

/**
 * Where the window that begins at `start` can end without cutting a token: after a letter that is not followed by a
 * letter, mark or apostrophe, or after the last digit of a number. The pattern that splits text into pieces never matches
 * across such a place.
 */
const windowEnd = (text: string, start: number): number => {
  const limit = start + windowCharacters;
  if (limit >= text.length) return text.length;
  for (let end = limit; end > start; end--) {
    const last = text[end - 1] as string;
    const continues = letter.test(last) ? continuesWord : digit.test(last) ? digit : null;
    if (continues?.test(String.fromCodePoint(text.codePointAt(end) as number)) === false) return end;
  }
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code < 0xe000 ? limit - 1 : limit;
};

/**
 * Number of tokens of the text in the `o200k_base` encoding. Special tokens such as `<|endoftext|>` count as ordinary
 * text. Lets other work run between windows of a long text.
 * @param onResume called each time counting continues after other work
 */
export const countTokens = async (text: string, onResume = () => {}): Promise<number> => {
  const countPiece = await loadCounter();
  onResume();
  let tokens = 0;
  for (let start = 0; start < text.length; ) {
    const end = windowEnd(text, start);
    const window = text.slice(start, end);
    splitPieces(window, (from, to) => {
      tokens += countPiece(window, from, to);
    });
    start = end;
    if (start >= text.length) break;
    await nextSlice();
    onResume();
  }
  return tokens;
};

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

/**
 * Skip on a first reading: cuts text where the pattern of `o200k_base` does. ASCII words and numbers, most of a text, are
 * cut without the regular expression. Calls `visit` with start and end of each piece of the text, in order; together they
 * are the text.
 */
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
