import tablePath from "gpt-tokenizer/data/o200k_base.tiktoken" with { type: "file" };
import { nextSlice } from "../../async/yield.ts";
import { readCarriedFile } from "../../system/carried-file.ts";
import { type CountPiece, createPieceCounter } from "./fast/byte-pair-count.ts";
import { readBytePairTable } from "./fast/byte-pair-table.ts";
import { splitPieces } from "./fast/split-pieces.ts";

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
