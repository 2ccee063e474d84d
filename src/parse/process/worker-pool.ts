import { ProviderError } from "../../../providers/contract.ts";
import { createTurns } from "../../async/turns.ts";
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
  const turns = createTurns({ concurrency: options.maxWorkers, maxWaiting: options.maxWaiting, tooManyWait });
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
      const endTurn = await turns.take("", signal);
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
        endTurn();
      }
    },
    async close() {
      isClosed = true;
      idle.killAll();
      for (const worker of busy) worker.kill();
    },
  };
};

const tooManyWait = (): ApiError =>
  new ApiError("overloaded", "Too many files are waiting to be read. Try again later.", {
    headers: { "Retry-After": "10" },
  });

/** A process with the number of files that it has read. */
interface UsedWorker {
  worker: WorkerProcess;
  files: number;
}

/** Processes without work. Each ends after a time. */
interface IdleWorkers {
  /** The process that was used last, if one is alive. */
  take(): UsedWorker | null;
  add(used: UsedWorker): void;
  killAll(): void;
}

const createIdleWorkers = (idleMs: number): IdleWorkers => {
  const idle: (UsedWorker & { timer: ReturnType<typeof setTimeout> })[] = [];
  return {
    take() {
      for (let last = idle.pop(); last; last = idle.pop()) {
        clearTimeout(last.timer);
        if (last.worker.isAlive) return last;
      }
      return null;
    },
    add({ worker, files }) {
      const timer = setTimeout(() => {
        const at = idle.findIndex((each) => each.worker === worker);
        if (at >= 0) idle.splice(at, 1);
        worker.kill();
      }, idleMs);
      timer.unref();
      idle.push({ worker, files, timer });
    },
    killAll() {
      for (const { worker, timer } of idle.splice(0)) {
        clearTimeout(timer);
        worker.kill();
      }
    },
  };
};
