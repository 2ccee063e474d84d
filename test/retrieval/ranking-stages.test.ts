import { describe, expect, test } from "bun:test";
import type { Candidate } from "../../src/retrieval/candidates.ts";
import { withoutDuplicates } from "../../src/retrieval/duplicates.ts";
import { fuse, type Ranked } from "../../src/retrieval/fuse.ts";
import { withNeighborSupport } from "../../src/retrieval/neighbor-support.ts";
import { spreadOverDocuments } from "../../src/retrieval/spread.ts";
import { countTerm, createTextScorer, inverseDocumentFrequency } from "../../src/retrieval/text-score.ts";

const candidate = (id: string, change: Partial<Candidate> & { hit?: Partial<Candidate["hit"]> } = {}): Candidate => ({
  text: 0,
  coverage: 0,
  cosine: null,
  ...change,
  hit: {
    id,
    organizationId: "o",
    documentId: `document of ${id}`,
    partitionId: null,
    revision: "r",
    position: 0,
    text: `text of ${id}`,
    context: "",
    headings: [],
    page: null,
    start: 0,
    end: 9,
    terms: `text of ${id}`,
    headingTerms: "",
    titleTerms: "",
    textScore: null,
    modelVector: null,
    vector: null,
    ...change.hit,
  },
});

const ranked = (id: string, score: number, hit: Partial<Candidate["hit"]> = {}): Ranked => ({
  ...candidate(id, { hit: hit as Candidate["hit"] }),
  score,
});

const idsOf = (list: readonly Ranked[]): string[] => list.map(({ hit }) => hit.id);

describe("fusion", () => {
  const scored = [
    candidate("a", { text: 10, cosine: 0.2 }),
    candidate("b", { text: 5, cosine: 0.6 }),
    candidate("c", { cosine: 0.4 }),
  ];
  const scoresOf = (fused: readonly Ranked[]): Record<string, number> =>
    Object.fromEntries(fused.map(({ hit, score }) => [hit.id, Number(score.toFixed(4))]));

  test("text counts as a part of the best, cosine between least and most", () => {
    const fused = fuse(scored, 0.5);
    expect(idsOf(fused)).toEqual(["b", "a", "c"]);
    // The best by text holds no word of the question: 1.35 times the weight, 0.675.
    expect(scoresOf(fused)).toEqual({
      a: Number((0.325 ** (2 / 3)).toFixed(4)),
      b: Number(((0.325 * 0.5 ** 1.5 + 0.675) ** (2 / 3)).toFixed(4)),
      c: Number(((0.675 * 0.25) ** (2 / 3)).toFixed(4)),
    });
  });

  test("the more of the question full text finds, the less vectors count", () => {
    const found = scored.map((each) => ({ ...each, coverage: each.text / 10 }));
    expect(idsOf(fuse(found, 0.5))).toEqual(["a", "b", "c"]);
  });

  test("at 0 text alone decides, at 1 vectors alone", () => {
    expect(scoresOf(fuse(scored, 0))).toEqual({ a: 1, b: 0.5, c: 0 });
    expect(idsOf(fuse(scored, 1))).toEqual(["b", "c", "a"]);
    const found = scored.map((each) => ({ ...each, coverage: each.text / 10 }));
    expect(scoresOf(fuse(found, 1))).toEqual(scoresOf(fuse(scored, 1)));
  });

  test("stays a number where one leg says nothing", () => {
    for (const { score } of fuse([candidate("a"), candidate("b", { cosine: 0.5 })], 0.3)) expect(score).toBe(0);
    expect(fuse([], 0.3)).toEqual([]);
  });
});

describe("text score", () => {
  const words = [
    {
      forms: [
        { term: "run", idf: 1 },
        { term: "running", idf: 2 },
      ],
      weight: 1,
    },
    { forms: [{ term: "gate", idf: 3 }], weight: 1 },
  ];
  const scorer = createTextScorer(words, 10);
  const fields = (terms: string, titleTerms = "") => ({ terms, titleTerms, headingTerms: "" });

  test("a word counts once, by its best form", () => {
    const both = scorer.score(fields("running run xx"));
    const one = scorer.score(fields("running xxx xx"));
    expect(both.score).toBeCloseTo(one.score, 10);
    expect(one.score).toBeGreaterThan(scorer.score(fields("xxxxxxx run xx")).score);
  });

  test("coverage is the part of the words by rarity", () => {
    expect(scorer.score(fields("gate")).coverage).toBeCloseTo(0.75, 10);
    expect(scorer.score(fields("run gate")).coverage).toBe(1);
    expect(scorer.score(fields("")).coverage).toBe(0);
  });

  test("the title lifts a snippet that has the word nowhere else", () => {
    expect(scorer.score(fields("xxxx", "gate")).score).toBeGreaterThan(0);
    expect(scorer.score(fields("gate", "gate")).score).toBeGreaterThan(scorer.score(fields("gate")).score);
  });

  test("terms are counted whole", () => {
    expect(countTerm("run running run rerun run", "run")).toBe(3);
    expect(countTerm("aa aaa aa", "aa")).toBe(2);
    expect(countTerm("", "aa")).toBe(0);
  });

  test("rarity is never negative", () => {
    expect(inverseDocumentFrequency(10, 10)).toBeGreaterThan(0);
    expect(inverseDocumentFrequency(10, 0)).toBeGreaterThan(inverseDocumentFrequency(10, 1));
  });
});

describe("near-duplicates", () => {
  const sentence =
    "the gate of the yard closes at noon on every working day of the whole long year except the holidays";
  test("what says the same is dropped, the better one stays", () => {
    const list = [
      ranked("a", 0.9, { terms: sentence }),
      ranked("b", 0.8, { terms: sentence.replace("gate of the yard", "yard of the gate") }),
      ranked("c", 0.7),
    ];
    const { kept, dropped } = withoutDuplicates(list, 6);
    expect(idsOf(kept)).toEqual(["a", "c"]);
    expect(dropped).toBe(1);
  });

  test("the same words with another number say something else", () => {
    const list = [ranked("a", 0.9, { terms: `${sentence} 2016` }), ranked("b", 0.8, { terms: `${sentence} 2017` })];
    expect(withoutDuplicates(list, 6).dropped).toBe(0);
  });
});

test("near equals come from different documents, a clear best keeps its snippets", () => {
  const near = [
    ranked("a", 0.9, { documentId: "1" }),
    ranked("b", 0.895, { documentId: "1" }),
    ranked("c", 0.89, { documentId: "2" }),
  ];
  expect(idsOf(spreadOverDocuments(near, 3))).toEqual(["a", "c", "b"]);
  const clear = [
    ranked("a", 0.9, { documentId: "1" }),
    ranked("b", 0.8, { documentId: "1" }),
    ranked("c", 0.5, { documentId: "2" }),
  ];
  expect(idsOf(spreadOverDocuments(clear, 3))).toEqual(["a", "b", "c"]);
  expect(idsOf(spreadOverDocuments(clear, 1))).toEqual(["a", "b", "c"]);
});

describe("neighbors", () => {
  const place = (id: string, score: number, position: number, text = "plain words") =>
    ranked(id, score, { documentId: "1", position, text });
  test("prose whose neighbor was found too is raised", () => {
    const raised = withNeighborSupport([ranked("x", 0.52), place("a", 0.9, 4), place("b", 0.5, 5)]);
    expect(idsOf(raised)).toEqual(["a", "b", "x"]);
    for (const { score } of raised) expect(score).toBeLessThanOrEqual(1);
  });
  test("code is not", () => {
    const code = "if (a) { b[c]; }";
    expect(idsOf(withNeighborSupport([ranked("x", 0.52), place("a", 0.9, 4), place("b", 0.5, 5, code)]))).toEqual([
      "a",
      "x",
      "b",
    ]);
  });
});
