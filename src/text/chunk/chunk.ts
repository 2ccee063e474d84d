import { createHash } from "node:crypto";
import type { Unit } from "./units.ts";

/** A piece of text cut by the chunker, before it becomes a snippet record. Offsets are UTF-16, end exclusive. */
export interface Chunk {
  /** Exactly `document.slice(start, end)`. */
  text: string;
  start: number;
  end: number;
  page: number | null;
  /** Heading path, outermost first. */
  headings: string[];
  /** Column names of a table whose head is in an earlier chunk, and the like; else empty. */
  context: string;
}

/** The chunk size: how long the pieces are that documents are cut into for search. */

/**
 * Longest chunk, in UTF-16 units. Found best on prose, tables and code (bench/quality): shorter chunks lose the context,
 * longer ones dilute it. Another value needs a new `analysisVersion` (../analysis/analyze.ts), so that stored documents
 * are indexed again.
 */
export const maxChunkCharacters = 1000;

/** A chunk is filled to at least this part before a good place to cut ends it. */
export const minFilledShare = 0.4;

/** A chunk that is filled to this part ends before a heading. */
export const headingFilledShare = 0.25;

/** The text of a chunk that the embedding model is given: the column names of a table belong to its rows. */
export const embeddingInput = ({ context, text }: Pick<Chunk, "context" | "text">): string =>
  context === "" ? text : `${context}\n${text}`;

/** Names an embedding input: 128 bits of its SHA-256, base64url. Equal inputs have equal vectors. */
export const embeddingInputHash = (chunk: Pick<Chunk, "context" | "text">): string =>
  createHash("sha256").update(embeddingInput(chunk)).digest().subarray(0, 16).toString("base64url");

/** Where a page begins in the text. */
export interface PageStart {
  page: number;
  start: number;
}

/** A unit with the page that holds most of it. */
export interface PagedUnit extends Unit {
  /** Index into the pages; -1 before the first of them. */
  page: number;
}

/**
 * Gives each unit its page: the one that holds most of its characters, of ties the earlier. Units and pages are ascending;
 * takes time linear in their number.
 */
export function* withPages(units: Iterable<Unit>, pages: readonly PageStart[]): Generator<PagedUnit, void, void> {
  let page = -1;
  const endOf = (index: number): number => pages[index + 1]?.start ?? Number.POSITIVE_INFINITY;
  for (const unit of units) {
    while (endOf(page) <= unit.start) page++;
    let best = page;
    let most = Math.min(endOf(page), unit.end) - unit.start;
    // The next unit begins on the last of these pages or later, so none is looked at for more than two units.
    while (endOf(page) < unit.end) {
      page++;
      const held = Math.min(endOf(page), unit.end) - (pages[page]?.start ?? 0);
      if (held > most) {
        best = page;
        most = held;
      }
    }
    yield { ...unit, page: best };
  }
}
