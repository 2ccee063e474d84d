import type { FileParser } from "../../providers/contract.ts";
import { tooLarge } from "./blocks/blocks.ts";
import { isLightFile } from "./light-file.ts";
import { createTesseractLookup } from "./ocr/tesseract.ts";
import { parseFile } from "./parse-file.ts";
import { createWorkerPool } from "./process/worker-pool.ts";

export interface BuiltinParserOptions {
  /** Limit for one file. */
  timeoutMs: number;
  /** Most memory the parsing process may hold. */
  maxMemoryBytes: number;
  /** Largest file, and most characters of its text. */
  maxDocumentBytes: number;
  /** Most pages of a PDF; 5,000 unless given. */
  maxPages?: number;
  /** Program and arguments that run `runParseWorker`; see `ownCommand`. */
  workerCommand: readonly string[];
  /** Most parsing processes at once; 2 unless given. */
  maxWorkers?: number;
  /** Files that may wait for a process; 256 unless given. */
  maxWaiting?: number;
  /** An idle process ends after this; 30 s unless given. */
  idleMs?: number;
  /** Tesseract's names of the languages of scans; `["eng"]` unless given. */
  ocrLanguages?: readonly string[];
  /** Longest time for the pictures of one file, besides `timeoutMs`; half an hour unless given. */
  ocrTimeoutMs?: number;
  /** Path of the `tesseract` program, null for none; looked for on the PATH unless given. */
  ocrProgram?: string | null;
}

const maxUnpackedBytes = 256 * 1_048_576;
const maxFilesPerWorker = 100;
const defaultMaxPages = 5_000;
const defaultOcrTimeoutMs = 1_800_000;

/**
 * The parser that needs no server. Light text is read in this process; everything else in a process of its own, with
 * limits of time and memory, so that a malicious file harms nothing but itself.
 */
export const createBuiltinParser = (options: BuiltinParserOptions): FileParser & { close(): Promise<void> } => {
  const { ocrProgram } = options;
  const ocrProgramNow = ocrProgram === undefined ? createTesseractLookup() : () => ocrProgram;
  const ocrNow = () => {
    const program = ocrProgramNow();
    return program === null
      ? null
      : { program, languages: options.ocrLanguages ?? ["eng"], timeoutMs: Math.ceil(options.timeoutMs / 2) };
  };
  const pool = createWorkerPool({
    command: options.workerCommand,
    timeoutMs: options.timeoutMs,
    ocrTimeoutMs: options.ocrTimeoutMs ?? defaultOcrTimeoutMs,
    maxMemoryBytes: options.maxMemoryBytes,
    maxTextLength: options.maxDocumentBytes,
    maxWorkers: options.maxWorkers ?? 2,
    maxWaiting: options.maxWaiting ?? 256,
    maxFilesPerWorker,
    idleMs: options.idleMs ?? 30_000,
  });
  return {
    async parse(file, signal, onPage) {
      signal.throwIfAborted();
      if (file.bytes.length > options.maxDocumentBytes) {
        throw tooLarge(`The file is larger than ${options.maxDocumentBytes} bytes (ingest.maxDocumentBytes).`);
      }
      const maxPages = options.maxPages ?? defaultMaxPages;
      const limits = { maxUnpackedBytes, maxPages, maxTextLength: options.maxDocumentBytes };
      if (isLightFile(file)) return await parseFile(file, { ...limits, ocr: null });
      const { name, mimeType, baseUrl = null, charset = null } = file;
      return await pool.parse(file, { name, mimeType, baseUrl, charset, ...limits, ocr: ocrNow() }, signal, onPage);
    },
    close: () => pool.close(),
  };
};
