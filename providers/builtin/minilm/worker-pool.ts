import { ProviderError } from "../../contract.ts";
import type { WorkerThread } from "./worker-thread.ts";

export interface PoolOptions {
  /** Threads that run the model. */
  threads: number;
  /** Longest time from asking for a pass to its end, in milliseconds. */
  timeoutMs: number;
  /** Passes that may wait; more are refused. */
  maxWaiting: number;
  start(): Promise<WorkerThread>;
}

export interface WorkerPool {
  /**
   * One forward pass; the sum of the hidden states. Urgent passes go before the others.
   * @throws ProviderError `aborted`, `timeout`, `rate_limited` (too many wait) or `bad_answer`
   */
  run(pieces: Int32Array, urgent: boolean, signal: AbortSignal): Promise<Float32Array>;
  /** Ends the threads; waiting passes fail. */
  close(): void;
}

interface Pass {
  pieces: Int32Array;
  result: PromiseWithResolvers<Float32Array>;
  settled: boolean;
}

const failure = (kind: ProviderError["kind"], message: string, cause?: unknown) =>
  new ProviderError("embedding", kind, message, { cause });

/** Threads that run the model, and the queue before them. @throws Error if a thread does not start */
export const createWorkerPool = async (options: PoolOptions): Promise<WorkerPool> => {
  const { threads, timeoutMs, maxWaiting, start } = options;
  const urgentPasses: Pass[] = [];
  const otherPasses: Pass[] = [];
  const idle: (WorkerThread | null)[] = [];
  const busy = new Map<Pass, WorkerThread>();
  let closed = false;

  /** Gives waiting passes to idle threads; a thread that failed is replaced when there is work for it. */
  const dispatch = (): void => {
    while (idle.length > 0) {
      const pass = urgentPasses.shift() ?? otherPasses.shift();
      if (!pass) return;
      if (pass.settled) continue;
      void work(idle.pop() ?? null, pass);
    }
  };

  const work = async (seat: WorkerThread | null, pass: Pass): Promise<void> => {
    let thread = seat;
    try {
      thread = seat?.alive() ? seat : await start();
      if (closed) thread.end();
      busy.set(pass, thread);
      settle(pass, await thread.run(pass.pieces));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      settle(pass, failure("bad_answer", `the built-in model failed: ${reason}`, error));
    } finally {
      busy.delete(pass);
      idle.push(thread?.alive() ? thread : null);
      dispatch();
    }
  };

  const run = (pieces: Int32Array, urgent: boolean, signal: AbortSignal): Promise<Float32Array> => {
    if (signal.aborted) return Promise.reject(failure("aborted", "the caller went away"));
    if (closed) return Promise.reject(failure("unreachable", "the built-in model is shut down"));
    if (urgentPasses.length + otherPasses.length >= maxWaiting) {
      return Promise.reject(
        failure("rate_limited", "too many texts are waiting for the built-in model: try again later"),
      );
    }
    const pass: Pass = { pieces, result: Promise.withResolvers(), settled: false };
    const onAbort = () => settle(pass, failure("aborted", "the caller went away"));
    const timer = setTimeout(() => {
      const thread = busy.get(pass);
      settle(pass, failure("timeout", `the built-in model took longer than ${timeoutMs} ms`));
      thread?.end();
    }, timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    (urgent ? urgentPasses : otherPasses).push(pass);
    dispatch();
    return pass.result.promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      drop(urgentPasses, pass);
      drop(otherPasses, pass);
    });
  };

  const close = (): void => {
    closed = true;
    for (const pass of [...urgentPasses.splice(0), ...otherPasses.splice(0), ...busy.keys()]) {
      settle(pass, failure("unreachable", "the built-in model is shut down"));
    }
    for (const thread of [...idle, ...busy.values()]) thread?.end();
  };

  const started = await Promise.allSettled(Array.from({ length: threads }, () => start()));
  for (const one of started) if (one.status === "fulfilled") idle.push(one.value);
  const failed = started.find((one) => one.status === "rejected");
  if (failed) {
    close();
    throw failed.reason;
  }
  return { run, close };
};

const settle = (pass: Pass, outcome: Float32Array | ProviderError): void => {
  if (pass.settled) return;
  pass.settled = true;
  if (outcome instanceof ProviderError) pass.result.reject(outcome);
  else pass.result.resolve(outcome);
};

const drop = (queue: Pass[], pass: Pass): void => {
  const index = queue.indexOf(pass);
  if (index >= 0) queue.splice(index, 1);
};
