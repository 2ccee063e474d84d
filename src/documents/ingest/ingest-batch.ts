import { ApiError } from "../../domain/errors.ts";
import { problemDocument } from "../../http/problem.ts";
import { batchLines, type LineLimits } from "./batch-lines.ts";
import { type BatchUnit, storeUnit, type UnitCall, unitsOf } from "./batch-unit.ts";
import type { IngestWork } from "./ingest-work.ts";

/** Lines under way at once: the next ones are analyzed while the store commits a group, or tidies up. */
const MOST_LINES_AT_ONCE = 2_048;
/** Text of the lines under way at once; analyzed, each character takes some ten bytes. */
const MOST_CHARACTERS_AT_ONCE = 8 * 1024 * 1024;
/** Answers kept for a client that sends its whole body before it reads; beyond, the body is left unread. */
const MOST_ANSWERS_UNREAD = 200_000;

export interface BatchCall extends UnitCall, LineLimits {
  body: ReadableStream<Uint8Array>;
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
    let lines = 0;
    let characters = 0;
    /** When the answers so far are given: they keep the order of the lines. */
    let told = Promise.resolve();
    const mayGoOn = () =>
      lines < MOST_LINES_AT_ONCE &&
      (characters < MOST_CHARACTERS_AT_ONCE || underWay.size === 0) &&
      answers.length < MOST_ANSWERS_UNREAD;
    const begin = (unit: BatchUnit): void => {
      lines += unit.lines.length;
      characters += unit.characters;
      const stored = Promise.all([storeUnit(work, call, unit.lines, signal), told])
        .then(([answered]) => answered.forEach(answer))
        .finally(() => {
          underWay.delete(stored);
          lines -= unit.lines.length;
          characters -= unit.characters;
          for (const { bytes } of unit.lines) call.held.drop(bytes);
          wakeWriter();
        });
      told = stored;
      underWay.add(stored);
    };
    try {
      for await (const read of batchLines(call.body, call)) {
        for (const unit of unitsOf(read)) {
          signal.throwIfAborted();
          begin(unit);
          while (!mayGoOn() && !signal.aborted) {
            await new Promise<void>((resolve) => {
              wakeWriter = resolve;
            });
          }
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
