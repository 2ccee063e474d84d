import { messageOf } from "../../domain/thrown.ts";
import { nextTurn } from "../yield.ts";
import type { FromThread, ToThread } from "./messages.ts";
import { type Slices, slicesIn } from "./slices.ts";

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
