import { goesOnAfterStop } from "./sentence-ends/goes-on.ts";

/**
 * Finds the ends of sentences by punctuation in one pass: fast enough for every document, and the same for every language
 * whose sentences end in a full stop or a similar mark. No model: abbreviations, initials and ordinals are told by lists
 * of words and by what stands next to them.
 */

/** Ends a sentence if white space follows, and then no lower-case letter. */
const stops = new Set(".!?…؟۔։።");
/** Ends a sentence whatever follows. */
const denseStops = new Set("。！？｡।॥");
const closers = new Set("\"'”’»)]}」』）】》〉");

const isSpace = (unit: number): boolean =>
  unit === 32 ||
  (unit >= 9 && unit <= 13) ||
  unit === 160 ||
  unit === 0x2028 ||
  unit === 0x2029 ||
  unit === 0x3000 ||
  unit === 0x202f;

const lowerCase = /\p{Ll}/u;

/** True where the text up to `end` ends in a mark that ends a sentence, whatever quotation marks or brackets close it. */
export const endsWithStop = (text: string, end: number): boolean => {
  let at = end - 1;
  while (at >= 0 && closers.has(text[at] ?? "")) at--;
  const last = text[at] ?? "";
  return stops.has(last) || denseStops.has(last);
};

/**
 * End of the sentence that begins at `from`: after its stop and what closes it, before the white space that follows.
 * @returns `to` where no sentence ends before it
 */
export const endOfSentence = (text: string, from: number, to: number): number => {
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    // ASCII letters and digits, most of most texts, need no look-up.
    if ((unit >= 97 && unit <= 122) || unit === 32 || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57))
      continue;
    const character = text[at] ?? "";
    const dense = denseStops.has(character);
    if (!dense && !stops.has(character)) continue;
    let end = at + 1;
    while (end < to && (stops.has(text[end] ?? "") || denseStops.has(text[end] ?? "") || closers.has(text[end] ?? "")))
      end++;
    if (dense || end === to) return end;
    if (!isSpace(text.charCodeAt(end))) {
      at = end - 1;
      continue;
    }
    let next = end;
    while (next < to && isSpace(text.charCodeAt(next))) next++;
    if (next === to) return end;
    const isPlain = character === "." && end === at + 1;
    if (!(isPlain ? goesOnAfterStop(text, at, from, to, next) : lowerCase.test(text[next] ?? ""))) return end;
    at = end - 1;
  }
  return to;
};
