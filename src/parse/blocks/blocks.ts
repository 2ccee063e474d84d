import type { FileProperties } from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";

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

/** Finds how deep list items are nested, one after the other, from where each begins. */
interface Indents {
  /**
   * @param at where the item begins; `step`: items that begin less than this apart are equally deep. @returns from 0
   */
  depthAt(at: number, step: number): number;
  /** The list has ended. */
  reset(): void;
}

export const createIndents = (): Indents => {
  const open: number[] = [];
  return {
    depthAt(at, step) {
      while (open.length > 1 && at < (open.at(-1) ?? 0) - step) open.pop();
      if (open.length === 0 || at > (open.at(-1) ?? 0) + step) open.push(at);
      return open.length - 1;
    },
    reset() {
      open.length = 0;
    },
  };
};

/** 422 `unreadable_file`: the file is broken, locked or asks for too much. */
export const unreadable = (detail: string, cause?: unknown): ApiError =>
  new ApiError("unreadable_file", detail, { cause });

/** 422 `no_text`: read, and nothing in it. */
export const noText = (detail: string, cause?: unknown): ApiError => new ApiError("no_text", detail, { cause });

/** 415 `unsupported_file_type`. */
export const unsupported = (detail: string): ApiError => new ApiError("unsupported_file_type", detail);

/** 413 `document_too_large`. */
export const tooLarge = (detail: string): ApiError => new ApiError("document_too_large", detail);

/** What a reviewer wrote, with the name; nothing for an empty comment. @param on what it is about, such as ` on B2` */
export const commentBlock = (author: string, text: string, on = ""): Block[] =>
  text === "" ? [] : [{ kind: "paragraph", text: `Comment${on}${author === "" ? "" : ` (${author})`}: ${text}` }];
