import type { PageReached, ParsedFile } from "../../../providers/contract.ts";
import type { ErrorCode } from "../../domain/errors.ts";

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
