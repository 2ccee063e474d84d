import { ApiError } from "./errors.ts";

/** Epoch milliseconds as the API writes times. */
export const isoTime = (epochMs: number): string => new Date(epochMs).toISOString();

const isoText = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * @param field that holds the text, for the error
 * @returns epoch milliseconds @throws ApiError invalid_request for anything but ISO 8601 with time zone
 */
export const readTime = (field: string, text: string): number => {
  const time = isoText.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse turns 31 February into a day of March.
  const [, year, month, day] = isoText.exec(text) ?? [];
  const isReal = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (Number.isNaN(time) || !isReal) {
    throw new ApiError(
      "invalid_request",
      `${field} must be a time in ISO 8601 with time zone, such as 2027-01-31T00:00:00Z.`,
      { errors: [{ path: field, message: "must be a time in ISO 8601 with time zone" }] },
    );
  }
  return time;
};

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
