import { fold } from "../analysis/fold.ts";
import { isFunctionWordOfAny } from "../analysis/language.ts";
import { endsWithStop } from "../sentences.ts";
import type { PageStart } from "./pages.ts";
import { Cut, type Unit } from "./units.ts";

/** The beginning of a sentence that is a paragraph by itself has this many characters: a shorter one may be a label. */
const minLoneCharacters = 40;
const minLoneDenseCharacters = 16;

/**
 * Joins the two parts of a sentence that a page break splits, as long as it fits a chunk. Parsers write the
 * paragraphs of each page separately.
 * @param pages ascending
 */
export function* joinRunningOver(
  text: string,
  units: Iterable<Unit>,
  pages: readonly PageStart[],
  maxCharacters: number,
): Generator<Unit, void, void> {
  let held = null as Unit | null;
  let next = 0;
  for (const unit of units) {
    let isPageBreak = false;
    while (next < pages.length && (pages[next]?.start ?? 0) <= unit.start) {
      isPageBreak = isPageBreak || (pages[next]?.start ?? 0) >= (held?.end ?? Number.POSITIVE_INFINITY);
      next++;
    }
    if (held === null) held = unit;
    else if (isPageBreak && unit.end - held.start <= maxCharacters && runsOver(text, held, unit))
      held = { ...held, end: unit.end };
    else {
      yield held;
      held = unit;
    }
  }
  if (held !== null) yield held;
}

const pauseMark = /[,،、，;؛‐-]$/u;
const notLetter = /[^\p{L}\p{M}]/u;
const smallWord = /^\p{Ll}[\p{Ll}\p{M}]/u;
const dense = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

/**
 * Whether a sentence at the end of a page continues in the first sentence of the next page. Two whole lines must not be
 * taken for one: then the shorter one would be cited on the wrong page. So the first part must have no full stop and be
 * longer than a label; and it must end in the middle of a phrase, or the second part must look like the rest of a
 * sentence.
 */
const runsOver = (text: string, before: Unit, after: Unit): boolean => {
  if ((before.kind !== "paragraph" && before.kind !== "item") || after.kind !== "paragraph") return false;
  if (endsWithStop(text, before.end)) return false;
  const tail = text.slice(Math.max(before.start, before.end - 40), before.end);
  const minCharacters = dense.test(tail) ? minLoneDenseCharacters : minLoneCharacters;
  if (before.cut !== Cut.sentence && before.end - before.start < minCharacters) return false;
  const word = tail.split(notLetter).at(-1) ?? "";
  if (pauseMark.test(tail) || (smallWord.test(word) && isFunctionWordOfAny(fold(word)))) return true;
  const first = String.fromCodePoint(text.codePointAt(after.start) ?? 0);
  return /[\p{Ll}\p{Lo}]/u.test(first) && endsWithStop(text, after.end);
};
