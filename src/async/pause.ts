import { setTimeout as timePassed } from "node:timers/promises";
import { onAbort } from "./on-abort.ts";

/** Resolves after the time, or when the signal fires. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await timePassed(ms, undefined, { signal }).catch(() => undefined);
};

/**
 * Calls back at a moment by the clock, or when the time until then, as it was when the moment was set, has passed: a
 * clock that is put back by years delays nothing by years. It does not keep the process running.
 */
interface DueTimer {
  /** Sets the moment (epoch ms) in place of the one before; null: none. */
  set(dueAt: number | null): void;
}

/**
 * The longest time that a timer of the runtime is set for; then the clock is read again. Timers cannot run longer than
 * 24 days, and do not notice when the clock is set.
 */
const maxTimerMs = 3_600_000;

/** @param onDue called once for each moment that is reached */
export const createDueTimer = (onDue: () => void): DueTimer => {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const set = (dueAt: number | null): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (dueAt === null) return;
    const endsAt = performance.now() + Math.max(dueAt - Date.now(), 0);
    const wait = (leftMs: number): void => {
      timer = setTimeout(onEnd, Math.min(Math.max(leftMs, 0), maxTimerMs));
      timer.unref();
    };
    const onEnd = (): void => {
      const leftMs = Math.min(dueAt - Date.now(), endsAt - performance.now());
      if (leftMs > 0) wait(leftMs);
      else onDue();
    };
    wait(dueAt - Date.now());
  };
  return { set };
};

/** Resolves at a moment by the clock (epoch ms), or when the signal fires. It does not keep the process running. */
export const pauseUntil = async (dueAt: number, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  const due = Promise.withResolvers<void>();
  const timer = createDueTimer(due.resolve);
  timer.set(dueAt);
  const forget = onAbort(signal, due.resolve);
  await due.promise;
  forget();
  timer.set(null);
};
