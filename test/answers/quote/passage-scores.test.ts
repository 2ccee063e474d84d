import { expect, test } from "bun:test";
import { type ScoredText, scoresOfPassages } from "../../../src/answers/quote/passage-scores.ts";

const prose = (texts: readonly string[], snippet = 0): ScoredText[] =>
  texts.map((text) => ({ text, snippet, isProse: true, under: "" }));

/** Index of the highest score. */
const best = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));

test("a sentence that goes on from the one with the name beats one elsewhere that says as much", async () => {
  const texts = [
    "Rain fell.",
    "He was born in Ulm.",
    "Days went by.",
    "Anna Berg founded it.",
    "She was born in Bergen.",
  ];
  const [, elsewhere = 0, , name = 0, after = 0] = await scoresOfPassages("Where was Anna Berg born?", prose(texts));
  expect(after).toBeGreaterThan(elsewhere);
  expect(name).toBeGreaterThan(elsewhere);
});

test("the sentence before counts more than the one after, and neither as much as the sentence itself", async () => {
  const [before = 0, itself = 0, after = 0, far = 0] = await scoresOfPassages(
    "gate",
    prose(["Rain fell.", "The gate.", "It is old.", "Days went by."]),
  );
  expect(itself).toBeGreaterThan(after);
  expect(after).toBeGreaterThan(before);
  expect(before).toBeGreaterThan(far);
  expect(far).toBe(0);
});

test("what stands beside in another snippet, or in a list, counts nothing", async () => {
  const apart = await scoresOfPassages("gate", [...prose(["The gate."], 0), ...prose(["It is old."], 1)]);
  expect(apart[1]).toBe(0);
  const item = (text: string): ScoredText => ({ text, snippet: 0, isProse: false, under: "" });
  expect((await scoresOfPassages("gate", [item("- gate"), item("- wall")]))[1]).toBe(0);
});

test("a word of what the passage stands under counts, less than one of its own", async () => {
  const under = { snippet: 0, isProse: true, under: "Gate" };
  const [own = 0, titled = 0, other = 0] = await scoresOfPassages("gate", [
    { text: "The gate is old.", snippet: 0, isProse: true, under: "" },
    { ...under, text: "It closes at six." },
    { text: "Rain fell.", snippet: 0, isProse: true, under: "Weather" },
  ]);
  expect(own).toBeGreaterThan(titled);
  expect(titled).toBeGreaterThan(other);
  expect(other).toBeLessThan(0.5);
});

test.each([
  ["Wie stark war die Verteidigung?", "Die Verteidigungslinie hielt."],
  ["Who electrified the province?", "The electricians sit in Leiden."],
  ["Сколько стоит библиотечный билет?", "Библиотекари собрались вечером."],
])("a relative of a word is worth something: %s", async (question, relative) => {
  const [none = 1, some = 0] = await scoresOfPassages(question, [
    ...prose(["Rain 雨 дождь."], 0),
    ...prose([relative], 1),
  ]);
  expect(none).toBe(0);
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(1);
});

test("a few equal letters make no relative", async () => {
  expect(await scoresOfPassages("transformation", prose(["A transcontinental line."]))).toEqual([0]);
  expect(await scoresOfPassages("gate", prose(["A garden."]))).toEqual([0]);
});

test("a word that every passage holds decides nothing, and nothing scores nothing", async () => {
  const scores = await scoresOfPassages("gate opens", prose(["The gate opens.", "The gate."]));
  expect(best(scores)).toBe(0);
  expect(await scoresOfPassages("", prose(["The gate."]))).toEqual([0]);
  expect(await scoresOfPassages("gate", [])).toEqual([]);
});
