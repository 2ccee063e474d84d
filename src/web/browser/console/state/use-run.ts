import { type Signal, useSignal } from "@preact/signals";

/** Work that a person starts, one piece at a time. */
export interface Run {
  isRunning: Signal<boolean>;
  /** What went wrong the last time; null: nothing. */
  failure: Signal<unknown>;
  /** Does the work, unless some runs already. It never throws. */
  run(work: () => Promise<unknown>): Promise<void>;
}

export const useRun = (): Run => {
  const isRunning = useSignal(false);
  const failure = useSignal<unknown>(null);
  return {
    isRunning,
    failure,
    async run(work) {
      if (isRunning.value) return;
      isRunning.value = true;
      failure.value = null;
      try {
        await work();
      } catch (error) {
        failure.value = error;
      } finally {
        isRunning.value = false;
      }
    },
  };
};
