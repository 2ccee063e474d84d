import { callerLeft } from "./call-failure.ts";
import type { Destination } from "./destination.ts";

/**
 * What the work comes to; or a failure as soon as the caller leaves, in the midst of a pause too.
 * @throws ProviderError `aborted` if the signal fires; what the work throws
 */
export const unlessAborted = async <T>(
  work: Promise<T>,
  destination: Pick<Destination, "service">,
  signal: AbortSignal,
): Promise<T> => {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(callerLeft(destination, signal.reason));
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([work, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
};

/** Measures the time for which a server is waited for. */
export interface Watchdog {
  /** Time counts from now on. */
  wait(): void;
  /** The server sent something, or is not expected to: no time counts until the next `wait`. */
  pause(): void;
  /** The server made progress: the whole limit is available again. */
  heard(): void;
}

/**
 * Calls `expire` when a server was waited for longer than `limitMs` without any progress. The time in which the
 * answer's own reader is slow does not count.
 */
export const createWatchdog = (limitMs: number, expire: () => void): Watchdog => {
  let leftMs = limitMs;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  return {
    wait() {
      if (timer !== null) return;
      since = performance.now();
      timer = setTimeout(expire, leftMs);
    },
    pause() {
      if (timer === null) return;
      clearTimeout(timer);
      timer = null;
      leftMs = Math.max(1, leftMs - (performance.now() - since));
    },
    heard() {
      leftMs = limitMs;
    },
  };
};
