/** Calls back at a moment by the clock. It does not keep the process running. */
export interface DueTimer {
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
    const onEnd = (): void => (Date.now() < dueAt ? set(dueAt) : onDue());
    timer = setTimeout(onEnd, Math.min(Math.max(dueAt - Date.now(), 0), maxTimerMs));
    timer.unref();
  };
  return { set };
};
