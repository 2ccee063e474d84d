const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long a delivery is tried. */
const GIVE_UP_AFTER_MS = 24 * HOUR;

/** Pauses between attempts; the last one holds from there on. */
const PAUSES_MS = [
  2 * SECOND,
  5 * SECOND,
  15 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
];

/**
 * When a failed delivery is tried again.
 * @param attempts how often it was tried, this time included
 * @param sinceMs how long ago the day began
 * @param random in [0, 1): spreads deliveries that failed together
 * @returns the pause in milliseconds; null where a day of it is enough
 */
export const pauseBeforeAttempt = (attempts: number, sinceMs: number, random: number): number | null => {
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? 0;
  const spreadMs = pauseMs * (0.75 + random / 4);
  return sinceMs + spreadMs > GIVE_UP_AFTER_MS ? null : spreadMs;
};
