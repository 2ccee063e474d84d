import { analyzeQuery } from "../../src/text/analysis/analyze.ts";
import { isOfLetters, maxTypingErrors } from "../../src/text/spelling.ts";

/** Numbers that look random, always the same ones for a text. */
const numbersFor = (text: string): ((below: number) => number) => {
  let state = Bun.hash.crc32(text);
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0; // Numerical Recipes, chapter 7.1
    return Math.floor((state / 2 ** 32) * below);
  };
};

/**
 * The question with one wrong letter in one of its words, not the first letter: one too many, missing, another, or in its
 * neighbor's place.
 * @returns null if no word is long enough
 */
export const mistyped = (question: string): string | null => {
  const number = numbersFor(question);
  const words = analyzeQuery(question).words.filter(
    ({ written }) => maxTypingErrors(written.length) > 0 && isOfLetters(written),
  );
  const { written } = words[number(words.length)] ?? {};
  const start = written === undefined ? -1 : question.toLowerCase().indexOf(written);
  if (written === undefined || start < 0) return null;
  const alphabet = [...new Set(question.toLowerCase().match(/\p{L}/gu))];
  const at = 1 + number(written.length - 1);
  const letter = alphabet[number(alphabet.length)] ?? "";
  const [before, own, after] = [written.slice(0, at), written.charAt(at), written.slice(at + 1)];
  const kinds = [before + letter + own + after, before + after, before + letter + after, swapped(written, at)];
  const wrong = kinds[number(kinds.length)] ?? written;
  return wrong === written ? null : question.slice(0, start) + wrong + question.slice(start + written.length);
};

/** The letter at this place, and the one after it, in each other's place. */
const swapped = (word: string, at: number): string =>
  word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
