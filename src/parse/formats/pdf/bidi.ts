import { normalForm } from "../../../text/clean-text.ts";
import { pairsIn } from "../../blocks/tidy-text.ts";

/** Scripts that are written from right to left, with their presentation forms and without their digits. */
const rightToLeft =
  /[\u0590-\u065f\u066d-\u06ef\u06fa-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const letters = /\p{L}/gu;
const mark = /^\p{M}+$/u;
const mirrored = pairsIn("(:) ):( [:] ]:[ {:} }:{ <:> >:< «:» »:«");

export const isRightToLeft = (text: string): boolean => rightToLeft.test(text);

/** Whether most letters of a text are written from right to left. */
export const isMostlyRightToLeft = (text: string): boolean => {
  if (!rightToLeft.test(text)) return false;
  const all = text.match(letters) ?? [];
  return all.filter((letter) => rightToLeft.test(letter)).length * 2 >= all.length;
};

/**
 * The signs of one word from left to right in the order in which they are read: those from right to left are turned
 * round, numbers and Latin letters among them are not. Presentation forms become the letters that they stand for.
 */
export const inLogicalOrder = (signs: readonly string[]): string => {
  const groups: { signs: string[]; isLatin: boolean }[] = [];
  for (const sign of signs) {
    const last = groups.at(-1);
    const isLatin = /[\p{N}\p{L}]/u.test(sign) && !rightToLeft.test(sign);
    const joins = last && (last.isLatin === isLatin || (last.isLatin && /^[.,:/\-+%]$/.test(sign)));
    if (last && joins) last.signs.push(sign);
    else groups.push({ signs: [sign], isLatin });
  }
  // A full stop after a number ends the sentence, which goes on to the left.
  for (const [index, group] of groups.entries()) {
    const trailing = group.isLatin && /^[.,:/\-+]$/.test(group.signs.at(-1) ?? "") ? group.signs.pop() : undefined;
    if (trailing !== undefined) groups.splice(index + 1, 0, { signs: [trailing], isLatin: false });
  }
  const text = groups.toReversed().map(({ signs: own, isLatin }) => (isLatin ? own.join("") : turned(own)));
  return normalForm(text.join(""), "NFKC");
};

/** Signs turned round; a mark stays behind its letter. */
const turned = (signs: readonly string[]): string => {
  const clusters: string[] = [];
  let marks = "";
  for (const sign of signs) {
    if (mark.test(sign)) marks += sign;
    else {
      clusters.push((mirrored.get(sign) ?? sign) + marks);
      marks = "";
    }
  }
  if (marks !== "") clusters.push(marks);
  return clusters.toReversed().join("");
};

/** Signs at the ends of a Latin word or number that belong to the text around it. */
const outerSign = /^[.,:;!?()[\]{}«»"]$/;
const leftSign = /^[%\u066a]$/;
const opening = "([{«<";
const closing = ")]}»>";

/**
 * Words of a line from left to right in the order in which they are read: if the line is written from right to left, they
 * are turned round; Latin words, and the numbers after them, keep their own order.
 * @param isTurned whether the page is written from right to left, and with it each line that begins so
 */
export const inReadingDirection = (words: readonly string[], isTurned: boolean): string[] => {
  const beginsTurned = isTurned && isRightToLeft(words.at(-1) ?? "");
  if (!beginsTurned && !isMostlyRightToLeft(words.join(" "))) return [...words];
  const groups: string[][] = [];
  let isLatin = false;
  for (const word of words) {
    const hasLatin = /\p{L}/u.test(word) && !rightToLeft.test(word);
    const goesOn: boolean = isLatin && (hasLatin || /\p{N}/u.test(word)) && !rightToLeft.test(word);
    if (goesOn) groups.at(-1)?.push(word);
    else groups.push([word]);
    isLatin = goesOn || hasLatin;
  }
  return groups.toReversed().flatMap((group) => (rightToLeft.test(group.join("")) ? group : [withSignsTurned(group)]));
};

/**
 * Latin words with the signs at their ends as they stand between words from right to left: brackets open at the right end
 * and close at the left one, whether the file gives them as they are drawn or as they are read.
 */
const withSignsTurned = (group: readonly string[]): string => {
  const signs = [...group.join(" ")];
  if (!signs.some((sign) => /[\p{L}\p{N}]/u.test(sign))) return signs.toReversed().join("");
  let [from, to] = [0, signs.length];
  while (outerSign.test(signs[from] ?? "") || leftSign.test(signs[from] ?? "")) from++;
  while (outerSign.test(signs[to - 1] ?? "")) to--;
  const as = (brackets: string) => (sign: string) => {
    const at = Math.max(opening.indexOf(sign), closing.indexOf(sign));
    return brackets[at] ?? sign;
  };
  const [before, after] = [signs.slice(to).reverse().map(as(opening)), signs.slice(0, from).reverse().map(as(closing))];
  return before.join("") + signs.slice(from, to).join("") + after.join("");
};
