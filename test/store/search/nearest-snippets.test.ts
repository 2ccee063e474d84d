import { expect, test } from "bun:test";
import fc from "fast-check";
import { createBest } from "../../../src/store/search/found-snippets.ts";

test("the best of many are those that sorting all of them finds, of equals the first", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 300 }), fc.nat({ max: 12 }), (scores, limit) => {
      const all = scores.map((score, at) => ({ score, at }));
      const best = createBest<(typeof all)[number]>(limit, ({ score }) => score);
      for (const one of all) best.add(one);
      expect(best.list()).toEqual(all.toSorted((one, other) => other.score - one.score).slice(0, limit));
    }),
  );
});
