import { fold } from "../../text/analysis/fold.ts";

/** Digits with separators between them: `1,250`, `3.5`, `1 000`, `12:30`. A hyphen separates two numbers. */
const number = /\p{Nd}+(?:[.,:'’\u00a0\u202f٫٬]\p{Nd}+| \p{Nd}{3}(?!\p{Nd}))*/gu;
const separators = /[^0-9]/g;
/** Words and markup that only look like numbers: the number of a list item, addresses. */
const listNumber = /^\s*\(?\p{Nd}{1,3}[.)](?=\s)/u;
const address = /\bhttps?:\/\/\S{1,2000}/gu;
/** Up to this, numbers are often written as words, which differ from language to language. */
const largestWord = 12;

/** A number of a text: as written, and what it is compared by. */
interface WrittenNumber {
  written: string;
  /** Its digits without separators: `1,250`, `1 250` and `1.250` are the same, `07` and `7` too. */
  digits: string;
  /** The digits between its separators: what looks like one number may be two. */
  parts: string[];
}

const numbersIn = (text: string): WrittenNumber[] =>
  [...text.replace(listNumber, "").replace(address, " ").matchAll(number)].map(([written]) => {
    const ascii = fold(written);
    return {
      written,
      digits: withoutZeros(ascii.replace(separators, "")),
      parts: ascii.split(separators).map(withoutZeros),
    };
  });

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=.)/, "");

/** The numbers of a text, whole and in parts, to compare others with. */
export const digitsOf = (text: string): ReadonlySet<string> =>
  new Set(numbersIn(text).flatMap(({ digits, parts }) => [digits, ...parts]));

/**
 * The numbers of a statement that none of its sources contains, as written. Whole numbers up to twelve are not looked at:
 * a source may have them as words.
 */
export const missingNumbers = (statement: string, sources: readonly ReadonlySet<string>[]): string[] => {
  const isHeld = (digits: string): boolean => sources.some((held) => held.has(digits));
  return numbersIn(statement)
    .filter(({ digits, parts }) => Number(digits) > largestWord && !isHeld(digits) && !parts.every(isHeld))
    .map(({ written }) => written);
};
