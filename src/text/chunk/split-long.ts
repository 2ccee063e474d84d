import type { Unit } from "./units.ts";
import { Cut } from "./units.ts";

/** Cuts a unit that does not fit: at white space or punctuation near the end of what fits, else between characters. */
export function* splitLong(text: string, unit: Unit, maxCharacters: number): Generator<Unit, void, void> {
  let { start, cut } = unit;
  while (unit.end - start > maxCharacters) {
    const end = placeToCut(text, start, start + maxCharacters);
    yield { ...unit, start, end: trimEnd(text, start, end), cut };
    start = skipSpace(text, end, unit.end);
    cut = Cut.worst;
  }
  if (start < unit.end) yield { ...unit, start, cut };
}

const space = /\s/;
const pause = /[,;:，、；：,\s]/u;

const trimEnd = (text: string, start: number, end: number): number => {
  let at = end;
  while (at > start + 1 && space.test(text[at - 1] ?? "")) at--;
  return at;
};

const skipSpace = (text: string, from: number, to: number): number => {
  let at = from;
  while (at < to && space.test(text[at] ?? "")) at++;
  return at;
};

/** Last pause in the second half of what fits; without one, the last whole character. */
const placeToCut = (text: string, start: number, limit: number): number => {
  const earliest = start + Math.ceil((limit - start) / 2);
  if (space.test(text[limit] ?? "")) return limit;
  for (let at = limit; at > earliest; at--) if (pause.test(text[at - 1] ?? "")) return at;
  return wholeCharacterBefore(text, start, limit);
};

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Longer sequences than any real character are cut between code points. */
const maxGraphemeUnits = 64;
const simple = /^[\x20-\x7e\p{Script=Han}\p{Script=Latin}\p{Script=Cyrillic}]{2}$/u;

/** The largest offset up to `limit` that does not split a visible character. */
const wholeCharacterBefore = (text: string, start: number, limit: number): number => {
  if (simple.test(text.slice(limit - 1, limit + 1))) return limit;
  const from = Math.max(start, limit - maxGraphemeUnits);
  const within = graphemes.segment(text.slice(from, limit + maxGraphemeUnits)).containing(limit - from);
  const found = from + (within?.index ?? limit - from);
  if (found > from) return found;
  const unit = text.charCodeAt(limit);
  return unit >= 0xdc00 && unit <= 0xdfff && limit - 1 > start ? limit - 1 : limit;
};
