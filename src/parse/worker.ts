import { writeSync } from "node:fs";
import type { PageReached } from "../../providers/contract.ts";
import { ApiError } from "../domain/errors.ts";
import { readFrames, writeFrame } from "../system/child-process.ts";
import { endWithParent } from "../system/libc.ts";
import { createOcr, type Ocr } from "./ocr/tesseract.ts";
import { parseFile } from "./parse-file.ts";
import type { ParseAnswer, ParseProgress, ParseRequest } from "./process/worker-pool.ts";

/** The server refuses larger files earlier. */
const maxFileBytes = 2 ** 31;
/** Collecting garbage costs more than reading a page: it is done after large files, and after many small ones. */
const bytesBetweenCollections = 1_048_576;

/**
 * The parsing process: reads files from standard input one after the other, answers on standard output, and ends when
 * standard input does. It is separate from the server, so that a malicious file can only end its own process.
 */
export const runParseWorker = async (): Promise<never> => {
  endWithParent();
  // Standard output carries the answers, so libraries must not print to it.
  for (const method of ["log", "info", "debug", "warn", "error", "trace"] as const) console[method] = () => {};
  let bytesSinceCollection = 0;
  for await (const { head, body } of readFrames(Bun.stdin.stream() as AsyncIterable<Uint8Array>, maxFileBytes)) {
    const answer = await answerTo(head as ParseRequest, body);
    writeAll(writeFrame(answer.answer, answer.body));
    bytesSinceCollection += body.length + answer.body.length;
    if (bytesSinceCollection < bytesBetweenCollections) continue;
    Bun.gc(true);
    bytesSinceCollection = 0;
  }
  process.exit(0);
};

const answerTo = async (
  request: ParseRequest,
  bytes: Uint8Array,
): Promise<{ answer: ParseAnswer; body: Uint8Array }> => {
  try {
    const { text, ...file } = await parseFile(
      { ...request, bytes },
      { ...request, ocr: request.ocr ? withProgress(createOcr(request.ocr)) : null, onPage: atIntervals(sendPage) },
    );
    return { answer: { kind: "parsed", file }, body: new TextEncoder().encode(text) };
  } catch (cause) {
    const known = cause instanceof ApiError;
    const code = known ? cause.code : "unreadable_file";
    const detail = known ? cause.message : "The file is broken.";
    return { answer: { kind: "failed", code, detail }, body: new Uint8Array() };
  }
};

/**
 * The same OCR, which reports after each picture the time that OCR has taken so far: that time has a limit of its own.
 */
const withProgress = (ocr: Ocr): Ocr => {
  let ocrMs = 0;
  return {
    async read(picture) {
      const began = performance.now();
      try {
        return await ocr.read(picture);
      } finally {
        ocrMs += performance.now() - began;
        writeAll(writeFrame({ kind: "reading", ocrMs } satisfies ParseProgress));
      }
    },
  };
};

/** The shortest time between two reports: more of them nobody could follow. */
const pageIntervalMs = 250;

/** Leaves out pages that come soon after another one; never the first and the last. */
const atIntervals = (send: (reached: PageReached) => void) => {
  let sentAt = Number.NEGATIVE_INFINITY;
  return (reached: PageReached): void => {
    const now = performance.now();
    if (now - sentAt < pageIntervalMs && reached.page < reached.pages) return;
    sentAt = now;
    send(reached);
  };
};

const sendPage = (reached: PageReached): void =>
  writeAll(writeFrame({ kind: "page", ...reached } satisfies ParseProgress));

const writeAll = (bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "EAGAIN")) process.exit(1);
    }
  }
};
