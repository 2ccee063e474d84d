import type { FileProperties } from "../../../providers/contract.ts";

/**
 * What every format is read into, so that the same content comes out the same from every format. Texts are
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
  /** Text that needs no change, such as Markdown. */
  | { kind: "verbatim"; text: string }
  /** The following blocks are on this page, sheet or slide. */
  | { kind: "page"; page: number };

/** One file read, before it is written as Markdown. */
export interface Content {
  title: string | null;
  blocks: Block[];
  warnings: string[];
  /** See `ParsedFile`. */
  properties?: FileProperties;
}

/** Adds blocks at the end, one by one: a call takes only so many arguments, and a sheet has a million rows. */
export const appendBlocks = (blocks: Block[], more: readonly Block[]): void => {
  for (const block of more) blocks.push(block);
};
