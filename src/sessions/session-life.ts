import type { Session } from "../domain/records.ts";
import type { Ages } from "../store/contract.ts";

const hourMs = 3_600_000;
/** A session that was not used for this long ends. */
const maxIdleMs = 12 * hourMs;
/** A session ends at this age in any case. */
export const maxSessionMs = 30 * 24 * hourMs;

/** Whether a session is over for good, however wrong the clock is. */
export const isOver = ({ createdAt, seenAt }: Session, ages: Ages): boolean =>
  ages.of(seenAt) >= maxIdleMs || ages.of(createdAt) >= maxSessionMs;

/** Whether a session counts now: by the clock too, since machines sleep. @param now epoch milliseconds */
export const isAlive = (session: Session, ages: Ages, now: number): boolean =>
  now < session.seenAt + maxIdleMs && now < session.createdAt + maxSessionMs && !isOver(session, ages);
