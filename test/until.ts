/** How long a test waits for what must come: far longer than it takes, since machines have slow moments. */
export const maxWaitMs = 120_000;

/** A look is often a request, which costs others their time: looks get rarer the longer it takes. */
const pauses = { firstMs: 20, longestMs: 150, growth: 1.2 };

const nextPause = (pauseMs: number): number => Math.min(pauseMs * pauses.growth, pauses.longestMs);

/** Waits until something holds. @throws Error that says what did not come, after `maxWaitMs` */
export const until = async (holds: () => boolean | Promise<boolean>, what = holds.toString()): Promise<void> => {
  const end = performance.now() + maxWaitMs;
  for (let pauseMs = pauses.firstMs; !(await holds()); pauseMs = nextPause(pauseMs)) {
    if (performance.now() > end) throw new Error(`not within ${maxWaitMs} ms: ${what}`);
    await Bun.sleep(pauseMs);
  }
};

/**
 * Looks again until its assertions hold: for what comes by itself, a moment after what the test did.
 * @returns what the last look gave
 * @throws what it threw last, after `maxWaitMs`
 */
export const eventually = async <Found>(look: () => Found | Promise<Found>): Promise<Found> => {
  const end = performance.now() + maxWaitMs;
  for (let pauseMs = pauses.firstMs; ; pauseMs = nextPause(pauseMs)) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await Bun.sleep(pauseMs);
  }
};
