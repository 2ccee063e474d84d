import { readFileSync } from "node:fs";
import { type FileToParse, type PageReached, type ParsedFile, ProviderError } from "../../../providers/contract.ts";
import { createWorkerPool as createPool, type PooledWorker } from "../../async/worker-pool.ts";
import { ApiError, type ErrorCode, errorTable } from "../../domain/errors.ts";
import { type Frame, killChild, readFrames, startChild, writeFrame } from "../../system/child-process.ts";
import { unreadable } from "../blocks/blocks.ts";

interface WorkerPoolOptions extends WorkerLimits {
  /** Program and arguments of the parsing process. */
  command: readonly string[];
  /** Most processes at once. */
  maxWorkers: number;
  /** Further files are refused with 503. */
  maxWaiting: number;
  /** A process is replaced after this many files, which frees what libraries leaked. */
  maxFilesPerWorker: number;
  /** An idle process ends after this. */
  idleMs: number;
}

interface WorkerPool {
  /** @throws ApiError, ProviderError where no process can be started, the signal's reason when it fired */
  parse: ParseInProcess;
  /** Ends every process; files that are being read fail. */
  close(): Promise<void>;
}

/** Parsing processes, started when needed, reused, and ended when idle. */
export const createWorkerPool = (options: WorkerPoolOptions): WorkerPool => {
  const { command, maxWorkers, maxWaiting, maxFilesPerWorker, idleMs } = options;
  const pool = createPool<WorkerProcess>({
    start() {
      try {
        return startWorkerProcess(command, options);
      } catch (cause) {
        throw new ProviderError("parser", "unreachable", "The parsing process could not be started.", { cause });
      }
    },
    maxWorkers,
    maxWorks: maxFilesPerWorker,
    idleMs,
    maxWaiting,
    tooManyWait: () =>
      new ApiError("overloaded", "Too many files are waiting to be read. Try again later.", {
        headers: { "Retry-After": "10" },
      }),
    closed: () => new ApiError("draining", "The server is stopping."),
  });
  return {
    parse: (file, request, signal, onPage) => pool.use((worker) => worker.parse(file, request, signal, onPage), signal),
    close: pool.close,
  };
};

interface WorkerLimits extends WatchedLimits {
  maxTextLength: number;
}

/** Has a file read by a parsing process. @param onPage called while a file with pages is read */
type ParseInProcess = (
  file: FileToParse,
  request: ParseRequest,
  signal: AbortSignal,
  onPage?: (reached: PageReached) => void,
) => Promise<ParsedFile>;

/** One parsing process. It reads one file at a time and is killed after any failure but an error it answered with. */
interface WorkerProcess extends PooledWorker {
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

/**
 * Memory of a process and its children together, in bytes; of the process alone where the system does not list
 * children.
 */
const residentBytesOfAll = (pid: number): number => {
  let children: string[] = [];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];
  } catch {
    // The process has ended, or the kernel was built without the list.
  }
  return children.reduce((sum, child) => sum + residentBytes(Number(child)), residentBytes(pid));
};

/** Memory a process holds, in bytes (proc(5), VmRSS); 0 if the process has ended or the system does not say. */
export const residentBytes = (pid: number): number => {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kibibytes ?? "0") * 1024;
  } catch {
    return 0;
  }
};

const memoryCheckMs = 50;

interface WatchedLimits {
  timeoutMs: number;
  /** Additional time for OCR. */
  ocrTimeoutMs: number;
  maxMemoryBytes: number;
}

interface LimitWatch {
  /** Gives the reading more time for its pictures, up to `ocrTimeoutMs`. */
  grant(ocrMs: number): void;
  end(): void;
}

/** Watches the time and the memory of a process that reads a file. @param onExceeded may be called more than once */
const watchLimits = (
  pid: number,
  { timeoutMs, ocrTimeoutMs, maxMemoryBytes }: WatchedLimits,
  onExceeded: (error: ApiError) => void,
): LimitWatch => {
  const began = performance.now();
  let grantedMs = 0;
  const expire = () => onExceeded(tookTooLong(timeoutMs, grantedMs));
  let timer = setTimeout(expire, timeoutMs);
  const memory = setInterval(() => {
    if (residentBytesOfAll(pid) > maxMemoryBytes) onExceeded(needsTooMuchMemory(maxMemoryBytes));
  }, memoryCheckMs);
  return {
    grant(ocrMs) {
      clearTimeout(timer);
      grantedMs = Math.round(Math.min(ocrMs, ocrTimeoutMs));
      timer = setTimeout(expire, began + timeoutMs + grantedMs - performance.now());
    },
    end() {
      clearTimeout(timer);
      clearInterval(memory);
    },
  };
};

const tookTooLong = (timeoutMs: number, grantedMs: number): ApiError =>
  new ApiError(
    "parser_timeout",
    grantedMs === 0
      ? `The file took longer than ${timeoutMs} ms to read.`
      : `The file took longer than ${timeoutMs} ms to read, besides the ${grantedMs} ms that its pictures may take.`,
  );

const needsTooMuchMemory = (maxMemoryBytes: number): ApiError =>
  unreadable(`Reading the file needs too much memory (more than ${Math.round(maxMemoryBytes / 1_048_576)} MiB).`);

/** A request to the parsing process; the frame's body holds the file's bytes. */
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

/**
 * Sent before the answer: after each picture how long OCR has taken so far, in milliseconds; and from time to time
 * which page is being read.
 */
export type ParseProgress = { kind: "reading"; ocrMs: number } | ({ kind: "page" } & PageReached);

/** The answer; the frame's body holds the text in UTF-8. */
export type ParseAnswer =
  | { kind: "parsed"; file: Omit<ParsedFile, "text"> }
  | { kind: "failed"; code: ErrorCode; detail: string };

// What a parsing process sends is checked, because a malicious file may have taken over the process.

/** @throws ApiError that the process answered with; Error for what is no answer */
const parsedFileOf = ({ head, body }: Frame): ParsedFile => {
  const answer = head as ParseAnswer;
  if (answer.kind === "parsed") return { ...answer.file, text: new TextDecoder().decode(body) };
  if (answer.kind === "failed" && answer.code in errorTable) throw new ApiError(answer.code, String(answer.detail));
  throw new Error("The parsing process sent an unknown answer.");
};

/** Passes on pages that can be true, each once. */
const ascendingPages = (maxPages: number, onPage: (reached: PageReached) => void = () => {}) => {
  let last = 0;
  return ({ page, pages }: PageReached): void => {
    if (!Number.isInteger(page) || !Number.isInteger(pages) || page <= last || page > pages || pages > maxPages) return;
    last = page;
    onPage({ page, pages });
  };
};
