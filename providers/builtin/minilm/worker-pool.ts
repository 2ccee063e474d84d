import { unlessAborted } from "../../../src/async/waiting.ts";
import { createWorkerPool as createPool } from "../../../src/async/worker-pool.ts";
import { messageOf } from "../../../src/domain/errors.ts";
import { ProviderError } from "../../contract.ts";
import type { WorkerThread } from "./worker-thread.ts";

export interface PoolOptions {
  /** Threads that run the model. */
  threads: number;
  /** Longest time from asking for a pass to its end, in milliseconds. */
  timeoutMs: number;
  /** Passes that may wait; more are refused. */
  maxWaiting: number;
  /** A thread that had nothing to do for this long is ended. */
  restMs: number;
  /** Starts a thread that has the model loaded. */
  start(): Promise<WorkerThread>;
  /** Called when the threads were ended because they had nothing to do. */
  onRest?(): void;
}

interface WorkerPool {
  /**
   * One forward pass; the sum of the hidden states. Urgent passes go before the others.
   * @throws ProviderError `aborted`, `timeout`, `rate_limited` (too many wait) or `bad_answer`, or what `start` throws
   */
  run(pieces: Int32Array, isUrgent: boolean, signal: AbortSignal): Promise<Float32Array>;
  /** Whether a thread has the model loaded. */
  isLoaded(): boolean;
  /** Resolves when a thread has the model loaded; starts one if none does. @throws what `start` throws */
  load(): Promise<void>;
  /** Ends the threads; waiting passes fail. Resolves when the threads are gone. */
  close(): Promise<void>;
}

const failure = (kind: ProviderError["kind"], message: string, cause?: unknown) =>
  new ProviderError("embedding", kind, message, { cause });

/** Threads that run the model. A pass that is not wanted any more ends by itself, one that takes too long with its thread. */
export const createWorkerPool = (options: PoolOptions): WorkerPool => {
  const { threads, timeoutMs, maxWaiting, restMs, start, onRest } = options;
  const pool = createPool<WorkerThread>({
    start,
    maxWorkers: threads,
    idleMs: restMs,
    maxWaiting,
    tooManyWait: () => failure("rate_limited", "too many texts are waiting for the built-in model: try again later"),
    closed: () => failure("unreachable", "the built-in model is shut down"),
    onRest: () => onRest?.(),
  });
  const closing = new AbortController();

  return {
    async run(pieces, isUrgent, signal) {
      const tooLong = new AbortController();
      let thread: WorkerThread | null = null;
      const timer = setTimeout(() => {
        tooLong.abort(failure("timeout", `the built-in model took longer than ${timeoutMs} ms`));
        void thread?.end();
      }, timeoutMs);
      const stop = AbortSignal.any([signal, tooLong.signal, closing.signal]);
      const pass = async (given: WorkerThread): Promise<Float32Array> => {
        stop.throwIfAborted();
        thread = given;
        return await given.run(pieces).finally(() => {
          thread = null;
        });
      };
      try {
        return await unlessAborted(pool.use(pass, stop, isUrgent ? "urgent" : "other"), stop);
      } catch (error) {
        if (error instanceof ProviderError) throw error;
        if (signal.aborted) throw failure("aborted", "the caller went away");
        throw failure("bad_answer", `the built-in model failed: ${messageOf(error)}`, error);
      } finally {
        clearTimeout(timer);
      }
    },
    isLoaded: pool.isReady,
    load: () => pool.makeReady(),
    async close() {
      closing.abort(failure("unreachable", "the built-in model is shut down"));
      await pool.close();
    },
  };
};
