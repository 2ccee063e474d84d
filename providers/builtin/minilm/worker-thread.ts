import type { PooledWorker } from "../../../src/async/worker-pool.ts";

/** The messages between the server and its threads. */
export type ToWorker =
  | { type: "start"; bindingPath: string }
  /** One forward pass over the pieces of one segment, [CLS] and [SEP] included. */
  | { type: "run"; pieces: Int32Array };

export type FromWorker =
  | { type: "ready" }
  | { type: "failed"; reason: string }
  /** Sum of the last hidden states over all pieces. */
  | { type: "done"; sum: Float32Array }
  | { type: "broken"; reason: string };

/** Time limit for loading the model, which takes a fifth of a second on an idle machine. */
const loadTimeoutMs = 60_000;
/** A forward pass takes some 20 ms; on a machine that does much else it may take a hundred times as long. */
const maxPassMs = 5_000;

export interface WorkerThread extends PooledWorker {
  /** One pass at a time. @throws Error if the pass or the thread failed */
  run(pieces: Int32Array): Promise<Float32Array>;
  /**
   * Ends the thread; a running pass fails at once. Resolves when the thread is gone: one that were terminated within a
   * pass would abort the process.
   */
  end(): Promise<void>;
}

/**
 * Starts a thread and loads the model in it. It does not keep the process running.
 * @param workerUrl where worker.ts is
 * @throws Error with the reason
 */
export const startWorkerThread = async (workerUrl: string, bindingPath: string): Promise<WorkerThread> => {
  const worker = new Worker(workerUrl, { name: "minilm" });
  worker.unref();
  let isAlive = true;
  let pending: PromiseWithResolvers<Float32Array> | null = null;
  /** Resolves when the running pass has ended in the thread; null where none runs. */
  let running: PromiseWithResolvers<void> | null = null;
  let ending: Promise<void> | null = null;
  const ready = Promise.withResolvers<void>();

  const fail = (reason: string): void => {
    isAlive = false;
    worker.terminate();
    running?.resolve();
    const error = new Error(reason);
    ready.reject(error);
    pending?.reject(error);
    pending = null;
  };

  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === "ready") ready.resolve();
    else if (data.type === "failed") fail(data.reason);
    else if (data.type === "done") pending?.resolve(data.sum);
    else pending?.reject(new Error(data.reason));
    if (data.type === "ready" || data.type === "failed") return;
    pending = null;
    running?.resolve();
    running = null;
  };
  worker.onerror = (event) => fail(event.message || "the thread ended");
  worker.addEventListener("close", () => fail("the thread ended"));

  const send = (message: ToWorker) => worker.postMessage(message);
  send({ type: "start", bindingPath });
  const timer = setTimeout(() => fail(`the model was not loaded after ${loadTimeoutMs / 1000} s`), loadTimeoutMs);
  try {
    await ready.promise;
  } finally {
    clearTimeout(timer);
  }

  return {
    run(pieces) {
      if (!isAlive) return Promise.reject(new Error("the thread ended"));
      pending = Promise.withResolvers();
      running = Promise.withResolvers();
      send({ type: "run", pieces });
      return pending.promise;
    },
    end() {
      isAlive = false;
      pending?.reject(new Error("the thread was ended"));
      pending = null;
      ending ??= Promise.race([running?.promise, Bun.sleep(maxPassMs)]).then(() => fail("the thread was ended"));
      return ending;
    },
    get isAlive() {
      return isAlive;
    },
  };
};
