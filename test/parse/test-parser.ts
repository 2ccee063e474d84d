import { resolve } from "node:path";
import type { ParsedFile } from "../../providers/contract.ts";
import { ApiError } from "../../src/domain/errors.ts";
import { type BuiltinParserOptions, createBuiltinParser } from "../../src/parse/builtin-parser.ts";
import { type ParseOptions, parseFile } from "../../src/parse/parse-file.ts";

export const workerCommand = [process.execPath, resolve(import.meta.dir, "worker-entry.ts")];

/** A parser with a real parsing process and no OCR program, whatever this machine has. */
export const testParser = (options: Partial<BuiltinParserOptions> = {}) =>
  createBuiltinParser({
    timeoutMs: 60_000,
    maxMemoryBytes: 1_073_741_824,
    maxDocumentBytes: 104_857_600,
    workerCommand,
    ocrProgram: null,
    ...options,
  });

export const never = new AbortController().signal;

/** Reads in this process. */
export const parseBytes = (
  content: Uint8Array | string,
  file: { name?: string; mimeType?: string; baseUrl?: string; charset?: string } = {},
  options: Partial<ParseOptions> = {},
): Promise<ParsedFile> =>
  parseFile(
    {
      bytes: typeof content === "string" ? new TextEncoder().encode(content) : content,
      name: file.name ?? null,
      mimeType: file.mimeType ?? null,
      baseUrl: file.baseUrl ?? null,
      charset: file.charset ?? null,
    },
    { maxUnpackedBytes: 50_000_000, maxPages: 5_000, maxTextLength: 10_000_000, ocr: null, ...options },
  );

/** The error's code, status and text; `none` where there was no error. */
export const failureOf = async (work: Promise<unknown>): Promise<{ code: string; status: number; detail: string }> => {
  const error = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error === null) return { code: "none", status: 0, detail: "" };
  if (!(error instanceof ApiError)) throw error;
  return { code: error.code, status: error.status, detail: error.message };
};
