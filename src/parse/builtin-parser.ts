import type { Config } from "../../config/schema.ts";
import { type FileParser, type FileToParse, ProviderError } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import { tooLarge } from "./blocks/blocks.ts";
import { decodeText } from "./containers/charset.ts";
import type { TextKind } from "./detect/file-kind.ts";
import { detectTextKind } from "./detect/text-kind.ts";
import { createTesseractLookup } from "./ocr/tesseract.ts";
import { parseFile } from "./parse-file.ts";
import { createWorkerPool } from "./process/worker-pool.ts";
import { createUnstructuredParser } from "./unstructured/parser.ts";

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

/** Errors that another parser may not have: an unknown type, a scan without OCR, a file that crashes the parser. */
const isWorthAnotherParser = (error: unknown): boolean =>
  error instanceof ApiError
    ? error.code === "unsupported_file_type" || error.code === "no_text"
    : error instanceof ProviderError && error.kind === "bad_answer";

/** The parser does not answer now; it might have read the file. */
const isUnavailable = (error: unknown): boolean => error instanceof ProviderError && error.kind !== "bad_answer";

/**
 * Two parsers as one: files that the first cannot read go to the second. If that fails too, the built-in parser's error
 * is thrown, because it says best what to do. If the second is unavailable, that is thrown: it might have read the
 * file.
 */
export const createFileParser = (first: FileParser, second: FileParser, builtin: FileParser): FileParser => ({
  async parse(file, signal, onPage) {
    try {
      return await first.parse(file, signal, onPage);
    } catch (error) {
      if (!isWorthAnotherParser(error)) throw error;
      try {
        return await second.parse(file, signal, onPage);
      } catch (other) {
        if (isUnavailable(other)) throw other;
        throw second === builtin ? other : error;
      }
    }
  },
});

type ServerName = Exclude<Config["parser"]["provider"], "builtin">;
type CreateServerParser = (settings: Config["parser"], baseUrl: string, concurrency: number) => FileParser;

/**
 * The parser servers that the configuration can name. As in src/models/registry.ts, the type checks the names here and
 * in config/schema.ts against each other.
 */
const parserServers: Record<ServerName, CreateServerParser> = { unstructured: createUnstructuredParser };

/** The server that reads what the built-in parser cannot, if `parser.baseUrl` is set beside `provider: builtin`. */
const secondParser: ServerName = "unstructured";

/** What reads files: the built-in parser, a parser server, or both in the configured order. */
export const createConfiguredParser = (config: Pick<Config, "parser" | "ingest">, builtin: FileParser): FileParser => {
  const { provider, baseUrl } = config.parser;
  if (baseUrl === null) return builtin;
  const create = parserServers[provider === "builtin" ? secondParser : provider];
  const server = create(config.parser, baseUrl, config.ingest.concurrency);
  return provider === "builtin"
    ? createFileParser(builtin, server, builtin)
    : createFileParser(server, builtin, builtin);
};

/** Plain text of this size is read in a few milliseconds. */
const maxTextBytes = 131_072;
const maxTableBytes = 32_768;
/** Empty cells included. */
const maxTableCells = 20_000;
const binaryMarks = [
  "%PDF-",
  "PK\u0003\u0004",
  "\u00d0\u00cf\u0011\u00e0",
  "\u001f\u008b\b",
  "\0",
  "\u0089PNG",
  "\u00ff\u00d8\u00ff",
  "GIF8",
];

/** Whether a file is small and its reader takes bounded time: such a file is read in the server's process. */
export const isLightFile = (file: FileToParse): boolean => {
  if (file.bytes.length > maxTextBytes) return false;
  const head = new TextDecoder("latin1").decode(file.bytes.subarray(0, 1024));
  if (binaryMarks.some((mark) => head.includes(mark))) return false;
  const mimeType = file.mimeType?.split(";")[0]?.trim().toLowerCase() ?? null;
  const decoded = decodeText(file.bytes, file.charset ?? null);
  // Parsers of data and markup may read far before they find that it is neither.
  if (/^\s*[[{<]/.test(decoded.text)) return false;
  return decoded.isText && isLightText(decoded.text, detectTextKind(decoded.text, mimeType, file.name));
};

const isLightText = (text: string, kind: TextKind): boolean => {
  if (kind === "text" || kind === "markdown") return true;
  return (kind === "csv" || kind === "tsv") && text.length <= maxTableBytes && maxCellsOf(text) <= maxTableCells;
};

/** An upper bound: the lines, times the most cells in one of them, for any delimiter. */
const maxCellsOf = (text: string): number => {
  let lines = 1;
  let most = 1;
  let inLine = 1;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === "\n" || sign === "\r") {
      lines++;
      inLine = 1;
    } else if (",;\t|".includes(sign)) most = Math.max(most, ++inLine);
  }
  return lines * most;
};
