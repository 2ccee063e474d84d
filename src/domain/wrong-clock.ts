/** Clocks of two machines, or of one before and after it was set, differ by less. */
const maxClockErrorMs = 86_400_000;

/**
 * Whether a time (epoch ms) was written while the clock was wrong: machines without a battery start in any year. What
 * was dated so would be the newest for years, so that no backup is due and every new one counts as older.
 */
export const isFromWrongClock = (time: number): boolean => time > Date.now() + maxClockErrorMs;

/** Sorts the newest first; what is dated by a wrong clock comes last. The times are epoch ms. */
export const newestFirst = (one: number, other: number): number =>
  Number(isFromWrongClock(one)) - Number(isFromWrongClock(other)) || other - one;
