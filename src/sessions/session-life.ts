import type { Session } from "../domain/records.ts";

const hourMs = 3_600_000;
/** A session that was not used for this long ends. */
const maxIdleMs = 12 * hourMs;
/** A session ends at this age in any case. */
export const maxSessionMs = 30 * 24 * hourMs;

/** @param now epoch milliseconds */
export const isAlive = ({ createdAt, seenAt }: Session, now: number): boolean =>
  now < seenAt + maxIdleMs && now < createdAt + maxSessionMs;
