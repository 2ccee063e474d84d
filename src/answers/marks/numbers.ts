import { fold } from "../../text/language/fold.ts";

/** Digits with separators between them: `1,250`, `3.5`, `12:30`; and what may be several such, `1 250`, `2, 3`. */
const digitRun = /\p{Nd}[\p{Nd}.,:'’٫٬ ]{0,200}/gu;
const severalSeparators = /[^\p{Nd}]{2,}/u;
const threeDigits = /^\p{Nd}{3}$/u;
const notDigit = /[^0-9]/;
const space = /\s/u;
/** Looks like a number: that of a list item. */
const listNumber = /^\s{0,20}\(?\p{Nd}{1,3}[.)](?=\s)/u;
/** Up to this, numbers are often written as words, which differ from language to language. */
const largestWord = 12;

/** A number of a text: as written, and what it is compared by. */
export interface WrittenNumber {
  written: string;
  /** Its digits without separators: `1,250`, `1 250` and `1.250` are the same, `07` and `7` too. */
  digits: string;
  /** The digits between its separators: what looks like one number may be two. */
  parts: string[];
}

/** The numbers of a text. */
export const numbersOf = (text: string): WrittenNumber[] => {
  // Addresses are left out, and every white space becomes a plain space.
  const words = text.replace(listNumber, "").split(space);
  const plain = words.filter((word) => !word.includes("://")).join(" ");
  return [...plain.matchAll(digitRun)].flatMap(([run]) => run.split(severalSeparators).flatMap(grouped)).map(toNumber);
};

/** Joins groups of three digits after a space to the number before. */
const grouped = (run: string): string[] => {
  const numbers: string[] = [];
  for (const part of run.split(" ")) {
    if (part === "") continue;
    if (numbers.length > 0 && threeDigits.test(part)) numbers[numbers.length - 1] += ` ${part}`;
    else numbers.push(part);
  }
  return numbers;
};

const toNumber = (run: string): WrittenNumber => {
  const ascii = fold(run);
  const isEndedBySeparator = notDigit.test(ascii.slice(-1));
  const parts = ascii.split(notDigit).filter((part) => part !== "");
  return {
    written: isEndedBySeparator ? run.slice(0, -1) : run,
    digits: withoutZeros(parts.join("")),
    parts: parts.map(withoutZeros),
  };
};

const withoutZeros = (digits: string): string => {
  let at = 0;
  while (at < digits.length - 1 && digits[at] === "0") at++;
  return digits.slice(at);
};

/** The numbers of a text, whole and in parts, to compare others with. */
export const digitsOf = (text: string): ReadonlySet<string> =>
  new Set(numbersOf(text).flatMap(({ digits, parts }) => [digits, ...parts]));

/**
 * The numbers of a statement that none of its sources contains, as written. Whole numbers up to twelve are not looked at:
 * a source may have them as words.
 */
export const missingNumbers = (statement: string, sources: readonly ReadonlySet<string>[]): string[] => {
  const isHeld = (digits: string): boolean => sources.some((held) => held.has(digits));
  return numbersOf(statement)
    .filter(({ digits, parts }) => Number(digits) > largestWord && !isHeld(digits) && !parts.every(isHeld))
    .map(({ written }) => written);
};
