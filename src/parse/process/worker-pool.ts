import { ProviderError } from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";
import { type ParseInProcess, startWorkerProcess, type WorkerLimits, type WorkerProcess } from "./worker-process.ts";

export interface WorkerPoolOptions extends WorkerLimits {
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

export interface WorkerPool {
  /** @throws ApiError, ProviderError where no process can be started, the signal's reason when it fired */
  parse: ParseInProcess;
  /** Ends every process; files that are being read fail. */
  close(): Promise<void>;
}

interface Idle {
  worker: WorkerProcess;
  files: number;
  timer: ReturnType<typeof setTimeout>;
}

/** Parsing processes, started when needed, reused, and ended when idle. */
export const createWorkerPool = (options: WorkerPoolOptions): WorkerPool => {
  const idle: Idle[] = [];
  const busy = new Set<WorkerProcess>();
  const waiting: (() => void)[] = [];
  let places = options.maxWorkers;
  let isClosed = false;

  const takePlace = (signal: AbortSignal): Promise<void> | undefined => {
    if (places > 0) {
      places--;
      return undefined;
    }
    if (waiting.length >= options.maxWaiting) {
      throw new ApiError("overloaded", "Too many files are waiting to be read. Try again later.", {
        headers: { "Retry-After": "10" },
      });
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const onAbort = () => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.push(turn);
    });
  };

  const givePlace = () => {
    const next = waiting.shift();
    if (next) next();
    else places++;
  };

  const takeWorker = (): { worker: WorkerProcess; files: number } => {
    for (let resting = idle.pop(); resting; resting = idle.pop()) {
      clearTimeout(resting.timer);
      if (resting.worker.isAlive) return resting;
    }
    try {
      return { worker: startWorkerProcess(options.command, options), files: 0 };
    } catch (cause) {
      throw new ProviderError("parser", "unreachable", "The parsing process could not be started.", { cause });
    }
  };

  const putBack = (worker: WorkerProcess, files: number) => {
    if (isClosed || files >= options.maxFilesPerWorker) worker.kill();
    if (!worker.isAlive) return;
    const timer = setTimeout(() => {
      const at = idle.findIndex((resting) => resting.worker === worker);
      if (at >= 0) idle.splice(at, 1);
      worker.kill();
    }, options.idleMs);
    timer.unref();
    idle.push({ worker, files, timer });
  };

  return {
    async parse(file, request, signal, onPage) {
      if (isClosed) throw new ApiError("draining", "The server is stopping.");
      signal.throwIfAborted();
      await takePlace(signal);
      try {
        const { worker, files } = takeWorker();
        busy.add(worker);
        try {
          return await worker.parse(file, request, signal, onPage);
        } finally {
          busy.delete(worker);
          putBack(worker, files + 1);
        }
      } finally {
        givePlace();
      }
    },
    async close() {
      isClosed = true;
      for (const { worker, timer } of idle.splice(0)) {
        clearTimeout(timer);
        worker.kill();
      }
      for (const worker of busy) worker.kill();
    },
  };
};
