import type { Chunk } from "./chunk.ts";
import { maxChunkCharacters } from "./chunk-size.ts";
import { packUnits } from "./pack.ts";
import { splitLong } from "./split-long.ts";
import { type Unit, unitsOf } from "./units.ts";

/** Where a page begins in the text. */
export interface PageStart {
  page: number;
  start: number;
}

export interface ChunkOptions {
  /** Longest chunk, in UTF-16 units; `maxChunkCharacters` if missing. */
  maxCharacters?: number;
}

/**
 * Cuts a document into the pieces that are searched and quoted: at headings, then paragraphs, list items and rows,
 * then sentences, then characters. Each is an exact range of the text. Together they contain everything that is not
 * white space, and none overlaps another. Takes time linear in the text's length.
 * @param pages ascending
 */
export function* chunksOf(
  text: string,
  pages: readonly PageStart[] = [],
  options: ChunkOptions = {},
): Generator<Chunk, void, void> {
  const maxCharacters = options.maxCharacters ?? maxChunkCharacters;
  let page = -1;
  for (const units of packUnits(fittingUnits(text, maxCharacters), maxCharacters)) {
    const first = units[0];
    const last = units.at(-1);
    if (first === undefined || last === undefined) continue;
    while (page + 1 < pages.length && (pages[page + 1]?.start ?? 0) <= first.start) page++;
    yield {
      text: text.slice(first.start, last.end),
      start: first.start,
      end: last.end,
      page: pages[page]?.page ?? null,
      headings: [...first.headings],
      context: first.columns,
    };
  }
}

/** `chunksOf` as a list. */
export const chunkText = (text: string, pages: readonly PageStart[] = [], options: ChunkOptions = {}): Chunk[] => [
  ...chunksOf(text, pages, options),
];

function* fittingUnits(text: string, maxCharacters: number): Generator<Unit, void, void> {
  for (const unit of unitsOf(text)) {
    if (unit.start >= unit.end) continue;
    if (unit.end - unit.start <= maxCharacters) yield unit;
    else yield* splitLong(text, unit, maxCharacters);
  }
}
