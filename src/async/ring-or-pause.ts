import type { Bell } from "./bell.ts";
import { pause } from "./pause.ts";

/**
 * Resolves when the bell rings, at once if it rang since `rings` was read; after the time; or when the signal fires.
 * @param ms null: there is no time
 */
export const ringOrPause = async (
  bell: Pick<Bell, "next">,
  since: number,
  ms: number | null,
  signal: AbortSignal,
): Promise<void> => {
  const done = new AbortController();
  const either = AbortSignal.any([signal, done.signal]);
  const time = ms === null ? [] : [pause(ms, either)];
  await Promise.race([bell.next(since, either), ...time]).finally(() => done.abort());
};
