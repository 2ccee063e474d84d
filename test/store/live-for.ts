import { setSystemTime } from "bun:test";
import type { Ages } from "../../src/store/contract.ts";

const stepMs = 23 * 3_600_000;

/** Lets days pass for a store that is in use: the system's time goes on as it does, not in one leap. */
export const liveFor = (ages: Ages, days: number): void => {
  for (let left = days * 86_400_000; left > 0; left -= stepMs) {
    setSystemTime(new Date(Date.now() + Math.min(left, stepMs)));
    ages.of(0);
  }
};
