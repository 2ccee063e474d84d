import { workerUrl } from "../../../src/system/worker-url.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

/** Longest time the model may take to load, in milliseconds; it needs a fifth of a second on an idle machine. */
const startTimeoutMs = 60_000;

export interface WorkerThread {
  /** The worker is busy until the pass ends; one pass at a time. @throws Error where the pass or the thread broke */
  run(pieces: Int32Array): Promise<Float32Array>;
  /** Ends the thread; a pass that is under way is refused. */
  end(): void;
  /** False after it broke or was ended. */
  alive(): boolean;
}

/** Starts a thread and loads the model in it. It does not keep the process running. @throws Error with the reason */
export async function startWorkerThread(bindingPath: string): Promise<WorkerThread> {
  const worker = new Worker(workerUrl("providers/builtin/minilm/worker.ts"), { name: "minilm" });
  worker.unref();
  let isAlive = true;
  let pending: PromiseWithResolvers<Float32Array> | null = null;
  const ready = Promise.withResolvers<void>();

  function fail(reason: string): void {
    isAlive = false;
    worker.terminate();
    const error = new Error(reason);
    ready.reject(error);
    pending?.reject(error);
    pending = null;
  }

  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === "ready") ready.resolve();
    else if (data.type === "failed") fail(data.reason);
    else if (data.type === "done") pending?.resolve(data.sum);
    else pending?.reject(new Error(data.reason));
    if (data.type === "done" || data.type === "broken") pending = null;
  };
  worker.onerror = (event) => fail(event.message || "the thread ended");
  worker.addEventListener("close", () => fail("the thread ended"));

  const tell = (message: ToWorker) => worker.postMessage(message);
  tell({ type: "start", bindingPath });
  const timer = setTimeout(() => fail(`the model was not loaded after ${startTimeoutMs / 1000} s`), startTimeoutMs);
  try {
    await ready.promise;
  } finally {
    clearTimeout(timer);
  }

  return {
    run(pieces) {
      if (!isAlive) return Promise.reject(new Error("the thread ended"));
      pending = Promise.withResolvers();
      tell({ type: "run", pieces });
      return pending.promise;
    },
    end: () => fail("the thread was ended"),
    alive: () => isAlive,
  };
}
