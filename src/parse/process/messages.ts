import type { PageReached, ParsedFile } from "../../../providers/contract.ts";
import { ApiError, type ErrorCode, errorTable } from "../../domain/errors.ts";
import type { Frame } from "../../system/frames.ts";

/** A request to the parsing process; the frame's body holds the file's bytes. */
export interface ParseRequest {
  name: string | null;
  mimeType: string | null;
  baseUrl: string | null;
  charset: string | null;
  maxUnpackedBytes: number;
  maxPages: number;
  maxTextLength: number;
  ocr: { program: string; languages: readonly string[]; timeoutMs: number } | null;
}

/**
 * Sent before the answer: after each picture how long OCR has taken so far, in milliseconds; and from time to time
 * which page is being read.
 */
export type ParseProgress = { kind: "reading"; ocrMs: number } | ({ kind: "page" } & PageReached);

/** The answer; the frame's body holds the text in UTF-8. */
export type ParseAnswer =
  | { kind: "parsed"; file: Omit<ParsedFile, "text"> }
  | { kind: "failed"; code: ErrorCode; detail: string };

// What a parsing process sends is checked, because a malicious file may have taken over the process.

/** @throws ApiError that the process answered with; Error for what is no answer */
export const parsedFileOf = ({ head, body }: Frame): ParsedFile => {
  const answer = head as ParseAnswer;
  if (answer.kind === "parsed") return { ...answer.file, text: new TextDecoder().decode(body) };
  if (answer.kind === "failed" && answer.code in errorTable) throw new ApiError(answer.code, String(answer.detail));
  throw new Error("The parsing process sent an unknown answer.");
};

/** Passes on pages that can be true, each once. */
export const ascendingPages = (maxPages: number, onPage: (reached: PageReached) => void = () => {}) => {
  let last = 0;
  return ({ page, pages }: PageReached): void => {
    if (!Number.isInteger(page) || !Number.isInteger(pages) || page <= last || page > pages || pages > maxPages) return;
    last = page;
    onPage({ page, pages });
  };
};
