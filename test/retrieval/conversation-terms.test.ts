import { expect, test } from "bun:test";
import { mergedTerms } from "../../src/retrieval/conversation-terms.ts";

const of = (terms: ReturnType<typeof mergedTerms>["terms"], wanted: string) =>
  terms.find(({ term }) => term === wanted);

test("a term of two texts has the weights of both, and is of the first one's word", () => {
  const { terms } = mergedTerms([
    { text: "Where is the harbour?", weight: 1 },
    { text: "Which ship left the harbour?", weight: 0.5 },
  ]);
  expect(of(terms, "harbour")).toEqual({ term: "harbour", weight: 1.5, word: 0 });
});

test("what an earlier turn has as a word of its own is not an inflection of the question's word", () => {
  const { terms } = mergedTerms([
    { text: "Und wann starb der Kapitän?", weight: 1 },
    { text: "Ist der Steuermann gestorben?", weight: 0.5 },
  ]);
  const died = of(terms, "starb");
  const earlier = of(terms, "gestorb");
  expect(earlier?.isInflection).toBeUndefined();
  expect(earlier?.weight).toBe(0.5);
  expect(earlier?.word).not.toBe(died?.word);
  expect(of(terms, "sterb")).toMatchObject({ word: died?.word ?? -1, isInflection: true });
});
