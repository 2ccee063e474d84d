/**
 * Tokens that a text takes at most in the tokenizers of current chat and embedding models, without having theirs:
 * a run of ASCII letters counts a token for every three (BPE vocabularies average four to five), each digit and sign
 * one, a letter of another alphabet one, and any other character (CJK, emoji) two.
 * Errs to the high side: on English prose by about a quarter.
 */
export const estimateTokens = (text: string): number => {
  let letters = 0;
  let single = 0;
  let wide = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit | 32) >= 97 && (unit | 32) <= 122) letters++;
    else if (unit === 32) continue;
    else if (unit < 0x0e00) single++;
    else wide++;
  }
  return Math.ceil(letters / 3) + single + Math.ceil(wide * 1.5);
};
