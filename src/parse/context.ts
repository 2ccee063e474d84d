import type { PageReached, ParsedFile } from "../../providers/contract.ts";
import type { UnpackBudget } from "./containers/zip.ts";
import type { Ocr } from "./ocr/tesseract.ts";

/** What a format's reader gets besides the bytes. */
export interface ParseContext {
  name: string | null;
  /** Links are resolved against it. */
  baseUrl: string | null;
  budget: UnpackBudget;
  /** Most pages of a PDF. */
  maxPages: number;
  /** The `tesseract` program, or null where it is not installed. */
  ocr: Ocr | null;
  /** To be called before a page is read, where the format has pages that take a while. */
  onPage(reached: PageReached): void;
  /**
   * Reads a file inside this one, such as an attachment; null where it holds nothing that can be read, with the reason.
   * Depth and number of files inside one document are bounded.
   */
  readInner(file: InnerFile): Promise<ParsedFile | InnerFailure>;
}

export interface InnerFile {
  bytes: Uint8Array;
  name: string | null;
  mimeType: string | null;
}

/** Why a file inside another gave no text. */
export interface InnerFailure {
  failure: string;
}
