/** Letters that Unicode does not take apart into a base letter and a mark, and variants that are written for each other. */
const replacements: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ħ: "h",
  ı: "i",
  ς: "σ",
  أ: "ا",
  إ: "ا",
  آ: "ا",
  ٱ: "ا",
  ى: "ي",
  ی: "ي",
  ک: "ك",
  ة: "ه",
  ـ: "",
};
const replaceable = new RegExp(`[${Object.keys(replacements).join("")}]`, "gu");
/** Invisible characters, and the vowel points of Arabic and Hebrew, which are mostly left out in writing. */
const leftOut = /[\u00ad\u200c\u2060\ufeff\u064b-\u0652\u0670\u0591-\u05bd\u05bf-\u05c7]|\u200d/gu;
/** Accents on Latin and Greek letters, and the two dots of ё; the short mark of й makes another letter, and stays. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}])\p{Mn}+|(?<=е)\u0308/gu;
const foreignDigit = /[^\P{Nd}0-9]/gu;
const nonAscii = /[^\0-\x7f]/;

/** Digits of other scripts come in blocks of ten, each block beginning with its zero. */
const asciiDigit = (digit: string): string => {
  let zero = digit.codePointAt(0) ?? 0;
  const code = zero;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((code - zero) % 10);
};

/** True where folding could change a lower-case text at all. */
export const isPlainAscii = (text: string): boolean => !nonAscii.test(text);

/**
 * Folds a lower-case text to what it is compared by: compatibility forms (ﬁ, Ａ, ²) to their plain ones, accents off
 * Latin and Greek letters, ё to е, Arabic and Hebrew without vowel points, digits of every script to 0–9. Marks that
 * are vowels (Hindi, Thai …) stay: without them different words fall together.
 */
export const fold = (lowerCase: string): string =>
  isPlainAscii(lowerCase)
    ? lowerCase
    : lowerCase
        .normalize("NFKD")
        .replace(accents, "")
        .replace(leftOut, "")
        .normalize("NFC")
        .toLowerCase() // a styled capital is one only now
        .replace(replaceable, (letter) => replacements[letter] ?? letter)
        .replace(foreignDigit, asciiDigit);
