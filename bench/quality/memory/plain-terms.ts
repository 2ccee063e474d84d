const words = /[\p{L}\p{M}\p{N}_]+/gu;
const spaceless =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The terms of plain BM25, which the product's own analysis is compared with: lower-case words with their marks, no stop
 * words, no endings removed; scripts without spaces in pairs of characters.
 */
export const plainTerms = (text: string): string[] => {
  const terms: string[] = [];
  for (const [word] of text.normalize("NFC").toLowerCase().matchAll(words)) {
    const characters = spaceless.test(word) ? Array.from(word) : [word];
    if (characters.length === 1) terms.push(word);
    for (let at = 0; at + 1 < characters.length; at++) terms.push(`${characters[at]}${characters[at + 1]}`);
  }
  return terms;
};
