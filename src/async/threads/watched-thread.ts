import { workerUrl } from "../../system/worker-url.ts";
import { onAbort } from "../on-abort.ts";
import type { FromThread, ToThread } from "./messages.ts";
import { readStretch, stretchMemory } from "./stretches.ts";

export interface WatchedThreadOptions {
  /** Module that the thread runs, from the root of the repository; it answers as `serveRequests` does. */
  path: string;
  name: string;
  /** A thread that works for longer than this without letting messages in is ended. */
  longestStretchMs: number;
  /** What the request fails with that the thread was ended for. */
  tookTooLong(): Error;
}

/** A thread that requests are answered on. */
export interface WatchedThread<Request, Answer, Part = never> {
  /** @throws Error where it failed; `tookTooLong`'s where it held the thread for too long; the signal's reason */
  ask(request: Request, signal: AbortSignal): Promise<Answer>;
  /** As `ask`, with the parts that came before the answer, in their order. */
  askInParts(request: Request, signal: AbortSignal): Promise<Whole<Answer, Part>>;
}

export interface Whole<Answer, Part> {
  answer: Answer;
  parts: Part[];
}

interface Asked<Request, Answer, Part> {
  request: Request;
  parts: Part[];
  answer: PromiseWithResolvers<Whole<Answer, Part>>;
}

const LOOK_EVERY_MS = 500;

/**
 * Starts a thread with the first request, and a new one where it broke. One that a request holds for too long is ended:
 * that request fails, the others are asked again.
 */
export const createWatchedThread = <Request, Answer, Part = never>(
  options: WatchedThreadOptions,
): WatchedThread<Request, Answer, Part> => {
  const waiting = new Map<number, Asked<Request, Answer, Part>>();
  let running: RunningThread<Request> | null = null;
  let lastId = 0;

  const settle = (id: number): PromiseWithResolvers<Whole<Answer, Part>> | undefined => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) running?.rest();
    return asked?.answer;
  };
  const start = (): RunningThread<Request> => {
    const started: RunningThread<Request> = startThread<Request, Answer, Part>(options, {
      onAnswer(answered) {
        if (running !== started) return;
        const parts = waiting.get(answered.id)?.parts ?? [];
        if ("part" in answered) parts.push(answered.part);
        else if ("answer" in answered) settle(answered.id)?.resolve({ answer: answered.answer, parts });
        else settle(answered.id)?.reject(new Error(answered.failed));
      },
      onEnd(reason) {
        if (running !== started) return;
        running = null;
        for (const id of [...waiting.keys()])
          settle(id)?.reject(new Error(`the ${options.name} thread broke: ${reason}`));
      },
      onHeld(id) {
        if (running !== started) return;
        running = null;
        settle(id)?.reject(options.tookTooLong());
        if (waiting.size === 0) return;
        running = start();
        for (const [other, asked] of waiting) {
          asked.parts = [];
          running.tell({ type: "ask", id: other, request: asked.request });
        }
      },
    });
    return started;
  };

  const askInParts = async (request: Request, signal: AbortSignal): Promise<Whole<Answer, Part>> => {
    signal.throwIfAborted();
    const id = ++lastId;
    const answer = Promise.withResolvers<Whole<Answer, Part>>();
    waiting.set(id, { request, parts: [], answer });
    running ??= start();
    running.tell({ type: "ask", id, request });
    const cancel = () => {
      running?.tell({ type: "cancel", id });
      settle(id)?.reject(signal.reason);
    };
    return await answer.promise.finally(onAbort(signal, cancel));
  };
  return { askInParts, ask: async (request, signal) => (await askInParts(request, signal)).answer };
};

interface RunningThread<Request> {
  tell(message: ToThread<Request>): void;
  /** Nobody waits for it: it keeps no program running. */
  rest(): void;
}

interface ThreadEvents<Answer, Part> {
  onAnswer(answered: FromThread<Answer, Part>): void;
  onEnd(reason: string): void;
  /** It was ended because it did nothing but this request for too long. */
  onHeld(id: number): void;
}

const startThread = <Request, Answer, Part>(
  { path, name, longestStretchMs }: WatchedThreadOptions,
  events: ThreadEvents<Answer, Part>,
): RunningThread<Request> => {
  const worker = new Worker(workerUrl(path), { name });
  const memory = stretchMemory();
  let messages: ToThread<Request>[] = [{ type: "watch", memory }];
  let isTelling = false;
  let seen = { number: 0, id: 0, since: performance.now() };
  let timer: ReturnType<typeof setInterval> | null = null;
  worker.unref();

  const stopLooking = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const end = (): void => {
    stopLooking();
    worker.terminate();
  };
  const look = (): void => {
    const { number, id } = readStretch(memory);
    const now = performance.now();
    if (id === 0 || number !== seen.number) seen = { number, id, since: now };
    else if (now - seen.since >= longestStretchMs) {
      end();
      events.onHeld(id);
    }
  };

  worker.onmessage = ({ data }: MessageEvent<readonly FromThread<Answer, Part>[]>) => {
    for (const answered of data) events.onAnswer(answered);
  };
  const broke = (reason: string): void => {
    end();
    events.onEnd(reason);
  };
  worker.onerror = ({ message }) => broke(message || "it ended");
  worker.addEventListener("close", () => broke("it ended"));

  return {
    /** What is told at the same moment goes as one message. */
    tell(message) {
      messages.push(message);
      if (message.type === "ask") {
        worker.ref(); // what is waited for keeps the program running
        timer ??= setInterval(look, LOOK_EVERY_MS);
      }
      if (isTelling) return;
      isTelling = true;
      setImmediate(() => {
        const told = messages;
        messages = [];
        isTelling = false;
        worker.postMessage(told);
      });
    },
    rest() {
      worker.unref();
      // A request that was given up may still hold it: that shows when the next one is asked.
      stopLooking();
    },
  };
};
