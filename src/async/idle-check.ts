/**
 * Periodic checks of an idle process share their moments. After every wake-up Bun's allocator searches the heap for free
 * pages: with the heap that 100,000 documents leave that took 2 ms, ten times what the checks themselves took
 * (`bench/idle.ts`).
 */
export const idleCheckMs = 5_000;

/**
 * Milliseconds until the next of these moments that is at least half an interval away: a timer that fires a little early
 * is not set for the same moment again.
 * @param now monotonic, in milliseconds
 */
export const untilIdleCheck = (now: number = performance.now()): number => {
  const leftMs = idleCheckMs - (now % idleCheckMs);
  return leftMs < idleCheckMs / 2 ? leftMs + idleCheckMs : leftMs;
};
