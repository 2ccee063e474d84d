/**
 * Whatever looks at the process again and again does so at the same moments while the process rests. Bun's allocator
 * searches the heap for free pages after every wake-up: with the heap that 100,000 documents leave it took 2 ms, ten times
 * what the looks themselves took.
 */
export const restBeatMs = 5_000;

/**
 * Milliseconds until the next of these moments that is at least half a beat away: a timer that fires a little early is
 * not set for the same moment again.
 * @param now monotonic, in milliseconds
 */
export const untilRestBeat = (now: number = performance.now()): number => {
  const leftMs = restBeatMs - (now % restBeatMs);
  return leftMs < restBeatMs / 2 ? leftMs + restBeatMs : leftMs;
};
