import type { FileToParse, PageReached, ParsedFile } from "../../../providers/contract.ts";
import type { PooledWorker } from "../../async/worker-pool.ts";
import { ApiError } from "../../domain/errors.ts";
import { type Frame, readFrames, writeFrame } from "../../system/frames.ts";
import { killChild, startChild } from "../../system/start-child.ts";
import { unreadable } from "../blocks/failure.ts";
import { ascendingPages, type ParseAnswer, type ParseProgress, type ParseRequest, parsedFileOf } from "./messages.ts";
import { type WatchedLimits, watchLimits } from "./watch-limits.ts";

export interface WorkerLimits extends WatchedLimits {
  maxTextLength: number;
}

/** Has a file read by a parsing process. @param onPage called while a file with pages is read */
export type ParseInProcess = (
  file: FileToParse,
  request: ParseRequest,
  signal: AbortSignal,
  onPage?: (reached: PageReached) => void,
) => Promise<ParsedFile>;

/** One parsing process. It reads one file at a time and is killed after any failure but an error it answered with. */
export interface WorkerProcess extends PooledWorker {
  readonly pid: number;
  /** @throws ApiError; the signal's reason when it fired (the process is killed then) */
  parse: ParseInProcess;
}

const niceness = 10;
const bytesPerCharacter = 4;
/** Where tesseract finds its languages and libraries. */
const passedEnvironment = ["TESSDATA_PREFIX", "LD_LIBRARY_PATH"];

export const startWorkerProcess = (command: readonly string[], limits: WorkerLimits): WorkerProcess => {
  const child = startChild({ command, environment: { passed: passedEnvironment, set: {} }, niceness });
  const frames = readFrames(child.stdout as AsyncIterable<Uint8Array>, limits.maxTextLength * bytesPerCharacter);
  let isAlive = true;
  const kill = () => {
    isAlive = false;
    killChild(child);
  };
  child.exited.then(() => {
    isAlive = false;
  });

  const exchange = async (
    request: ParseRequest,
    bytes: Uint8Array,
    grant: (ocrMs: number) => void,
    onPage: (reached: PageReached) => void,
  ): Promise<Frame> => {
    child.stdin.write(writeFrame(request, bytes));
    await child.stdin.flush();
    for (;;) {
      const next = await frames.next();
      if (next.done) throw new Error("The parsing process ended.");
      const head = next.value.head as ParseProgress | ParseAnswer;
      if (head.kind === "reading") {
        if (Number.isFinite(head.ocrMs) && request.ocr !== null) grant(head.ocrMs);
      } else if (head.kind === "page") onPage(head);
      else return next.value;
    }
  };

  return {
    pid: child.pid,
    get isAlive() {
      return isAlive;
    },
    end: kill,
    parse(file, request, signal, onPage) {
      return new Promise((resolve, reject) => {
        const stop = (error: unknown) => {
          kill();
          reject(error);
        };
        const onAbort = () => stop(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        const watch = watchLimits(child.pid, limits, stop);
        exchange(request, file.bytes, watch.grant, ascendingPages(request.maxPages, onPage))
          .then(parsedFileOf)
          .then(resolve, (error: unknown) => {
            if (!(error instanceof ApiError))
              stop(unreadable("The file is broken: reading it ended the parser.", error));
            else reject(error);
          })
          .finally(() => {
            watch.end();
            signal.removeEventListener("abort", onAbort);
          });
      });
    },
  };
};
