import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { abbreviations } from "../../src/text/language/sentence-words.ts";
import { endOfSentence } from "../../src/text/sentences.ts";
import sentenceCases from "../fixtures/languages/sentences.json" with { type: "json" };

/** The sentences, each with the white space before it. */
const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOfSentence(text, at, text.length);
    if (end <= at) throw new Error(`no progress at ${at}`);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
};

const split = (text: string): string[] => piecesOf(text).map((piece) => piece.trim());

/** " | " stands where a sentence ends. */
describe.each(Object.entries(sentenceCases))("%s", (_language, cases) => {
  test.each(cases)("%s", (marked) => {
    const sentences = marked.split(" | ").map((sentence) => sentence.trim());
    // Languages without spaces have none between sentences.
    const text = /[。！]/u.test(marked) ? sentences.join("") : marked.replaceAll(" | ", " ");
    expect(split(text)).toEqual(sentences);
  });
});

describe("every text", () => {
  const parts = fc.constantFrom(
    ..." . .\n ! ? … 。 ” ) ( 1 12 1998 A B. z. °C. etc. Dr. the The Mai 😀 𝐚 é ا \ud83d".split(" "),
    " ",
    " ",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(parts, { maxLength: 40 }).map((all) => all.join("")),
    fc.array(parts, { maxLength: 40 }).map((all) => all.join(" ")),
  );

  test("is its sentences joined, and no sentence begins inside a character", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = piecesOf(text);
        expect(pieces.join("")).toBe(text);
        for (const piece of pieces.slice(1)) expect(piece.charCodeAt(0) >> 10).not.toBe(0xdc00 >> 10);
      }),
      { numRuns: 2_000 },
    );
  });

  test("has the end of its first sentence where more of it was not there yet, or none", () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, seed) => {
        const cut = text.slice(0, seed % (text.length + 1));
        const end = endOfSentence(cut, 0, cut.length);
        // What a mark at the cut ends is not clear, nor whether the word there is whole.
        if (cut.slice(end).trim() !== "") expect(endOfSentence(text, 0, text.length)).toBe(end);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("takes time in proportion to the length, on texts of nothing but doubtful full stops too", () => {
  for (const part of ["A. ", "1. ", "z. B. ", "das 3. Xyz ", "Ltd. Şti. ", ". ", "(".repeat(50), "I. d. R. ", "é. "]) {
    const text = part.repeat(Math.ceil(300_000 / part.length));
    const startMs = performance.now();
    piecesOf(text);
    expect(performance.now() - startMs).toBeLessThan(3_000);
  }
});

test("an abbreviation stands once in the table", () => {
  const words = Object.values(abbreviations).flatMap((kinds) =>
    Object.values(kinds).flatMap((list) => list.split(" ")),
  );
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
});
