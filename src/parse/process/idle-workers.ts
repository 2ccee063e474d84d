import type { WorkerProcess } from "./worker-process.ts";

/** A process with the number of files that it has read. */
export interface UsedWorker {
  worker: WorkerProcess;
  files: number;
}

/** Processes without work. Each ends after a time. */
export interface IdleWorkers {
  /** The process that was used last, if one is alive. */
  take(): UsedWorker | null;
  add(used: UsedWorker): void;
  killAll(): void;
}

export const createIdleWorkers = (idleMs: number): IdleWorkers => {
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
