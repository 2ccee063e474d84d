import { describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { spreadOverDocuments, withoutDuplicates } from "../../src/retrieval/duplicates.ts";
import type { Candidate } from "../../src/retrieval/scores/candidates.ts";
import { fuse, type Ranked } from "../../src/retrieval/scores/fuse.ts";
import { createTextScorer, queryWords } from "../../src/retrieval/scores/text-score.ts";
import { scoreByVectors, type VectorWeights, weightsFor } from "../../src/retrieval/scores/vector-score.ts";
import type { QueryTerm } from "../../src/text/analysis/analyze.ts";
import { countTerm, createTermCounter, inverseDocumentFrequency } from "../../src/text/bm25.ts";
import { sampleCandidate, sampleHit } from "./sample-hit.ts";

const candidate = (
  id: string,
  { hit, ...change }: Partial<Omit<Candidate, "hit">> & { hit?: Partial<Candidate["hit"]> } = {},
): Candidate => sampleCandidate(sampleHit(id, { end: 9, ...hit }), change);

const ranked = (id: string, score: number, hit: Partial<Candidate["hit"]> = {}): Ranked => ({
  ...candidate(id, { hit }),
  score,
});

const idsOf = (list: readonly Ranked[]): string[] => list.map(({ hit }) => hit.id);

/** Weights of the index's vectors and, where there are any, of the model's. */
const weights = (index: number, model = 0): VectorWeights => ({ index, model });

describe("fusion", () => {
  const scored = [
    candidate("a", { text: 10, cosine: 0.2 }),
    candidate("b", { text: 5, cosine: 0.6 }),
    candidate("c", { cosine: 0.4 }),
  ];
  const scoresOf = (fused: readonly Ranked[]): Record<string, number> =>
    Object.fromEntries(fused.map(({ hit, score }) => [hit.id, Number(score.toFixed(4))]));

  test("text counts as a part of the best, cosine between least and most", () => {
    const fused = fuse(scored, weights(0.5));
    expect(idsOf(fused)).toEqual(["b", "a", "c"]);
    // The best by text holds no word of the question: the vectors count most, 0.75.
    expect(scoresOf(fused)).toEqual({
      a: Number((0.25 ** (2 / 3)).toFixed(4)),
      b: Number(((0.25 * 0.5 ** 1.5 + 0.75) ** (2 / 3)).toFixed(4)),
      c: Number(((0.75 * 0.25) ** (2 / 3)).toFixed(4)),
    });
    // It holds 0.4 of the words: 1.35 − 0.4, and four times the tenth that is missing to a half.
    const partly = fuse(
      scored.map((each) => ({ ...each, coverage: each.hit.id === "a" ? 0.4 : 0 })),
      weights(0.5),
    );
    expect(scoresOf(partly)["a"]).toBe(Number(((1 - 0.5 * (0.95 + 0.4)) ** (2 / 3)).toFixed(4)));
  });

  test("the more of the question full text finds, the less vectors count", () => {
    const found = scored.map((each) => ({ ...each, coverage: each.text / 10 }));
    expect(idsOf(fuse(found, weights(0.5)))).toEqual(["a", "b", "c"]);
  });

  test("at 0 text alone decides, at 1 vectors alone", () => {
    expect(scoresOf(fuse(scored, weights(0)))).toEqual({ a: 1, b: 0.5, c: 0 });
    expect(idsOf(fuse(scored, weights(1)))).toEqual(["b", "c", "a"]);
    const found = scored.map((each) => ({ ...each, coverage: each.text / 10 }));
    expect(scoresOf(fuse(found, weights(1)))).toEqual(scoresOf(fuse(scored, weights(1))));
  });

  test("stays a number where one leg says nothing", () => {
    for (const { score } of fuse([candidate("a"), candidate("b", { cosine: 0.5 })], weights(0.3)))
      expect(score).toBe(0);
    expect(fuse([], weights(0.3))).toEqual([]);
  });
});

describe("vectors of two models", () => {
  /** The index likes a, the model c; full text says nothing. */
  const found = (known: (at: number) => boolean): Candidate[] =>
    ["a", "b", "c", "d"].map((id, at) =>
      candidate(id, {
        cosine: [0.9, 0.5, 0.3, 0.1][at] ?? 0,
        modelCosine: known(at) ? ([0.1, 0.5, 0.8, 0.2][at] ?? 0) : null,
      }),
    );
  const scoresOf = (list: readonly Candidate[]): number[] => scoreByVectors(list, weights(0.25, 0.5)).scores;

  test("without the model's, the index decides, with its weight", () => {
    const { scores, weight } = scoreByVectors(
      found(() => false),
      weights(0.25, 0.5),
    );
    expect(scores).toEqual([1, 0.5, 0.25, 0].map((score) => expect.closeTo(score, 10)));
    expect(weight).toBe(0.25);
  });

  test("with all of them, the model decides, with its weight", () => {
    const { scores, weight } = scoreByVectors(
      found(() => true),
      weights(0.25, 0.5),
    );
    expect(scores).toEqual([0, 4 / 7, 1, 1 / 7].map((score) => expect.closeTo(score, 10)));
    expect(weight).toBe(0.5);
  });

  test("each further vector moves the weight by one step, and no candidate by more than it", () => {
    const many = Array.from({ length: 40 }, (_, at) => ({ cosine: Math.sin(at), modelCosine: Math.sin(at * 1.1) }));
    const at = (count: number) =>
      scoreByVectors(
        many.map(({ cosine, modelCosine }, place) =>
          candidate(String(place), { cosine, modelCosine: place < count ? modelCosine : null }),
        ),
        weights(0.25, 0.5),
      );
    for (let count = 0; count < many.length; count++) {
      const [before, after] = [at(count), at(count + 1)];
      expect(after.weight - before.weight).toBeCloseTo(0.25 / many.length, 10);
    }
    expect(at(0).scores).not.toEqual(at(many.length).scores);
  });

  test("a candidate without the model's vector is estimated from its place in the index", () => {
    const line = Array.from({ length: 30 }, (_, at) =>
      candidate(String(at), { cosine: at / 30, modelCosine: at % 10 === 9 ? null : at / 30 }),
    );
    const scores = scoresOf(line);
    expect(scores[19] ?? 0).toBeGreaterThan(scores[9] ?? 1);
    expect(scores[29] ?? 0).toBeGreaterThan(scores[19] ?? 1);
  });

  test("vectors count less where the question has a number, unless they alone decide", () => {
    const all = weights(0.25, 0.5);
    const less = { index: 0.0625, model: 0.125 };
    for (const question of ["What was the revenue in 2008?", "Was kostet 1.204,50 Euro?", "२०१९ में क्या हुआ?", "1"])
      expect([question, weightsFor(question, all)]).toEqual([question, less]);
    for (const question of ["What was the revenue?", "mp3 v2 ISO9001 x64", "H2O", ""])
      expect([question, weightsFor(question, all)]).toEqual([question, all]);
    expect(weightsFor("in 2008", weights(1, 1))).toEqual(weights(1, 1));
  });

  test("what only the model found does not make its vectors look complete", () => {
    const list = [
      candidate("a", { cosine: 0.9 }),
      candidate("b", { cosine: 0.1 }),
      candidate("c", { cosine: 0.2, modelCosine: 0.9, isFoundByModelAlone: true }),
      candidate("d", { cosine: 0.2, modelCosine: 0.8, isFoundByModelAlone: true }),
    ];
    expect(scoreByVectors(list, weights(0.25, 0.5)).weight).toBe(0.25);
  });
});

describe("text score", () => {
  const words = [
    {
      forms: [
        { term: "run", idf: 1, nameIdf: 0, isInflection: false },
        { term: "running", idf: 2, nameIdf: 0, isInflection: false },
      ],
      weight: 1,
    },
    { forms: [{ term: "gate", idf: 3, nameIdf: 2, isInflection: false }], weight: 1 },
  ];
  const scorer = createTextScorer(words, { characters: 10, terms: 2 }, 0);
  const fields = (terms: string, titleTerms = "") => ({ terms, titleTerms, headingTerms: "" });

  test("a word counts once, by its best form", () => {
    const both = scorer.score(fields("running run xx"));
    const one = scorer.score(fields("running xxx xx"));
    expect(both.score).toBeCloseTo(one.score, 10);
    expect(one.score).toBeGreaterThan(scorer.score(fields("xxxxxxx run xx")).score);
  });

  test("another form of a word counts less than the word, however rare it is", () => {
    const terms: QueryTerm[] = [
      { term: "sterb", weight: 1, word: 0, isInflection: true },
      { term: "starb", weight: 1, word: 0 },
    ];
    const counts = new Map([["starb", 50]]);
    const inflected = createTextScorer(
      queryWords(terms, { snippets: 100, counts, titles: new Map([["sterb", 1]]) }),
      { characters: 10, terms: 2 },
      0,
    );
    const [own, other] = [inflected.score(fields("starb")), inflected.score(fields("sterb"))];
    expect(other.score).toBeCloseTo(0.8 * own.score, 10);
    expect([own.coverage, other.coverage]).toEqual([1, 1]);
    expect(inflected.score(fields("", "sterb")).naming).toBe(0);
  });

  test("a snippet is as long as its characters, in scripts without spaces as its terms", () => {
    const scoreOf = (dense: number, terms: string) =>
      createTextScorer(words, { characters: 3, terms: 3 }, dense).score(fields(terms)).score;
    expect(scoreOf(0, "gate libreoffice")).toBeLessThan(scoreOf(0, "gate 文書"));
    expect(scoreOf(1, "gate libreoffice")).toBe(scoreOf(1, "gate 文書"));
    expect(scoreOf(1, "gate 文書 書を")).toBeLessThan(scoreOf(1, "gate 文書"));
  });

  test("a heading makes a snippet longer, and its words count in full however long that is", () => {
    const scoreOf = (terms: string, headingTerms: string, dense = 0) =>
      createTextScorer(words, { characters: 10, terms: 2 }, dense).score({ terms, headingTerms, titleTerms: "" }).score;
    expect(scoreOf("xxxx xxxx", "gate")).toBe(scoreOf("xxxx", "gate"));
    expect(scoreOf("gate", "gate")).toBeGreaterThan(scoreOf("gate", "xxxx"));
    expect(scoreOf("gate", "xxxx xxxx")).toBeLessThan(scoreOf("gate", "xxxx"));
    expect(scoreOf("gate", "xxxx xxxx", 1)).toBeLessThan(scoreOf("gate", "xxxx", 1));
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

  test("many terms are counted as each alone, and a list is gone through once for all of them", () => {
    const letters = ["a", "aa", "ab", "b", "é", "漢字", "a-b"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 12 }), fc.subarray(letters), (terms, sought) => {
        const list = terms.join(" ");
        const held = sought
          .filter((term) => terms.includes(term))
          .map((term) => [term, countTerm(list, term)] as const);
        expect(new Map([...createTermCounter(sought)(list)].sort())).toEqual(new Map(held.toSorted()));
      }),
    );
    const searches = spyOn(String.prototype, "indexOf");
    try {
      const many = Array.from({ length: 200 }, (_, at) => ({
        forms: [{ term: `w${at}`, idf: 1, nameIdf: 0, isInflection: false }],
        weight: 1,
      }));
      const asked = createTextScorer(many, { characters: 10, terms: 2 }, 0);
      expect(asked.score(fields("w1 w7 w1 x w199")).coverage).toBeCloseTo(3 / 200, 10);
      expect(searches.mock.calls.length).toBeLessThan(10);
    } finally {
      searches.mockRestore();
    }
  });

  test("rarity is never negative", () => {
    expect(inverseDocumentFrequency(10, 10)).toBeGreaterThan(0);
    expect(inverseDocumentFrequency(10, 0)).toBeGreaterThan(inverseDocumentFrequency(10, 1));
  });
});

describe("duplicates", () => {
  const sentence = "The gate of the yard closes at noon, on every working day of the year.";
  const droppedOf = async (...texts: string[]): Promise<number> => {
    const list = texts.map((text, at) => ranked(String(at), 1 - at / 10, { text }));
    return (await withoutDuplicates(list, 6)).dropped;
  };

  test("the same words in the same order are left out, the better one stays", async () => {
    const list = [
      ranked("a", 0.9, { text: sentence }),
      ranked("b", 0.8, { text: `  ${sentence.toUpperCase().replace(",", "")}\n` }),
      ranked("c", 0.7),
    ];
    const { kept, dropped } = await withoutDuplicates(list, 6);
    expect(idsOf(kept)).toEqual(["a", "c"]);
    expect(dropped).toBe(1);
  });

  test.each([
    ["English", "Refunds are paid.", "Refunds are not paid."],
    ["German", "Der Mieter haftet für Schäden.", "Der Mieter haftet nicht für Schäden."],
    ["French", "Le bailleur répond des dégâts.", "Le bailleur ne répond pas des dégâts."],
    ["Russian", "Договор действует.", "Договор не действует."],
    ["Chinese", "本合同有效。", "本合同无效。"],
    ["Japanese", "返金されます。", "返金されません。"],
    ["Vietnamese", "Được hoàn tiền.", "Không được hoàn tiền."],
    ["Hindi", "पैसा वापस होगा।", "पैसा वापस नहीं होगा।"],
  ])("a negation makes another clause: %s", async (_language, clause, negated) => {
    const around = `${"x ".repeat(200)}`;
    expect(await droppedOf(`${around}${clause}`, `${around}${negated}`)).toBe(0);
    expect(await droppedOf(`${around}${clause}`, `${around}${clause}`)).toBe(1);
  });

  test("so do another order, number, sign or column", async () => {
    expect(await droppedOf("A sues B", "B sues A")).toBe(0);
    expect(await droppedOf(`${sentence} 2016`, `${sentence} 2017`)).toBe(0);
    expect(await droppedOf("a change of 5 %", "a change of -5 %", "a change of 5 €")).toBe(0);
    const cells = (context: string, at: number) => ranked(String(at), 1, { text: "| 12 |", context });
    const { dropped } = await withoutDuplicates([cells("| 2023 |", 1), cells("| 2024 |", 2)], 6);
    expect(dropped).toBe(0);
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
