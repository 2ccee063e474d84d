import { fold } from "../language/fold.ts";
import { isFunctionWordOfAny } from "../language/function-words.ts";
import { endsWithStop } from "../sentences.ts";
import {
  type Chunk,
  headingFilledShare,
  maxChunkCharacters,
  minFilledShare,
  type PagedUnit,
  type PageStart,
  withPages,
} from "./chunk.ts";
import { Cut, type Unit, unitsOf } from "./units.ts";

/**
 * Joins units to chunks of at most `maxCharacters`, each cut at the best place in its later part, and wherever a page
 * ends. Holds no more than one chunk's units at a time.
 */
function* packUnits(units: Iterable<PagedUnit>, maxCharacters: number): Generator<PagedUnit[], void, void> {
  let open: PagedUnit[] = [];
  for (const unit of units) {
    const first = open[0];
    const isFilled = first !== undefined && unit.start - first.start >= headingFilledShare * maxCharacters;
    if (first !== undefined && (unit.page !== first.page || (unit.cut >= Cut.subheading && isFilled))) {
      yield open;
      open = [];
    }
    while (open.length > 0 && unit.end - (open[0]?.start ?? 0) > maxCharacters) {
      const cut = bestCut(open, unit, maxCharacters);
      yield open.slice(0, cut);
      open = open.slice(cut);
    }
    open.push(unit);
  }
  if (open.length > 0) yield open;
}

/** Number of units in the next chunk: up to the best cut in its later part, the last of ties; all if there is none. */
const bestCut = (open: readonly PagedUnit[], next: PagedUnit, maxCharacters: number): number => {
  const start = open[0]?.start ?? 0;
  let best = open.length;
  let bestValue = next.cut;
  for (let index = open.length - 1; index > 0; index--) {
    const unit = open[index];
    if (unit === undefined || unit.start - start < minFilledShare * maxCharacters) break;
    if (unit.cut > bestValue) {
      best = index;
      bestValue = unit.cut;
    }
  }
  if (bestValue > Cut.worst) return best;
  // No good cut in the later part: cut earlier, so that no heading or table head ends the chunk.
  for (let index = open.length - 1; index > 0; index--) if ((open[index]?.cut ?? 0) > Cut.worst) return index;
  return best;
};

/** The beginning of a sentence that is a paragraph by itself has this many characters: a shorter one may be a label. */
const minLoneCharacters = 40;
const minLoneDenseCharacters = 16;

/**
 * Joins the two parts of a sentence that a page break splits, as long as it fits a chunk. Parsers write the
 * paragraphs of each page separately.
 * @param pages ascending
 */
function* joinRunningOver(
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

/** Cuts a unit that does not fit: at white space or punctuation near the end of what fits, else between characters. */
function* splitLong(text: string, unit: Unit, maxCharacters: number): Generator<Unit, void, void> {
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

interface ChunkOptions {
  /** Longest chunk, in UTF-16 units; `maxChunkCharacters` if missing. */
  maxCharacters?: number;
}

/**
 * Cuts a document into the pieces that are searched and quoted: at headings, then paragraphs, list items and rows,
 * then sentences, then characters. Each is an exact range of the text. Together they contain everything that is not
 * white space, and none overlaps another. Each lies on one page, except that a sentence or table row which runs over to
 * the next is not cut there: it belongs to the page that holds most of it. Takes time linear in the text's length.
 * @param pages ascending
 */
export function* chunksOf(
  text: string,
  pages: readonly PageStart[] = [],
  options: ChunkOptions = {},
): Generator<Chunk, void, void> {
  const maxCharacters = options.maxCharacters ?? maxChunkCharacters;
  const paged = withPages(fittingUnits(text, pages, maxCharacters), pages);
  for (const units of packUnits(paged, maxCharacters)) {
    const first = units[0];
    const last = units.at(-1);
    if (first === undefined || last === undefined) continue;
    yield {
      text: text.slice(first.start, last.end),
      start: first.start,
      end: last.end,
      page: pages[first.page]?.page ?? null,
      headings: [...first.headings],
      context: first.columns,
    };
  }
}

/** `chunksOf` as a list. */
export const chunkText = (text: string, pages: readonly PageStart[] = [], options: ChunkOptions = {}): Chunk[] => [
  ...chunksOf(text, pages, options),
];

function* fittingUnits(text: string, pages: readonly PageStart[], maxCharacters: number): Generator<Unit, void, void> {
  const units = pages.length === 0 ? unitsOf(text) : joinRunningOver(text, unitsOf(text), pages, maxCharacters);
  for (const unit of units) {
    if (unit.start >= unit.end) continue;
    if (unit.end - unit.start <= maxCharacters) yield unit;
    else yield* splitLong(text, unit, maxCharacters);
  }
}
