import { ProviderError } from "../../../providers/contract.ts";
import { createWorkerPool as createPool } from "../../async/worker-pool.ts";
import { ApiError } from "../../domain/errors.ts";
import { type ParseInProcess, startWorkerProcess, type WorkerLimits, type WorkerProcess } from "./worker-process.ts";

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

export interface WorkerPool {
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
