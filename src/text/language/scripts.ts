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
