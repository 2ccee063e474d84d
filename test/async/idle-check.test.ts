import { expect, test } from "bun:test";
import { idleCheckMs, untilIdleCheck } from "../../src/async/idle-check.ts";

test("all wait for the same moments, and none for the one that it was just woken at", () => {
  for (const now of [0, 1, 900, 2_499, 2_501, 4_999.5, 5_000, 123_456.7]) {
    const untilMs = untilIdleCheck(now);
    expect((now + untilMs) % idleCheckMs).toBeCloseTo(0, 6);
    expect(untilMs).toBeGreaterThanOrEqual(idleCheckMs / 2);
    expect(untilMs).toBeLessThanOrEqual(1.5 * idleCheckMs);
  }
});
