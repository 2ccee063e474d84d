import type { FileToParse, PageReached, ParsedFile } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import type { Content } from "./blocks/blocks.ts";
import { noText, tooLarge, unreadable } from "./blocks/blocks.ts";
import { tidyTitle } from "./blocks/tidy-text.ts";
import { writeMarkdown } from "./blocks/write-markdown.ts";
import { isGzip, nameInGzip, type UnpackBudget, unpackGzip } from "./containers/zip.ts";
import { type DetectedFile, detectKind } from "./detect/detect-kind.ts";
import type { InnerFailure, InnerFile, ParseContext } from "./formats/context.ts";
import type { Ocr } from "./ocr/tesseract.ts";
import { readContent } from "./readers.ts";

export interface ParseOptions {
  /** Most bytes that may come out of containers, for the whole document. */
  maxUnpackedBytes: number;
  /** Most pages of a PDF. */
  maxPages: number;
  /** Most characters of the resulting text. */
  maxTextLength: number;
  ocr: Ocr | null;
  /** Called before each page of the file itself, not of files inside it. May be left out. */
  onPage?: (reached: PageReached) => void;
}

/** For example, a mail in an archive in a mail. */
const maxDepth = 4;
const maxInnerFiles = 1_000;
/** Characters of text that a file of any size may become. */
const freeTextLength = 2_000_000;
/** The fixtures reach 1.6 (a book). The empty cells of a sparse CSV, one byte each, become three characters. */
const maxCharactersPerByte = 16;

/**
 * Reads one file in this process without a time limit: for small, simple files and for the parsing process.
 * @throws ApiError 413, 415 or 422
 */
export const parseFile = async (file: FileToParse, options: ParseOptions): Promise<ParsedFile> => {
  const budget = { remainingBytes: options.maxUnpackedBytes };
  return await parseAtDepth(file, options, budget, 0, { count: 0 });
};

const parseAtDepth = async (
  file: FileToParse,
  options: ParseOptions,
  budget: UnpackBudget,
  depth: number,
  inner: { count: number },
): Promise<ParsedFile> => {
  if (file.bytes.length === 0) throw noText("The file is empty.");
  if (isGzip(file.bytes)) {
    if (depth >= maxDepth) throw unreadable("The file is compressed again and again.");
    const plain = { ...file, bytes: unpackGzip(file.bytes, budget), name: nameInGzip(file.name), mimeType: null };
    return { ...(await parseAtDepth(plain, options, budget, depth + 1, inner)), mimeType: "application/gzip" };
  }
  const context: ParseContext = {
    name: file.name,
    baseUrl: file.baseUrl ?? null,
    budget,
    maxPages: options.maxPages,
    ocr: options.ocr,
    onPage: (reached) => {
      if (depth === 0) options.onPage?.(reached);
    },
    readInner: async (innerFile) => {
      if (depth >= maxDepth) return { failure: "it lies too deep inside other files" };
      if (++inner.count > maxInnerFiles) return { failure: `the document holds more than ${maxInnerFiles} files` };
      return await unlessUnreadable(() => parseAtDepth(asFile(innerFile), options, budget, depth + 1, inner));
    },
  };
  const detected = await detectKind(file, budget);
  const content = await readSafely(detected, file.bytes, context);
  const { text, pages } = writeMarkdown(content.blocks);
  if (text.trim() === "") throw noText("The file holds no text.");
  if (text.length > options.maxTextLength) {
    throw tooLarge(`The file's text is longer than ${options.maxTextLength} characters. Split it.`);
  }
  checkGrowth(text.length, file.bytes.length + options.maxUnpackedBytes - budget.remainingBytes);
  return {
    title: tidyTitle(content.title),
    text,
    pages,
    mimeType: detected.mimeType,
    warnings: content.warnings.slice(0, 100),
    ...(content.properties === undefined ? {} : { properties: content.properties }),
  };
};

/**
 * Text may grow while it is read, mostly where the empty or merged cells of a table are written out. A small file must
 * not become a hundred megabytes of text.
 * @param bytes of the file and of what was unpacked from it
 * @throws ApiError 422
 */
const checkGrowth = (textLength: number, bytes: number): void => {
  if (textLength <= freeTextLength + maxCharactersPerByte * bytes) return;
  throw unreadable(
    `The file becomes ${textLength} characters of text, far more than it holds: its tables have too many empty or merged cells. Remove them, or split the tables.`,
  );
};

const asFile = (file: InnerFile): FileToParse => ({ bytes: file.bytes, name: file.name, mimeType: file.mimeType });

/** Any other error of a reader means that the file is broken, since limits throw errors of their own. */
const readSafely = async (detected: DetectedFile, bytes: Uint8Array, context: ParseContext): Promise<Content> => {
  try {
    return await readContent(detected, bytes, context);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw unreadable(`The file is broken: it could not be read as ${detected.mimeType}.`, cause);
  }
};

const unlessUnreadable = async (read: () => Promise<ParsedFile>): Promise<ParsedFile | InnerFailure> => {
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    return { failure: cause.message.replace(/\.$/, "") };
  }
};
