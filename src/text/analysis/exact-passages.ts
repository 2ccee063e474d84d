import { fold } from "./fold.ts";

/** Pairs of quotation marks. An apostrophe is not one, because words contain it. */
const quoted =
  /"([^"\n]{1,400})"|“([^”“\n]{1,400})[”“]|„([^“”„\n]{1,400})[“”]|«([^»\n]{1,400})»|「([^」\n]{1,400})」|『([^』\n]{1,400})』/gu;

/** Codes: letters and digits joined by signs, or mixed in one word; `ordinary` words such as `21st` are excluded. */
const code =
  /(?<![a-z\d])(?=[a-z\d_./:#@-]{0,99}\d)(?=[a-z\d_./:#@-]{0,99}[a-z_/:#-])[a-z\d]+(?:[_./:#@-][a-z\d]+){0,20}(?![a-z\d])/giu;
const ordinary = /^(?:\d+(?:st|nd|rd|th|er|e|º|ª|s)|\d{1,4}[-/.:]\d{1,4}(?:[-/.:]\d{1,4})?)$/iu;

const maxPassages = 8;

/** The passages in quotation marks and the codes (`AB-1204/7`) of a question, which are searched for word for word. */
export const exactPassages = (query: string): string[] => {
  const found = new Set<string>();
  for (const match of query.matchAll(quoted)) {
    const passage =
      match
        .slice(1)
        .find((group) => group !== undefined)
        ?.trim() ?? "";
    if (/[\p{L}\p{N}]/u.test(passage)) found.add(passage);
  }
  for (const [match] of query.matchAll(code)) if (match.length >= 3 && !ordinary.test(match)) found.add(match);
  return [...found].slice(0, maxPassages);
};

/** The form in which exact passages are compared: lower-case, folded, single spaces. */
export const foldForExact = (text: string): string => fold(text.toLowerCase()).replace(/\s+/gu, " ").trim();

const wordCharacter = /[\p{L}\p{N}]/u;

/** True if the folded text contains the folded passage, and not as a part of a longer word or code. */
export const holdsExactly = (foldedText: string, foldedPassage: string): boolean => {
  const startsInWord = wordCharacter.test(foldedPassage[0] ?? "");
  const endsInWord = wordCharacter.test(foldedPassage.at(-1) ?? "");
  for (let at = foldedText.indexOf(foldedPassage); at >= 0; at = foldedText.indexOf(foldedPassage, at + 1)) {
    const before = foldedText[at - 1] ?? "";
    const after = foldedText[at + foldedPassage.length] ?? "";
    const cutBefore = startsInWord && isSpaced(foldedPassage[0] ?? "") && wordCharacter.test(before);
    const cutAfter = endsInWord && isSpaced(foldedPassage.at(-1) ?? "") && wordCharacter.test(after);
    if (!cutBefore && !cutAfter) return true;
  }
  return false;
};

/** False for scripts without spaces, where a word begins anywhere. */
const isSpaced = (character: string): boolean =>
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(
    character,
  );
