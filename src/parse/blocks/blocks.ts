/**
 * What every format is read into, so that the same content comes out the same whatever file it was in. Texts are
 * inline Markdown (links, code); a newline inside one is a line break.
 */
export type Block =
  | { kind: "heading"; level: number; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "item"; depth: number; marker: string; text: string }
  /** The first row is the head. */
  | { kind: "table"; rows: string[][] }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; text: string }
  /** Text that is already as it should be. */
  | { kind: "verbatim"; text: string }
  /** What follows stands on this page, sheet or slide. */
  | { kind: "page"; page: number };

/** One file read, before it is written as Markdown. */
export interface Content {
  title: string | null;
  blocks: Block[];
  warnings: string[];
}
