import { pause } from "../../async/waiting.ts";
import type { DocumentStore } from "../contract/documents.ts";

/** How often it is looked whether the index is still behind. */
const lookEveryMs = 200;

/**
 * Makes the wait for an index that is behind. Beside questions and other work a batch of documents left 147,000 rows in 90
 * seconds that no index held, and a question took 1.2 s in place of 0.3 (docs/scale.md).
 */
export const createIndexWait = (isBehind: () => boolean): DocumentStore["untilIndexed"] => {
  /** When one of those in line was let through though the index was behind. */
  let letThroughAt = Number.NEGATIVE_INFINITY;
  return async ({ maxMs, isInLine }, signal) => {
    const beganAt = performance.now();
    const waitedMs = () => performance.now() - (isInLine ? Math.max(beganAt, letThroughAt) : beganAt);
    while (isBehind() && waitedMs() < maxMs && !signal.aborted) await pause(lookEveryMs, signal);
    if (isInLine && isBehind() && !signal.aborted) letThroughAt = performance.now();
  };
};
