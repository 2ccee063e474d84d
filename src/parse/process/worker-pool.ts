import { ProviderError } from "../../../providers/contract.ts";
import { ApiError } from "../../domain/errors.ts";
import { createIdleWorkers, type UsedWorker } from "./idle-workers.ts";
import { createPlaces } from "./places.ts";
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

/** Parsing processes, started when needed, reused, and ended when idle. */
export const createWorkerPool = (options: WorkerPoolOptions): WorkerPool => {
  const places = createPlaces(options.maxWorkers, options.maxWaiting);
  const idle = createIdleWorkers(options.idleMs);
  const busy = new Set<WorkerProcess>();
  let isClosed = false;

  const start = (): UsedWorker => {
    try {
      return { worker: startWorkerProcess(options.command, options), files: 0 };
    } catch (cause) {
      throw new ProviderError("parser", "unreachable", "The parsing process could not be started.", { cause });
    }
  };

  const putBack = (used: UsedWorker): void => {
    if (isClosed || used.files >= options.maxFilesPerWorker) used.worker.kill();
    if (used.worker.isAlive) idle.add(used);
  };

  return {
    async parse(file, request, signal, onPage) {
      if (isClosed) throw new ApiError("draining", "The server is stopping.");
      signal.throwIfAborted();
      await places.take(signal);
      try {
        const { worker, files } = idle.take() ?? start();
        busy.add(worker);
        try {
          return await worker.parse(file, request, signal, onPage);
        } finally {
          busy.delete(worker);
          putBack({ worker, files: files + 1 });
        }
      } finally {
        places.giveBack();
      }
    },
    async close() {
      isClosed = true;
      idle.killAll();
      for (const worker of busy) worker.kill();
    },
  };
};
