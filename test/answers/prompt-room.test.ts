import { expect, test } from "bun:test";
import fc from "fast-check";
import { roomAfterRefusal } from "../../src/answers/prompt/prompt-room.ts";

test("sizes that the server told decide", () => {
  const room = { contextTokens: 8_192, factor: 1 };
  const sizes = { limitTokens: 4_096, promptTokens: 6_000 };
  expect(roomAfterRefusal(room, 3_000, sizes, true)).toEqual({ contextTokens: 4_096, factor: 2 });
  // The prompt fits, and the answer beside it did not: nothing is to be cut.
  expect(roomAfterRefusal(room, 3_000, { limitTokens: 8_192, promptTokens: 2_000 }, true)).toEqual(room);
});

test("without sizes the prompt is known to take more than the context", () => {
  const { factor } = roomAfterRefusal({ contextTokens: 4_096, factor: 1 }, 3_000, null, true);
  expect(factor * 3_000).toBeGreaterThan(4_096);
});

test("whatever a server tells, the context never grows and a second refusal makes the room smaller", () => {
  const size = fc.option(fc.integer({ min: 1, max: 999_999_999 }));
  fc.assert(
    fc.property(
      fc.integer({ min: 256, max: 1_000_000 }),
      fc.double({ min: 1, max: 8, noNaN: true }),
      fc.integer({ min: 0, max: 1_000_000 }),
      size,
      size,
      (contextTokens, factor, estimated, limitTokens, promptTokens) => {
        const next = roomAfterRefusal({ contextTokens, factor }, estimated, { limitTokens, promptTokens }, false);
        expect(next.contextTokens).toBeLessThanOrEqual(contextTokens);
        expect(next.contextTokens).toBeGreaterThanOrEqual(64);
        expect(next.factor).toBeGreaterThanOrEqual(factor * 1.5);
        expect(Number.isFinite(next.factor)).toBe(true);
      },
    ),
  );
});
