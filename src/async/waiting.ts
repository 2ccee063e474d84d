import { setTimeout as timePassed } from "node:timers/promises";

/** Called when a signal fires, in the order they were added. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal fires; one that has fired already calls nothing. A thousand callers that wait on one
 * signal cost it one listener: an `AbortSignal` searches its list from the start at every removal.
 * @returns removes the callback
 */
export const onAbort = (signal: AbortSignal, callback: () => void): (() => void) => {
  let waiting = callbacks.get(signal);
  if (waiting === undefined) {
    waiting = new Set();
    callbacks.set(signal, waiting);
    const all = waiting;
    signal.addEventListener(
      "abort",
      () => {
        for (const call of all) call();
      },
      { once: true },
    );
  }
  const own = () => callback();
  waiting.add(own);
  return () => void waiting.delete(own);
};

/**
 * The result of work that cannot be canceled, or the signal's reason as soon as it fires: the result is then ignored.
 * @throws what the work throws; the signal's reason
 */
export const unlessAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });

/** Time for tidying up that outlives an abort. */
interface Grace {
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

/** Wakes callers that wait for something to happen. */
export interface Notifier {
  /** How often it has notified: compare it with an earlier count to see whether it did in between. */
  readonly count: number;
  notify(): void;
  /** Resolves at the next `notify`, at once if there was one since `count` was read, or when the signal fires. */
  next(since: number, signal: AbortSignal): Promise<void>;
}

export const createNotifier = (): Notifier => {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    get count() {
      return count;
    },
    notify() {
      count += 1;
      for (const wake of [...waiting]) wake();
    },
    next(since, signal) {
      if (count !== since || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          signal.removeEventListener("abort", wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener("abort", wake, { once: true });
      });
    },
  };
};

/**
 * Resolves at the next `notify`, at once if there was one since `count` was read; after the time; or when the signal fires.
 * @param ms null: there is no time
 */
export const notifiedOrPause = async (
  notifier: Pick<Notifier, "next">,
  since: number,
  ms: number | null,
  signal: AbortSignal,
): Promise<void> => {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const time = ms === null ? [] : [pause(ms, either)];
  await Promise.race([notifier.next(since, either), ...time]).finally(() => done.abort());
};

/** Reads from a stream whose sender may fall silent. @returns the next chunk, `done` at the end of the stream; null where nothing came for `maxSilentMs` */
export const readUnlessSilent = async <Chunk>(
  reader: { read(): Promise<{ done: true; value?: unknown } | { done: false; value: Chunk }> },
  maxSilentMs: number,
): Promise<{ done: true } | { done: false; value: Chunk } | null> => {
  const silence = Promise.withResolvers<null>();
  // Where this process was busy for long, what came meanwhile is looked at before the time counts as over.
  const timer = setTimeout(() => setImmediate(() => silence.resolve(null)), maxSilentMs);
  try {
    const next = await Promise.race([reader.read(), silence.promise]);
    if (next === null) return null;
    return next.done ? { done: true } : { done: false, value: next.value };
  } finally {
    clearTimeout(timer);
  }
};
