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

/**
 * Measures the CPU time of the process, all its threads together: it shows whether there is work, in whichever thread.
 * @returns milliseconds since the last call, or since the meter was made
 */
export const createCpuMeter = (): (() => number) => {
  const usedMs = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  let last = usedMs();
  return () => {
    const before = last;
    last = usedMs();
    return last - before;
  };
};
