import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { answerable, coefficients } from "../../../src/retrieval/judge/coefficients.ts";
import { featureNames, featureSigns, type Measured } from "../../../src/retrieval/judge/features.ts";
import { judge, judgeReadings, readingsInChat, shareBelow, wishFor } from "../../../src/retrieval/judge/judge.ts";

const nothing = {
  ...Object.fromEntries(featureNames.map((name) => [name, 0])),
  missing: 0,
  rise: 0,
  small: 0,
  large: 0,
};
const measuredAs = (values: Partial<Measured>): Measured => ({ ...nothing, offset: 1, ...values }) as Measured;

/** Measured of a question with this part of its words in one snippet, and nothing else. */
const covered = (part: number): Measured => measuredAs({ covered: part, alike: part, narrow: part });

test("each weight speaks for an answer or against one, as its feature does", () => {
  for (const [at, name] of featureNames.entries())
    expect([name, coefficients[name] * (featureSigns[at] ?? 0) >= 0]).toEqual([name, true]);
  expect(answerable).toEqual([...answerable].sort((a, b) => a - b));
});

describe("the wish", () => {
  test("is a part of the answerable questions that may be refused", () => {
    expect(wishFor(0.05)).toBeCloseTo(0.5, 9);
    expect(wishFor(0)).toBe(0);
    expect(wishFor(1)).toBe(1);
    expect(wishFor(0.022)).toBeCloseTo(0.3, 2);
  });

  test("keeps the order of what is beyond all known questions", () => {
    expect(shareBelow([1, 2, 3], 0)).toBeLessThan(shareBelow([1, 2, 3], 1));
    expect(shareBelow([1, 2, 3], 2)).toBe(0.5);
    expect(shareBelow([1, 2, 3], 5)).toBeLessThan(shareBelow([1, 2, 3], 6));
  });
});

test("the more is found, the surer the judge", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
      const [low, high] = [judge(covered(Math.min(a, b))), judge(covered(Math.max(a, b)))];
      // Parts that differ in their last bits may be rounded either way.
      expect(high.refusedAbove).toBeGreaterThanOrEqual(low.refusedAbove - 1e-12);
      expect(high.confidence).toBeGreaterThanOrEqual(low.confidence - 1e-12);
    }),
  );
  expect(judge(covered(0.9)).confidence).toBeGreaterThan(judge(covered(0.2)).confidence + 0.1);
});

test("noise is near neither by its words nor in meaning; nothing found is nothing", () => {
  expect(judge(null)).toEqual({ confidence: 0, refusedAbove: 0, isNear: false });
  expect(judge(covered(0.05)).isNear).toBe(false);
  expect(judge(covered(0.15)).isNear).toBe(true);
  expect(judge(measuredAs({ rise: 3 })).isNear).toBe(true);
});

test("of several readings the one that speaks most for an answer counts", () => {
  expect(judgeReadings([covered(0.1), covered(0.8), covered(0.3)])).toEqual(judge(covered(0.8)));
  expect(judgeReadings([])).toEqual(judge(null));
});

describe("a question in a chat", () => {
  /** With this rarity of words that are missing, and this part of its words found. */
  const read = (missing: number, part: number): Measured => measuredAs({ missing, covered: part });

  /** The part that is found in a chat: none of it alone, .4 with the question before it, and .9 with all turns. */
  const inChat = (missing: number): number | undefined =>
    readingsInChat({ alone: read(missing, 0), withLast: read(missing, 0.4), whole: read(missing, 0.9) })[1]?.covered;

  test("that lacks words of its own is judged by them and the last question, another by the whole chat", () => {
    expect(inChat(1)).toBeCloseTo(0.2, 9);
    expect(inChat(0)).toBeCloseTo(0.9, 9);
    expect(inChat(0.35)).toBeCloseTo((0.2 + 0.9) / 2, 9);
  });

  test("may also stand by itself, and is not read where nothing is found", () => {
    const alone = read(1, 1);
    expect(readingsInChat({ alone, withLast: read(1, 0.4), whole: read(2, 0.9) })[0]).toEqual(alone);
    expect(readingsInChat({ alone: null, withLast: null, whole: null })).toEqual([]);
  });
});
