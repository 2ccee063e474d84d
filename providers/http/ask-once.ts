import type { Destination } from "./destination.ts";
import type { Pace } from "./repeat-call.ts";
import { unlessAborted } from "./watch-body.ts";

/** A call that is under way. */
interface SharedCall<T> {
  answer: Promise<T>;
  /** Callers that wait for it. */
  waiting: number;
  abandoned: AbortController;
}

/**
 * Asks once and keeps the answer; a failure is not kept, so the next caller asks again. Callers of one pace share a call
 * that is under way: one in a hurry must not wait for the repeats of a patient one. Each may leave; when all have left,
 * the call is aborted.
 * @returns a function that throws ProviderError `aborted` if its signal fires, and what `ask` throws
 */
export const askOnce = <T>(
  destination: Pick<Destination, "service">,
  ask: (signal: AbortSignal, pace: Pace) => Promise<T>,
): ((signal: AbortSignal, pace?: Pace) => Promise<T>) => {
  let kept: { answer: T } | null = null;
  const underWay = new Map<Pace, SharedCall<T>>();

  const begin = (pace: Pace): SharedCall<T> => {
    const abandoned = new AbortController();
    const answer = ask(abandoned.signal, pace).then(
      (found) => {
        kept = { answer: found };
        return found;
      },
      (error: unknown) => {
        if (underWay.get(pace) === call) underWay.delete(pace);
        throw error;
      },
    );
    const call = { answer, waiting: 0, abandoned };
    underWay.set(pace, call);
    return call;
  };

  return async (signal, pace = "usual") => {
    if (kept !== null) return kept.answer;
    const call = underWay.get(pace) ?? begin(pace);
    call.waiting += 1;
    try {
      return await unlessAborted(call.answer, destination, signal);
    } finally {
      call.waiting -= 1;
      if (call.waiting === 0 && signal.aborted) {
        // Who comes now must not join a call that ends.
        if (underWay.get(pace) === call) underWay.delete(pace);
        call.abandoned.abort(signal.reason);
      }
    }
  };
};
