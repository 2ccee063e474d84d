import { messageOf } from "../../domain/errors.ts";
import { nextTurn } from "../yield.ts";

/** A message to a thread, sent in batches. */
export type ToThread<Request> =
  /** The first message: memory where the thread says which request it works on. */
  | { type: "watch"; memory: SharedArrayBuffer }
  | { type: "ask"; id: number; request: Request }
  /** The caller has given up; no answer follows. */
  | { type: "cancel"; id: number };

/** A message from a thread, sent in batches. A large answer is sent in parts, since receiving it at once would take long. */
export type FromThread<Answer, Part = never> =
  | { id: number; part: Part }
  | { id: number; answer: Answer }
  | { id: number; failed: string };

/**
 * What a thread is working on, in memory that another thread can read while the first one computes without a pause.
 * A slice is the work between two pauses; in a pause the thread receives messages.
 */
export interface Slices {
  /** A slice for this request begins. */
  begin(id: number): void;
  /** No work is done until the next one begins. */
  end(): void;
}

const count = 0;
const current = 1;

/** Memory for `slicesIn` and `readSlice`. */
export const sliceMemory = (): SharedArrayBuffer => new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);

/** For the thread that works. */
export const slicesIn = (memory: SharedArrayBuffer): Slices => {
  const marks = new Int32Array(memory);
  return {
    begin(id) {
      Atomics.add(marks, count, 1);
      Atomics.store(marks, current, id);
    },
    end() {
      Atomics.store(marks, current, 0);
    },
  };
};

/** For the thread that watches. @returns the slice's number, and its request; 0 where there is none */
export const readSlice = (memory: SharedArrayBuffer): { number: number; id: number } => {
  const marks = new Int32Array(memory);
  return { number: Atomics.load(marks, count), id: Atomics.load(marks, current) };
};

/** Receives messages, then resumes the request. @throws the signal's reason where the request was canceled */
export type Pause = () => Promise<void>;

/**
 * Answers the requests that `createWatchedThread` sends to this thread. Called by the thread's module.
 * @param answer must pause often: the thread is ended where one slice without a pause takes too long
 */
export const serveRequests = <Request, Answer>(answer: (request: Request, pause: Pause) => Promise<Answer>): void => {
  const underWay = new Map<number, AbortController>();
  let slices: Slices | null = null;

  const serve = async (id: number, request: Request): Promise<void> => {
    const abort = new AbortController();
    underWay.set(id, abort);
    const pause: Pause = async () => {
      slices?.end();
      await nextTurn();
      abort.signal.throwIfAborted();
      slices?.begin(id);
    };
    try {
      await pause();
      postMessage([{ id, answer: await answer(request, pause) }] satisfies FromThread<Answer>[]);
    } catch (error) {
      const failed = messageOf(error);
      if (!abort.signal.aborted) postMessage([{ id, failed }] satisfies FromThread<Answer>[]);
    } finally {
      underWay.delete(id);
      slices?.end();
    }
  };

  self.onmessage = ({ data }: { data: readonly ToThread<Request>[] }) => {
    for (const message of data) {
      if (message.type === "watch") slices = slicesIn(message.memory);
      else if (message.type === "cancel") underWay.get(message.id)?.abort();
      else void serve(message.id, message.request);
    }
  };
};

declare const self: { onmessage: ((event: { data: readonly never[] }) => void) | null };
