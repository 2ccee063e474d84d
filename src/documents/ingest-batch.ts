import { ApiError } from "../errors.ts";
import type { Principal } from "../http/endpoint.ts";
import { parseJson } from "../http/parse-json.ts";
import { problemDocument } from "../http/problem.ts";
import { createValidator } from "../http/validate.ts";
import { type BatchLine, batchLines } from "./batch-lines.ts";
import { ingestDocument } from "./ingest.ts";
import { readIngestRequest } from "./ingest-request.ts";
import type { IngestWork } from "./ingest-work.ts";
import { ingestBody } from "./schema.ts";

/** Longest line of a batch; a longer text goes to `/api/ingest`. */
export const MOST_LINE_BYTES = 32 * 1024 * 1024;
/** Lines under way at once: the next ones are analysed while the store commits a group, or tidies up. */
const MOST_LINES_AT_ONCE = 2_048;
/** Text of the lines under way at once; analysed, each character takes some ten bytes. */
const MOST_CHARACTERS_AT_ONCE = 8 * 1024 * 1024;
/** Answers kept for a client that sends its whole body before it reads; beyond, the body is left unread. */
const MOST_ANSWERS_UNREAD = 200_000;

const validate = createValidator(ingestBody);

export interface BatchCall {
  principal: Principal;
  body: ReadableStream<Uint8Array>;
  requestId: string;
  /** Of the request, for problem documents. */
  path: string;
  signal: AbortSignal;
}

/**
 * Stores each line of the body as a document, while the body still arrives; small texts are found when they are stored.
 * @returns NDJSON: for each line, as soon as it and those before it are stored or refused, its number with the
 *   document's id and the status `pending` that it was accepted with, or with the problem document
 */
export const ingestBatch = (work: IngestWork, call: BatchCall): ReadableStream<Uint8Array> => {
  const gone = new AbortController();
  const signal = AbortSignal.any([call.signal, gone.signal]);
  const encoder = new TextEncoder();
  let answers: string[] = [];
  let ended = false;
  let wakeReader = () => {};
  let wakeWriter = () => {};

  const answer = (line: object): void => {
    answers.push(`${JSON.stringify(line)}\n`);
    wakeReader();
  };

  const run = async (): Promise<void> => {
    const underWay = new Set<Promise<void>>();
    let characters = 0;
    /** When the answers so far are given: they keep the order of the lines. */
    let told = Promise.resolve();
    const mayGoOn = () =>
      underWay.size < MOST_LINES_AT_ONCE &&
      (characters < MOST_CHARACTERS_AT_ONCE || underWay.size === 0) &&
      answers.length < MOST_ANSWERS_UNREAD;
    try {
      for await (const read of batchLines(call.body, MOST_LINE_BYTES)) {
        signal.throwIfAborted();
        const length = read.text?.length ?? 0;
        characters += length;
        const stored = Promise.all([storeLine(work, call, read, signal), told])
          .then(([line]) => answer(line))
          .finally(() => {
            underWay.delete(stored);
            characters -= length;
            wakeWriter();
          });
        told = stored;
        underWay.add(stored);
        while (!mayGoOn() && !signal.aborted) {
          await new Promise<void>((resolve) => {
            wakeWriter = resolve;
          });
        }
      }
    } catch (error) {
      // What the body broke off with; the lines read before it are stored.
      await Promise.all(underWay);
      if (!signal.aborted) answer({ line: null, error: problemDocument(brokenBody(error), call.requestId, call.path) });
    }
    await Promise.all(underWay);
    ended = true;
    wakeReader();
  };

  signal.addEventListener("abort", () => {
    wakeReader();
    wakeWriter();
  });

  return new ReadableStream<Uint8Array>({
    start() {
      void run();
    },
    async pull(controller) {
      while (answers.length === 0 && !ended && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wakeReader = resolve;
        });
      }
      if (answers.length > 0) {
        const ready = answers.join("");
        answers = [];
        wakeWriter();
        controller.enqueue(encoder.encode(ready));
      } else {
        controller.close();
      }
    },
    cancel() {
      gone.abort(new DOMException("the client went away", "AbortError"));
    },
  });
};

const brokenBody = (error: unknown): ApiError =>
  new ApiError("malformed_body", "The body broke off. The lines answered so far are stored.", { cause: error });

const storeLine = async (
  work: IngestWork,
  call: BatchCall,
  { line, text }: BatchLine,
  signal: AbortSignal,
): Promise<object> => {
  try {
    if (text === null) {
      const mebibytes = MOST_LINE_BYTES / 1024 / 1024;
      throw new ApiError("document_too_large", `A line may hold ${mebibytes} MiB: send this document to /api/ingest.`);
    }
    const request = readIngestRequest(validate(parseJson(text)), null);
    const { source } = request;
    // A small text is written once, with all that makes it found, sooner than it could be put aside for later.
    const mode = source.kind === "text" && work.ingest.pipeline.isQuick(source) ? "bulk" : "later";
    const { document, unchanged } = await ingestDocument(work, call.principal, request, mode, signal);
    return { line, id: document.id, ...(unchanged ? { status: document.status, unchanged } : { status: "pending" }) };
  } catch (error) {
    return { line, error: problemDocument(error, call.requestId, call.path) };
  }
};
