import { describe, expect, test } from "bun:test";
import { withTopic } from "../../src/retrieval/assess.ts";
import type { Candidate } from "../../src/retrieval/scores/candidates.ts";
import { inverseDocumentFrequency } from "../../src/text/bm25.ts";
import { requestFor } from "../../tools/samples/snippets.ts";
import { sampleCandidate, sampleHit } from "./sample-hit.ts";

const candidate = (id: string, terms: string, name: string): Candidate =>
  sampleCandidate(sampleHit(id, { text: terms, titleTerms: name, textScore: 1 }), { text: 7 });

const snippets = 100;
/** Every word is in one snippet of a hundred, of twenty characters in the mean. */
const frequencies = {
  snippets,
  counts: new Map<string, number>(),
  titles: new Map<string, number>(),
  lengths: { characters: 20, terms: 4 },
};
const rarest = inverseDocumentFrequency(snippets, 1);

const asked = (query: string, answer: string) => {
  const history = [
    { role: "user" as const, text: "castle" },
    { role: "assistant" as const, text: answer },
  ];
  return requestFor(query, { history });
};
const scoresOf = async (
  query: string,
  answer: string,
  candidates: readonly Candidate[],
): Promise<Record<string, number>> => {
  const scored = await withTopic(candidates, asked(query, answer), frequencies, 0);
  return Object.fromEntries(scored.map(({ hit, text }) => [hit.id, text]));
};

describe("the topic of a follow-up", () => {
  const many = Array.from({ length: 20 }, (_, at) => `quarry${at}`).join(" ");
  const quoted = candidate("quoted", `castle ${many}`, "brenn");
  const wanted = candidate("wanted", "tower", "varn");

  test("weighs less than a few rare words, however long the answer was", async () => {
    const { quoted: held } = await scoresOf("tower", many, [quoted, wanted]);
    expect(held).toBeLessThan(2 * rarest);
    expect(held).toBeGreaterThan(rarest / 2);
  });

  test("does not hold back a question with a few words of its own", async () => {
    const own = candidate("own", "tower bell noon", "varn");
    const scores = await scoresOf("tower bell noon", many, [quoted, own]);
    expect(scores.own).toBeGreaterThan(scores.quoted ?? 0);
  });

  test("is made no more than a few times what its words are", async () => {
    const { quoted: held } = await scoresOf("tower", "", [candidate("quoted", "castle", "brenn"), wanted]);
    expect(held).toBeGreaterThan(0);
    expect(held).toBeLessThan(1.2 * rarest);
  });

  test("is the document more than the passage that was quoted", async () => {
    const sibling = candidate("sibling", "tower", "brenn");
    const scores = await scoresOf("tower", many, [quoted, wanted, sibling, candidate("other", "mill", "dorn")]);
    expect(scores.sibling).toBeGreaterThan(scores.quoted ?? 0);
    expect(scores.sibling).toBeGreaterThan(scores.wanted ?? 0);
  });

  test("is not told by a name that most documents have", async () => {
    const notes = [quoted, candidate("sibling", "tower", "x"), wanted].map((one) => ({
      ...one,
      hit: { ...one.hit, titleTerms: "note" },
    }));
    const scores = await scoresOf("tower", many, notes);
    expect(scores.sibling).toBe(scores.wanted as number);
  });
});

test("snippets of one document without a name are one topic", async () => {
  const [first, second] = ["castle", "tower"].map((terms) => {
    const { hit, ...scores } = candidate(terms, terms, "");
    return { ...scores, hit: { ...hit, documentId: "guide" } };
  }) as [Candidate, Candidate];
  const alone = candidate("alone", "tower", "");
  const scores = await scoresOf("tower", "", [first, second, alone]);
  expect(scores.tower).toBeGreaterThan(scores.alone as number);
});

test("a question without turns before it keeps its scores", async () => {
  const candidates = [candidate("a", "tower", "brenn")];
  expect(await withTopic(candidates, requestFor("tower"), frequencies, 0)).toEqual(candidates);
});
