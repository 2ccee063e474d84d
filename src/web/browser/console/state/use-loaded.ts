import { useSignal } from "@preact/signals";
import { useCallback, useEffect } from "preact/hooks";
import { recoveries } from "./server.ts";

export interface Loaded<Value> {
  /** Undefined until it was loaded once; the last one while it is loaded again, and when that fails. */
  value: Value | undefined;
  /** Why the last loading failed; null if it did not. */
  error: unknown;
  reload(): void;
  /** Changes what is shown before the server tells. */
  set(value: Value): void;
}

/**
 * Loads what a component shows: when it is first shown, when one of `inputs` changes, on `reload()`, when the
 * server came back, and every `everyMs` where that is given and the page is visible.
 */
export const useLoaded = <Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[] = [],
  everyMs: number | null = null,
): Loaded<Value> => {
  const value = useSignal<Value | undefined>(undefined);
  const error = useSignal<unknown>(null);
  const round = useSignal(0);
  const reload = useCallback(() => {
    round.value += 1;
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    load(stop.signal).then(
      (loaded) => {
        if (stop.signal.aborted) return;
        value.value = loaded;
        error.value = null;
      },
      (failure: unknown) => {
        if (!stop.signal.aborted) error.value = failure;
      },
    );
    return () => stop.abort();
  }, [...inputs, round.value, recoveries.value]);
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return {
    value: value.value,
    error: error.value,
    reload,
    set(next) {
      value.value = next;
    },
  };
};
