/** A request that held this much leaves several times as much garbage. */
const longBytes = 8 * 1024 * 1024;
/** Requests that end within this time share one collection, which delays all others by some 50 ms. */
const pauseMs = 2_000;

/**
 * Collects garbage after requests that held much memory: on its own the engine may keep that for as long as nothing
 * else allocates.
 * @returns to be called at the end of each request, with the most bytes it held
 */
export const createGarbageCollection = (collect: () => void = () => Bun.gc(true)): ((peakBytes: number) => void) => {
  let timer: ReturnType<typeof setTimeout> | null = null;
  return (peakBytes) => {
    if (peakBytes < longBytes || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      collect();
    }, pauseMs);
    timer.unref();
  };
};
