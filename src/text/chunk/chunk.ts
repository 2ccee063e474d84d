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
