import type { Range } from "../../../shared/passage-markdown.ts";

interface Letters {
  /** Letters and digits alone, without accents, in lower case. */
  text: string;
  /** For each of them, where it stands in the text. */
  at: number[];
}

const isLetter = /[\p{L}\p{N}]/u;
/** Shorter pieces stand in many places by chance. */
const minPieceLetters = 12;
const maxPieces = 400;

const lettersOf = (source: string): Letters => {
  let text = "";
  const at: number[] = [];
  let index = 0;
  for (const character of source) {
    for (const part of character.normalize("NFKD").toLowerCase())
      if (isLetter.test(part)) {
        text += part;
        for (let unit = 0; unit < part.length; unit += 1) at.push(index);
      }
    index += character.length;
  }
  return { text, at };
};

/**
 * Where a passage stands in a text that was set in another way: other line ends, hyphens, marks of Markdown. Only letters
 * and digits count. If it does not stand there as a whole, its sentences and lines are looked for, in their order.
 * @param near where it is expected, 0 to 1 of the text: among several places the nearest is taken
 */
export const findPassage = (text: string, passage: string, near: number): Range[] => {
  const letters = lettersOf(text);
  const wanted = lettersOf(passage).text;
  if (wanted === "" || letters.text === "") return [];
  const whole = nearest(letters.text, wanted, near * letters.text.length);
  if (whole !== -1) return [rangeOf(letters, whole, wanted.length)];
  const found: Range[] = [];
  let from = 0;
  for (const piece of piecesOf(passage)) {
    const at = letters.text.indexOf(piece, from);
    if (at === -1) continue;
    found.push(rangeOf(letters, at, piece.length));
    from = at + piece.length;
  }
  return found;
};

const piecesOf = (passage: string): string[] =>
  passage
    .split(/[.!?|\n]/)
    .slice(0, maxPieces)
    .map((piece) => lettersOf(piece).text)
    .filter((piece) => piece.length >= minPieceLetters);

/** Most places where the same passage stands that are compared. */
const maxPlaces = 200;

const nearest = (text: string, wanted: string, expected: number): number => {
  let best = -1;
  let at = text.indexOf(wanted);
  for (let places = 0; at !== -1 && places < maxPlaces; places += 1) {
    if (best === -1 || Math.abs(at - expected) < Math.abs(best - expected)) best = at;
    at = text.indexOf(wanted, at + 1);
  }
  return best;
};

const rangeOf = ({ at }: Letters, from: number, length: number): Range => ({
  start: at[from] ?? 0,
  end: (at[from + length - 1] ?? 0) + 1,
});
