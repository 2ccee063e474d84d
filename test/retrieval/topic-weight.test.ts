import { describe, expect, test } from "bun:test";
import { type TopicFit, topicRaise } from "../../src/retrieval/assess.ts";
import { topicWeights } from "../../src/retrieval/scores/fusion-weights.ts";

const rarest = 5;
/** Three candidates: the first two are about the topic, the third is not. */
const fit = (own: readonly number[], rest: Partial<TopicFit> = {}): TopicFit => ({
  own,
  topics: [10, 8, 1],
  total: 4 * rarest,
  rarest,
  dense: 0,
  ...rest,
});
/** What the topic is raised by where the question leads elsewhere by so many rare words. */
const raiseAt = (lead: number, rest?: Partial<TopicFit>): number =>
  topicRaise(fit([0, rarest, (1 + lead) * rarest], rest)) / rarest;

describe("the turns before a question", () => {
  test("weigh fully where documents of the topic answer it best", () => {
    expect(topicRaise(fit([3 * rarest, 0, rarest]))).toBe(topicWeights.rareWords * rarest);
  });

  test("weigh fully where others answer it hardly better", () => {
    expect(raiseAt(topicWeights.stays)).toBeCloseTo(topicWeights.rareWords);
  });

  test("weigh less, the better others answer it", () => {
    const raises = [0.75, 1, 1.25].map((lead) => raiseAt(lead));
    expect(raises).toEqual(raises.toSorted((a, z) => z - a));
    expect(new Set(raises).size).toBe(raises.length);
  });

  test("leave a question that leads elsewhere, but for a little", () => {
    expect(raiseAt(topicWeights.leaves)).toBeCloseTo(topicWeights.lasting / 2);
    expect(raiseAt(10)).toBe(raiseAt(topicWeights.leaves));
  });

  test("leave less to the topic where the question has more words of its own", () => {
    expect(raiseAt(3, { total: 8 * rarest })).toBeLessThan(raiseAt(3, { total: 2 * rarest }));
  });

  test("weigh more in a script without spaces, where a word is several terms", () => {
    expect(raiseAt(1.3, { dense: 1 })).toBeGreaterThan(1.5 * raiseAt(1.3));
  });
});
