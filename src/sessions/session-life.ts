import type { Session } from "../domain/records.ts";

const hourMs = 3_600_000;
/** A session ends when nobody used it for so long. */
export const maxIdleMs = 12 * hourMs;
/** It ends then in any case. */
export const maxSessionMs = 30 * 24 * hourMs;

/** @param now epoch milliseconds */
export const isAlive = ({ createdAt, seenAt }: Session, now: number): boolean =>
  now < seenAt + maxIdleMs && now < createdAt + maxSessionMs;
