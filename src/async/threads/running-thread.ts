import { workerUrl } from "../../system/carried-file.ts";
import type { FromThread, ToThread } from "./messages.ts";
import { readSlice, sliceMemory } from "./slices.ts";

/** A thread that was started and has not ended. */
export interface RunningThread<Request> {
  send(message: ToThread<Request>): void;
  /** No request waits for an answer: the thread does not keep the program running. */
  rest(): void;
  /** Ends it, and frees its memory. */
  end(): void;
}

interface ThreadEvents<Answer, Part> {
  onAnswer(answered: FromThread<Answer, Part>): void;
  onEnd(reason: string): void;
  /** The thread was ended because it worked on this request for too long without a pause. */
  onHeld(id: number): void;
}

export interface ThreadOptions {
  /** Module that the thread runs, from the root of the repository; it answers as `serveRequests` does. */
  path: string;
  name: string;
  /** A thread that works for longer than this without receiving messages is ended. */
  maxSliceMs: number;
}

const checkEveryMs = 500;

/** Starts a thread and watches it while it has requests. */
export const startThread = <Request, Answer, Part = never>(
  { path, name, maxSliceMs }: ThreadOptions,
  events: ThreadEvents<Answer, Part>,
): RunningThread<Request> => {
  const worker = new Worker(workerUrl(path), { name });
  const memory = sliceMemory();
  let messages: ToThread<Request>[] = [{ type: "watch", memory }];
  let isSending = false;
  let seen = { number: 0, id: 0, since: performance.now() };
  let timer: ReturnType<typeof setInterval> | null = null;
  worker.unref();

  const stopChecking = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
  };
  const end = (): void => {
    stopChecking();
    worker.terminate();
  };
  const check = (): void => {
    const { number, id } = readSlice(memory);
    const now = performance.now();
    if (id === 0 || number !== seen.number) seen = { number, id, since: now };
    else if (now - seen.since >= maxSliceMs) {
      end();
      events.onHeld(id);
    }
  };
  const fail = (reason: string): void => {
    end();
    events.onEnd(reason);
  };

  worker.onmessage = ({ data }: MessageEvent<readonly FromThread<Answer, Part>[]>) => {
    for (const answered of data) events.onAnswer(answered);
  };
  worker.onerror = ({ message }) => fail(message || "it ended");
  worker.addEventListener("close", () => fail("it ended"));

  return {
    /** Messages of the same moment are sent as one. */
    send(message) {
      messages.push(message);
      if (message.type === "ask") {
        worker.ref(); // a pending request keeps the program running
        timer ??= setInterval(check, checkEveryMs);
      }
      if (isSending) return;
      isSending = true;
      setImmediate(() => {
        const batch = messages;
        messages = [];
        isSending = false;
        worker.postMessage(batch);
      });
    },
    rest() {
      worker.unref();
      // An abandoned request may still occupy the thread: the next request will show it.
      stopChecking();
    },
    end,
  };
};
