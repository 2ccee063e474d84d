import { expect, test } from "bun:test";
import fc from "fast-check";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { splitPieces } from "../../../../src/text/tokens/count-tokens.ts";

const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  splitPieces(text, (start, end) => pieces.push(text.slice(start, end)));
  return pieces;
};

test("cuts any text as the published pattern does", () => {
  const plain = fc.string({ unit: fc.constantFrom(..." \n\r\t'aAzZ09._(é́Ⅳ東"), maxLength: 40 });
  const ascii = fc.string({ unit: "binary-ascii", maxLength: 60 });
  const any = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(fc.oneof(plain, ascii, any), (text) => {
      expect(piecesOf(text)).toEqual(Array.from(text.matchAll(O200K_TOKEN_SPLIT_REGEX), ([piece]) => piece));
    }),
    { numRuns: 3_000 },
  );
});
