/** A request that held this much leaves several times as much behind. */
const longBytes = 8 * 1024 * 1024;
/** Requests that end within this time are tidied up after together: a collection holds up all others for some 50 ms. */
const pauseMs = 2_000;

/**
 * Tidies up after long requests: left to itself the engine may keep what they used for as long as nothing else asks for
 * memory.
 * @returns to be told, of each request that has ended, the most it held
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
