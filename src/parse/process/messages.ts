import type { ParsedFile } from "../../../providers/contract.ts";
import type { ErrorCode } from "../../domain/errors.ts";

/** What the parsing process is asked; the file's bytes are the frame's body. */
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

/** Told now and then before the answer: how long OCR has taken so far, in milliseconds. */
export interface ParseProgress {
  kind: "reading";
  ocrMs: number;
}

/** What it answers; the text is the frame's body in UTF-8. */
export type ParseAnswer =
  | { kind: "parsed"; file: Omit<ParsedFile, "text"> }
  | { kind: "failed"; code: ErrorCode; detail: string };
