import { expect, test } from "bun:test";
import { gateFeatureNames } from "../../../src/retrieval/calibration/feature-names.ts";
import { readingsInChat } from "../../../src/retrieval/conversation/readings-in-chat.ts";

/** Features of a question with this rarity of missing words, and this coverage. */
const read = (missing: number, coverage: number): number[] =>
  gateFeatureNames.map((name) => (name === "unexplained" ? missing : name === "covered" ? coverage : 0));
const place = gateFeatureNames.indexOf("covered");

/** The coverage of a question in a chat where it has none alone, .4 with the question before it, and .9 with all turns. */
const inChat = (missing: number): number | undefined =>
  readingsInChat({ alone: read(missing, 0), withLast: read(missing, 0.4), whole: read(missing, 0.9) })[1]?.[place];

test("a question that lacks words of its own is judged by them and the last question, another by the whole chat", () => {
  expect(inChat(1)).toBeCloseTo(0.2, 9);
  expect(inChat(0)).toBeCloseTo(0.9, 9);
  expect(inChat(0.35)).toBeCloseTo((0.2 + 0.9) / 2, 9);
});

test("it may also stand by itself", () => {
  const alone = read(1, 1);
  expect(readingsInChat({ alone, withLast: read(1, 0.4), whole: read(2, 0.9) })[0]).toEqual(alone);
});

test("where nothing is found there is nothing to read", () => {
  expect(readingsInChat({ alone: null, withLast: null, whole: null })).toEqual([]);
});
