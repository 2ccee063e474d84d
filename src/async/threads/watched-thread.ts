import { workerUrl } from "../../system/carried-file.ts";
import { onAbort } from "../waiting.ts";
import { createWorkerPool, type PooledWorker } from "../worker-pool.ts";
import { type FromThread, readSlice, sliceMemory, type ToThread } from "./serve-requests.ts";

interface WatchedThreadOptions {
  /** Module that the thread runs, from the root of the repository; it answers as `serveRequests` does. */
  path: string;
  name: string;
  /** A thread that works for longer than this without receiving messages is ended. */
  maxSliceMs: number;
  /** A thread that gets no request for this long is ended: its heap is its own, and goes with it. Default: a minute. */
  maxIdleMs?: number;
  /** Error of the request that the thread was ended for. */
  tookTooLong(): Error;
}

/** A thread that answers requests. */
interface WatchedThread<Request, Answer, Part = never> {
  /**
   * @throws Error where the request failed; `tookTooLong`'s where it held the thread for too long; the signal's reason
   */
  ask(request: Request, signal: AbortSignal): Promise<Answer>;
  /** Like `ask`, with the parts that were sent before the answer, in their order. */
  askInParts(request: Request, signal: AbortSignal): Promise<Whole<Answer, Part>>;
}

interface Whole<Answer, Part> {
  answer: Answer;
  parts: Part[];
}

const defaultMaxIdleMs = 60_000;
const checkEveryMs = 500;

/** Another request held the thread, which was ended: this one is asked again. */
class ThreadEndedError extends Error {}

/**
 * Starts a thread with the first request, and a new one after a failure. A thread that one request holds for too long
 * is ended: that request fails, the others are sent to a new thread. One that has nothing to do is ended after a while.
 */
export const createWatchedThread = <Request, Answer, Part = never>(
  options: WatchedThreadOptions,
): WatchedThread<Request, Answer, Part> => {
  const pool = createWorkerPool({
    start: () => startThread<Request, Answer, Part>(options),
    worksAtOnce: Number.POSITIVE_INFINITY,
    idleMs: options.maxIdleMs ?? defaultMaxIdleMs,
  });
  const askInParts = async (request: Request, signal: AbortSignal): Promise<Whole<Answer, Part>> => {
    for (;;) {
      try {
        return await pool.use((thread) => thread.ask(request, signal), signal);
      } catch (error) {
        if (!(error instanceof ThreadEndedError)) throw error;
      }
    }
  };
  return { askInParts, ask: async (request, signal) => (await askInParts(request, signal)).answer };
};

interface Thread<Request, Answer, Part> extends PooledWorker {
  ask(request: Request, signal: AbortSignal): Promise<Whole<Answer, Part>>;
}

interface Pending<Answer, Part> {
  parts: Part[];
  answer: PromiseWithResolvers<Whole<Answer, Part>>;
}

/** Starts a thread, watches it while it has requests, and lets the program end while it has none. */
const startThread = <Request, Answer, Part>(options: WatchedThreadOptions): Thread<Request, Answer, Part> => {
  const { path, name, maxSliceMs, tookTooLong } = options;
  const worker = new Worker(workerUrl(path), { name });
  const memory = sliceMemory();
  const pending = new Map<number, Pending<Answer, Part>>();
  let messages: ToThread<Request>[] = [{ type: "watch", memory }];
  let isSending = false;
  let isAlive = true;
  let lastId = 0;
  let seen = { number: 0, id: 0, since: performance.now() };
  let timer: ReturnType<typeof setInterval> | null = null;
  worker.unref();

  const rest = (): void => {
    worker.unref();
    // An abandoned request may still occupy the thread: the next request will show it.
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const settle = (id: number): PromiseWithResolvers<Whole<Answer, Part>> | undefined => {
    const asked = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) rest();
    return asked?.answer;
  };
  const end = (error: Error): void => {
    if (!isAlive) return;
    isAlive = false;
    worker.terminate();
    for (const id of [...pending.keys()]) settle(id)?.reject(error);
  };
  const check = (): void => {
    const { number, id } = readSlice(memory);
    const now = performance.now();
    if (id === 0 || number !== seen.number) seen = { number, id, since: now };
    else if (now - seen.since >= maxSliceMs) {
      settle(id)?.reject(tookTooLong());
      end(new ThreadEndedError());
    }
  };
  /** Messages of the same moment are sent as one. */
  const send = (message: ToThread<Request>): void => {
    messages.push(message);
    if (isSending) return;
    isSending = true;
    setImmediate(() => {
      const batch = messages;
      messages = [];
      isSending = false;
      worker.postMessage(batch);
    });
  };
  const take = (answered: FromThread<Answer, Part>): void => {
    const parts = pending.get(answered.id)?.parts ?? [];
    if ("part" in answered) parts.push(answered.part);
    else if ("answer" in answered) settle(answered.id)?.resolve({ answer: answered.answer, parts });
    else settle(answered.id)?.reject(new Error(answered.failed));
  };

  worker.onmessage = ({ data }: MessageEvent<readonly FromThread<Answer, Part>[]>) => data.forEach(take);
  worker.onerror = ({ message }) => end(new Error(`the ${name} thread failed: ${message || "it ended"}`));
  worker.addEventListener("close", () => end(new Error(`the ${name} thread failed: it ended`)));

  return {
    get isAlive() {
      return isAlive;
    },
    end: () => end(new Error(`the ${name} thread was ended`)),
    async ask(request, signal) {
      signal.throwIfAborted();
      const id = ++lastId;
      const answer = Promise.withResolvers<Whole<Answer, Part>>();
      pending.set(id, { parts: [], answer });
      worker.ref(); // a pending request keeps the program running
      timer ??= setInterval(check, checkEveryMs);
      send({ type: "ask", id, request });
      const cancel = () => {
        send({ type: "cancel", id });
        settle(id)?.reject(signal.reason);
      };
      return await answer.promise.finally(onAbort(signal, cancel));
    },
  };
};
