/** Letters that Unicode does not decompose into a base letter and a mark, and variants that people use for each other. */
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

/** True for ASCII text, which folding does not change. */
export const isPlainAscii = (text: string): boolean => !nonAscii.test(text);

/**
 * Folds a lower-case text to the form in which words are compared: compatibility forms (ﬁ, Ａ, ²) become plain ones,
 * Latin and Greek letters lose their accents, ё becomes е, Arabic and Hebrew lose their vowel points, digits of every
 * script become 0–9. Marks that are vowels (Hindi, Thai …) stay, because without them different words become equal.
 */
export const fold = (lowerCase: string): string =>
  isPlainAscii(lowerCase)
    ? lowerCase
    : lowerCase
        .normalize("NFKD")
        .replace(accents, "")
        .replace(leftOut, "")
        .normalize("NFC")
        .toLowerCase() // a styled capital is a capital only after NFKD
        .replace(replaceable, (letter) => replacements[letter] ?? letter)
        .replace(foreignDigit, asciiDigit);

// Scripts that are written without spaces between words: a word begins anywhere in them.

const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const unspacedLetter = /^[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Text of these scripts: a number or a name of another script stands right beside it. */
export const unspacedRun =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Whether a character, or the first one of a term, is of such a script. */
export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** Whether that script writes letters, not syllables or ideographs: a pair of them is no word. */
export const isUnspacedLetter = (text: string): boolean => unspacedLetter.test(text);
