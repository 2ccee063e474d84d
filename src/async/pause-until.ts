import { createDueTimer } from "./due-timer.ts";
import { onAbort } from "./on-abort.ts";

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
