import { drop, failure, failureOf, type Pass, settle } from "./pass.ts";
import type { WorkerThread } from "./worker-thread.ts";

export interface PoolOptions {
  /** Threads that run the model. */
  threads: number;
  /** Longest time from asking for a pass to its end, in milliseconds. */
  timeoutMs: number;
  /** Passes that may wait; more are refused. */
  maxWaiting: number;
  /** Threads that had nothing to do for this long are ended. */
  restMs: number;
  /** Starts a thread that has the model loaded. */
  start(): Promise<WorkerThread>;
  /** Called when the threads were ended because they had nothing to do. */
  onRest?(): void;
}

export interface WorkerPool {
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

/** Threads that run the model, each started when there is work for it, and the queue before them. */
export const createWorkerPool = (options: PoolOptions): WorkerPool => {
  const { threads, timeoutMs, maxWaiting, restMs, onRest } = options;
  const urgentPasses: Pass[] = [];
  const otherPasses: Pass[] = [];
  /** Seats without work; null: its thread is not started. */
  let idle: (WorkerThread | null)[] = new Array(threads).fill(null);
  const busy = new Map<Pass, WorkerThread>();
  let loading: Promise<void> | null = null;
  /** Threads that are loading the model. */
  const starting = new Set<Promise<void>>();
  let resting: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;

  const isAlive = (seat: WorkerThread | null): seat is WorkerThread => seat?.alive() ?? false;
  const isLoaded = (): boolean => busy.size > 0 || idle.some(isAlive);

  const start = async (): Promise<WorkerThread> => {
    const thread = options.start();
    const started = thread.then(() => undefined);
    const ended = started.catch(() => undefined);
    starting.add(ended);
    loading ??= started;
    try {
      return await thread;
    } finally {
      starting.delete(ended);
      if (loading === started) loading = null;
    }
  };

  const takeSeat = (): WorkerThread | null => {
    const loaded = idle.findIndex(isAlive);
    const [seat = null] = idle.splice(Math.max(loaded, 0), 1);
    return seat;
  };

  const leaveSeat = (seat: WorkerThread | null): void => {
    idle.push(seat?.alive() ? seat : null);
    if (isClosed) return;
    dispatch();
    if (idle.length < threads) return;
    if (resting !== null) clearTimeout(resting);
    resting = setTimeout(rest, restMs);
    resting.unref?.();
  };

  const rest = (): void => {
    resting = null;
    if (idle.length < threads) return;
    for (const thread of idle) void thread?.end();
    idle = new Array(threads).fill(null);
    onRest?.();
  };

  /** Gives waiting passes to idle threads; a thread that failed or rested is replaced when there is work for it. */
  const dispatch = (): void => {
    while (idle.length > 0) {
      const pass = urgentPasses.shift() ?? otherPasses.shift();
      if (!pass) return;
      if (!pass.isSettled) void work(takeSeat(), pass);
    }
  };

  const work = async (seat: WorkerThread | null, pass: Pass): Promise<void> => {
    let thread = seat;
    try {
      thread = seat?.alive() ? seat : await start();
      busy.set(pass, thread);
      settle(pass, await thread.run(pass.pieces));
    } catch (error) {
      settle(pass, failureOf(error));
    } finally {
      busy.delete(pass);
      leaveSeat(thread);
    }
  };

  const run = (pieces: Int32Array, isUrgent: boolean, signal: AbortSignal): Promise<Float32Array> => {
    if (signal.aborted) return Promise.reject(failure("aborted", "the caller went away"));
    if (isClosed) return Promise.reject(failure("unreachable", "the built-in model is shut down"));
    if (urgentPasses.length + otherPasses.length >= maxWaiting) {
      return Promise.reject(
        failure("rate_limited", "too many texts are waiting for the built-in model: try again later"),
      );
    }
    const pass: Pass = { pieces, result: Promise.withResolvers(), isSettled: false };
    const onAbort = () => settle(pass, failure("aborted", "the caller went away"));
    const timer = setTimeout(() => {
      const thread = busy.get(pass);
      settle(pass, failure("timeout", `the built-in model took longer than ${timeoutMs} ms`));
      void thread?.end();
    }, timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    (isUrgent ? urgentPasses : otherPasses).push(pass);
    dispatch();
    return pass.result.promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      drop(urgentPasses, pass);
      drop(otherPasses, pass);
    });
  };

  const load = async (): Promise<void> => {
    if (isClosed || isLoaded()) return;
    if (loading !== null) return await loading;
    const seat = takeSeat();
    let thread = seat;
    try {
      thread = await start();
    } finally {
      leaveSeat(thread);
    }
  };

  return {
    run,
    isLoaded,
    load,
    async close() {
      isClosed = true;
      if (resting !== null) clearTimeout(resting);
      for (const pass of [...urgentPasses.splice(0), ...otherPasses.splice(0), ...busy.keys()]) {
        settle(pass, failure("unreachable", "the built-in model is shut down"));
      }
      // A thread that is loading the model takes its seat first.
      await Promise.all(starting);
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all([...idle, ...busy.values()].map((thread) => thread?.end()));
    },
  };
};
