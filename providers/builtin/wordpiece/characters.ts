/**
 * What the BERT uncased tokenizer does with one character. The original's own tables (the Rust crates behind the
 * Python library `tokenizers`) are of Unicode 8; the runtime's are newer. `newer` holds the difference.
 */

export const removed = 1;
export const space = 2;
/** A CJK ideograph: a word of its own. */
export const ideograph = 3;
/** Punctuation: a word of its own. */
export const punctuation = 4;
/** Part of a word: a letter, number or mark. */
export const letter = 5;
/** Part of a word, but no word character of a language: emoji, currency and other signs. */
export const sign = 6;

/**
 * Characters that became punctuation, non-spacing marks or format characters after Unicode 8: the original takes them for parts of words.
 * Code points in hexadecimal, ranges with a dash. Found by running every code point through the original.
 */
const newer =
  "61d 7fd 890-891 897-89f 8ca-8e2 9fd-9fe a76 afa-aff b55 c04 c3c c77 c84 d00 d3b-d3c d81 eba ece 180f 1885-1886 " +
  "1abf-1add 1ae0-1aeb 1b4e-1b4f 1b7d-1b7f 1df6-1dfb 2e43-2e4f 2e52-2e5d a82c a8c5 a8ff a9bd 10d24-10d27 10d69-10d6e " +
  "10ead 10eab-10eac 10ed0 10efa-10eff 10f46-10f50 10f55-10f59 10f82-10f89 11070 11073-11074 110c2 110cd 111cf 1123e " +
  "11241 1133b 113bb-113c0 113ce 113d0 113d2 113d4-113d5 113d7-113d8 113e1-113e2 11438-1143f 11442-11444 11446 " +
  "1144b-1144f 1145a-1145b 1145d-1145e 11660-1166c 116b9 1182f-11837 11839-1183b 1193b-1193c 1193e 11943-11946 " +
  "119d4-119d7 119da-119db 119e0 119e2 11a01-11a0a 11a33-11a38 11a3b-11a47 11a51-11a56 11a59-11a5b 11a8a-11a96 " +
  "11a98-11a9c 11a9e-11aa2 11b00-11b09 11b60 11b62-11b64 11b66 11be1 11c30-11c36 11c38-11c3d 11c3f 11c41-11c45 " +
  "11c70-11c71 11c92-11ca7 11caa-11cb0 11cb2-11cb3 11cb5-11cb6 11d31-11d36 11d3a 11d3c-11d3d 11d3f-11d45 11d47 " +
  "11d90-11d91 11d95 11d97 11ef3-11ef4 11ef7-11ef8 11f00-11f01 11f36-11f3a 11f40 11f42-11f4f 11f5a 11fff 12ff1-12ff2 " +
  "13430-13440 13447-13455 1611e-16129 1612d-1612f 16d6d-16d6f 16e97-16e9a 16f4f 16fe2 16fe4 1cf00-1cf2d 1cf30-1cf46 " +
  "1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e136 1e2ae 1e2ec-1e2ef 1e4ec-1e4ef " +
  "1e5ee-1e5ef 1e5ff 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5 1e944-1e94a 1e95e-1e95f";
/** Characters that were non-spacing marks in Unicode 8 and no longer are. */
const marksOnce = [0x1734, 0x1171e];
/** Characters that were punctuation in Unicode 8 and no longer are. */
const punctuationOnce = [0x166d, 0x111c9];

/** The blocks that the original sets spaces around, gaps between them included as they are in the original. */
const ideographs = [
  [0x4e00, 0x9fff],
  [0x3400, 0x4dbf],
  [0x20000, 0x2a6df],
  [0x2a700, 0x2b73f],
  [0x2b740, 0x2b81f],
  [0x2b920, 0x2ceaf],
  [0xf900, 0xfaff],
  [0x2f800, 0x2fa1f],
] as const;

const dropped = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u;
const white = /\p{White_Space}/u;
const mark = /\p{Mn}/gu;
/** BERT counts all ASCII signs as punctuation, `$` and `+` too. */
const punctuationSign = /^[!-/:-@[-`{-~\p{P}]$/u;
const wordCharacter = /^[\p{L}\p{N}\p{M}]/u;

interface CharacterTable {
  /** Class of a code point. */
  classOf(codePoint: number): number;
  /** What the character becomes: decomposed, without non-spacing marks, lower-case. Empty if nothing is left. */
  fold(codePoint: number): string;
}

/**
 * Classes are computed when a character first occurs, and kept: one byte a code point, 1.1 MB at most, of which a
 * text touches a few pages.
 */
export const createCharacterTable = (): CharacterTable => {
  const classes = new Uint8Array(0x110000);
  const newerCharacters = new Set(expand(newer));

  const fold = (codePoint: number): string => {
    const character = String.fromCodePoint(codePoint);
    if (newerCharacters.has(codePoint) || punctuationOnce.includes(codePoint)) return character;
    // One character at a time: a whole string's toLowerCase knows the final sigma, the original does not.
    let folded = "";
    for (const part of character.normalize("NFD").replace(mark, "")) folded += part.toLowerCase();
    return folded;
  };

  const classify = (codePoint: number): number => {
    const character = String.fromCodePoint(codePoint);
    if (newerCharacters.has(codePoint)) return wordCharacter.test(character) ? letter : sign;
    if (codePoint === 9 || codePoint === 10 || codePoint === 13) return space;
    if (codePoint === 0xfffd || dropped.test(character) || marksOnce.includes(codePoint)) return removed;
    if (white.test(character)) return space;
    if (punctuationOnce.includes(codePoint)) return punctuation;
    const folded = fold(codePoint);
    if (folded === "") return removed;
    if (ideographs.some(([first, last]) => codePoint >= first && codePoint <= last)) return ideograph;
    if (punctuationSign.test(folded)) return punctuation;
    return wordCharacter.test(folded) ? letter : sign;
  };

  const classOf = (codePoint: number): number => {
    const known = classes[codePoint];
    if (known !== undefined && known !== 0) return known;
    const found = classify(codePoint);
    classes[codePoint] = found;
    return found;
  };

  return { classOf, fold };
};

const expand = (ranges: string): number[] => {
  return ranges.split(" ").flatMap((range) => {
    const [first = "", last = first] = range.split("-");
    const from = Number.parseInt(first, 16);
    return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, index) => from + index);
  });
};
