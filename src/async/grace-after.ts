import { onAbort } from "./on-abort.ts";

/** Time for tidying up that outlives an abort. */
export interface Grace {
  /** Fires the given time after the other signal, with its reason. */
  readonly signal: AbortSignal;
  /** Must be called when the work is done: no timer is left. */
  end(): void;
}

/** A signal for work that goes on after an abort, but no longer than `ms` milliseconds after it. */
export const graceAfter = (signal: AbortSignal, ms: number): Grace => {
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    timer = setTimeout(() => late.abort(signal.reason), ms);
  };
  const removeCallback = onAbort(signal, begin);
  if (signal.aborted) begin();
  return {
    signal: late.signal,
    end() {
      removeCallback();
      clearTimeout(timer);
    },
  };
};
