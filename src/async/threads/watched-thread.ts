import { onAbort } from "../on-abort.ts";
import { type RunningThread, startThread, type ThreadOptions } from "./running-thread.ts";

interface WatchedThreadOptions extends ThreadOptions {
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

export interface Whole<Answer, Part> {
  answer: Answer;
  parts: Part[];
}

const defaultMaxIdleMs = 60_000;

interface Pending<Request, Answer, Part> {
  request: Request;
  parts: Part[];
  answer: PromiseWithResolvers<Whole<Answer, Part>>;
}

/**
 * Starts a thread with the first request, and a new one after a failure. A thread that one request holds for too long
 * is ended: that request fails, the others are sent to a new thread. One that has nothing to do is ended after a while.
 */
export const createWatchedThread = <Request, Answer, Part = never>(
  options: WatchedThreadOptions,
): WatchedThread<Request, Answer, Part> => {
  const pending = new Map<number, Pending<Request, Answer, Part>>();
  let running: RunningThread<Request> | null = null;
  let lastId = 0;
  let idleTimer: ReturnType<typeof setTimeout> | null = null;

  const endIdle = (): void => {
    const idle = running;
    running = null;
    idle?.end();
  };
  const rest = (): void => {
    running?.rest();
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = setTimeout(endIdle, options.maxIdleMs ?? defaultMaxIdleMs);
    idleTimer.unref();
  };
  const settle = (id: number): PromiseWithResolvers<Whole<Answer, Part>> | undefined => {
    const asked = pending.get(id);
    pending.delete(id);
    if (pending.size === 0) rest();
    return asked?.answer;
  };
  const start = (): RunningThread<Request> => {
    const started: RunningThread<Request> = startThread<Request, Answer, Part>(options, {
      onAnswer(answered) {
        if (running !== started) return;
        const parts = pending.get(answered.id)?.parts ?? [];
        if ("part" in answered) parts.push(answered.part);
        else if ("answer" in answered) settle(answered.id)?.resolve({ answer: answered.answer, parts });
        else settle(answered.id)?.reject(new Error(answered.failed));
      },
      onEnd(reason) {
        if (running !== started) return;
        running = null;
        for (const id of [...pending.keys()])
          settle(id)?.reject(new Error(`the ${options.name} thread failed: ${reason}`));
      },
      onHeld(id) {
        if (running !== started) return;
        running = null;
        settle(id)?.reject(options.tookTooLong());
        if (pending.size === 0) return;
        running = start();
        for (const [other, asked] of pending) {
          asked.parts = [];
          running.send({ type: "ask", id: other, request: asked.request });
        }
      },
    });
    return started;
  };

  const askInParts = async (request: Request, signal: AbortSignal): Promise<Whole<Answer, Part>> => {
    signal.throwIfAborted();
    const id = ++lastId;
    const answer = Promise.withResolvers<Whole<Answer, Part>>();
    pending.set(id, { request, parts: [], answer });
    if (idleTimer !== null) clearTimeout(idleTimer);
    idleTimer = null;
    running ??= start();
    running.send({ type: "ask", id, request });
    const cancel = () => {
      running?.send({ type: "cancel", id });
      settle(id)?.reject(signal.reason);
    };
    return await answer.promise.finally(onAbort(signal, cancel));
  };
  return { askInParts, ask: async (request, signal) => (await askInParts(request, signal)).answer };
};
