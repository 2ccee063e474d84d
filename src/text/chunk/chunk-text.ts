import type { Chunk } from "./chunk.ts";
import { maxChunkCharacters } from "./chunk.ts";
import { packUnits } from "./pack.ts";
import { type PageStart, withPages } from "./pages.ts";
import { joinRunningOver } from "./running-over.ts";
import { splitLong } from "./split-long.ts";
import { type Unit, unitsOf } from "./units.ts";

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
