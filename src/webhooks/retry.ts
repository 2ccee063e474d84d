const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** How long a delivery is tried. */
const giveUpAfterMs = 24 * hourMs;

/** Pauses between attempts; the last one is repeated. */
const pausesMs = [
  2 * secondMs,
  5 * secondMs,
  15 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
];

/** No delivery waits longer: a moment that is further away was set by a clock that was wrong. */
export const longestPauseMs = Math.max(...pausesMs);

/**
 * How long to wait before a failed delivery is tried again.
 * @param attempts how often it was tried, this time included
 * @param sinceMs time since the first attempt was due
 * @param random in [0, 1): spreads deliveries that failed together
 * @returns the pause in milliseconds; null where the delivery is given up
 */
export const pauseBeforeAttempt = (attempts: number, sinceMs: number, random: number): number | null => {
  const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;
  const spreadMs = pauseMs * (0.75 + random / 4);
  return sinceMs + spreadMs > giveUpAfterMs ? null : spreadMs;
};
