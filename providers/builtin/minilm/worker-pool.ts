import { nextTurn } from "../../../src/async/yield.ts";
import { failure, failureOf, type Pass, settle } from "./pass.ts";
import { createSeats } from "./seats.ts";
import type { WorkerThread } from "./worker-thread.ts";

/** Threads that are loading the model. */
interface LoadingThreads {
  /** Starts one. @throws what `start` throws */
  begin(): Promise<WorkerThread>;
  /** The one that was started first; null where none is loading. @throws what `start` throws */
  first(): Promise<void> | null;
  /** Resolves when each of them has the model loaded or has failed. */
  ended(): Promise<void>;
}

/** @param start starts a thread that has the model loaded when it resolves */
const createLoadingThreads = (start: () => Promise<WorkerThread>): LoadingThreads => {
  const loading = new Set<Promise<void>>();
  let first: Promise<void> | null = null;
  return {
    async begin() {
      const thread = start();
      const started = thread.then(() => undefined);
      const ended = started.catch(() => undefined);
      loading.add(ended);
      first ??= started;
      try {
        return await thread;
      } finally {
        loading.delete(ended);
        if (first === started) first = null;
      }
    },
    first: () => first,
    ended: async () => void (await Promise.all(loading)),
  };
};

/** Passes that wait for a thread. */
interface PassQueue {
  readonly size: number;
  add(pass: Pass, isUrgent: boolean): void;
  /** Takes the next pass, urgent ones first. */
  next(): Pass | undefined;
  /** Removes a pass, if it still waits. */
  drop(pass: Pass): void;
  /** Takes all of them. */
  takeAll(): Pass[];
}

const createPassQueue = (): PassQueue => {
  const urgent: Pass[] = [];
  const others: Pass[] = [];
  return {
    get size() {
      return urgent.length + others.length;
    },
    add(pass, isUrgent) {
      (isUrgent ? urgent : others).push(pass);
    },
    next: () => urgent.shift() ?? others.shift(),
    drop(pass) {
      for (const queue of [urgent, others]) {
        const at = queue.indexOf(pass);
        if (at >= 0) queue.splice(at, 1);
      }
    },
    takeAll: () => [...urgent.splice(0), ...others.splice(0)],
  };
};

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
  const waiting = createPassQueue();
  const busy = new Map<Pass, WorkerThread>();
  const loading = createLoadingThreads(options.start);
  let isClosed = false;

  const seats = createSeats({ count: threads, restMs, onFree: () => dispatch(), onRest: () => onRest?.() });
  const isLoaded = (): boolean => busy.size > 0 || seats.hasThread();

  /** Gives waiting passes to idle threads; a thread that failed or rested is replaced when there is work for it. */
  const dispatch = (): void => {
    while (seats.isFree()) {
      const pass = waiting.next();
      if (!pass) return;
      if (!pass.isSettled) void work(seats.take(), pass);
    }
  };

  const work = async (seat: WorkerThread | null, pass: Pass): Promise<void> => {
    let thread = seat;
    try {
      thread = seat?.alive() ? seat : await loading.begin();
      busy.set(pass, thread);
      settle(pass, await thread.run(pass.pieces));
    } catch (error) {
      settle(pass, failureOf(error));
    } finally {
      busy.delete(pass);
      seats.leave(thread);
    }
  };

  const run = (pieces: Int32Array, isUrgent: boolean, signal: AbortSignal): Promise<Float32Array> => {
    if (signal.aborted) return Promise.reject(failure("aborted", "the caller went away"));
    if (isClosed) return Promise.reject(failure("unreachable", "the built-in model is shut down"));
    if (waiting.size >= maxWaiting) {
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
    waiting.add(pass, isUrgent);
    dispatch();
    return pass.result.promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      waiting.drop(pass);
    });
  };

  const load = async (): Promise<void> => {
    if (isClosed || isLoaded()) return;
    const first = loading.first();
    if (first !== null) return await first;
    const seat = seats.take();
    let thread = seat;
    try {
      thread = await loading.begin();
    } finally {
      seats.leave(thread);
    }
  };

  return {
    run,
    isLoaded,
    load,
    async close() {
      isClosed = true;
      seats.stop();
      for (const pass of [...waiting.takeAll(), ...busy.keys()]) {
        settle(pass, failure("unreachable", "the built-in model is shut down"));
      }
      // A thread that is loading the model takes its seat first.
      await loading.ended();
      await nextTurn();
      await Promise.all([seats.close(), ...[...busy.values()].map((thread) => thread.end())]);
    },
  };
};
