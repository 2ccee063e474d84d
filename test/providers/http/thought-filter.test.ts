import { expect, test } from "bun:test";
import fc from "fast-check";
import { createThoughtFilter } from "../../../providers/http/model-text.ts";

const filtered = (deltas: readonly string[]): string => {
  const filter = createThoughtFilter();
  return deltas.map((delta) => filter.push(delta)).join("") + filter.flush();
};

/** The text cut into deltas at the given places. */
const cutAt = (text: string, places: readonly number[]): string[] => {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...cuts].map((from, i) => text.slice(from, cuts[i] ?? text.length));
};

test("a leading thought is taken out however the stream is cut", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.array(fc.nat()), (thought, answer, places) => {
      fc.pre(!thought.includes("</think>") && answer.trimStart() === answer);
      expect(filtered(cutAt(`<think>${thought}</think>${answer}`, places))).toBe(answer);
    }),
  );
});

test("an answer without a leading thought is left alone however the stream is cut", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat()), (answer, places) => {
      fc.pre(!answer.trimStart().startsWith("<think>"));
      expect(filtered(cutAt(answer, places))).toBe(answer);
    }),
  );
});

test("a later mark is text, and a thought that never ends shows nothing", () => {
  expect(filtered(["Use <think> tags", " like </think> this"])).toBe("Use <think> tags like </think> this");
  expect(filtered(["<think>I wonder", " and wonder"])).toBe("");
});
