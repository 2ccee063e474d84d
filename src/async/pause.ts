import { setTimeout } from "node:timers/promises";

/** Resolves after the time, or when the signal fires. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
};
