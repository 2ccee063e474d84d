import { expect, test } from "bun:test";
import { restBeatMs, untilRestBeat } from "../../src/async/rest-beat.ts";

test("all wait for the same moments, and none for the one that it was just woken at", () => {
  for (const now of [0, 1, 900, 2_499, 2_501, 4_999.5, 5_000, 123_456.7]) {
    const untilMs = untilRestBeat(now);
    expect((now + untilMs) % restBeatMs).toBeCloseTo(0, 6);
    expect(untilMs).toBeGreaterThanOrEqual(restBeatMs / 2);
    expect(untilMs).toBeLessThanOrEqual(1.5 * restBeatMs);
  }
});
