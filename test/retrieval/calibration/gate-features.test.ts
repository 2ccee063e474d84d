import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Background } from "../../../src/retrieval/calibration/background.ts";
import { gateFeatureNames } from "../../../src/retrieval/calibration/feature-names.ts";
import { type GateInput, gateFeatures } from "../../../src/retrieval/calibration/gate-features.ts";
import { withoutDocuments } from "../../../src/retrieval/calibration/left-out.ts";
import { createSimilarCredits } from "../../../src/retrieval/calibration/similar-words.ts";
import { narrowCoverage, softCredits } from "../../../src/retrieval/calibration/word-evidence.ts";
import { scoreCandidates } from "../../../src/retrieval/candidates.ts";
import { createTextScorer, queryWords } from "../../../src/retrieval/text-score.ts";
import type { SnippetHit } from "../../../src/store/contract.ts";
import { analyze, analyzeQuery, denseShare } from "../../../src/text/analysis/analyze.ts";
import { sampleHit } from "../sample-hit.ts";

const unit = (...values: number[]): Float32Array => {
  const length = Math.hypot(...values) || 1;
  return new Float32Array(values.map((value) => value / length));
};

const hitOf = (
  id: string,
  text: string,
  vectors: Partial<Pick<SnippetHit, "vector" | "modelVector">> = {},
): SnippetHit => sampleHit(id, { text, terms: analyze(text).join(" "), ...vectors });

const lengths = { characters: 50, terms: 8 };

const measure = async (
  query: string,
  hits: readonly SnippetHit[],
  change: Partial<GateInput> = {},
): Promise<Record<string, number>> => {
  const { terms } = analyzeQuery(query);
  const counts = new Map(
    terms.map(({ term }) => [term, hits.filter((hit) => hit.terms.split(" ").includes(term)).length]),
  );
  const frequencies = { snippets: hits.length, counts, titles: new Map<string, number>(), lengths };
  const words = queryWords(terms, frequencies);
  const found = new Set(hits.map(({ id }) => id));
  const scorer = createTextScorer(words, lengths, 0);
  const candidates = await scoreCandidates(hits, found, scorer, { index: null, model: null });
  const input = {
    candidates,
    words,
    texts: [query],
    frequencies,
    dense: denseShare(terms),
    vector: null,
    modelVector: null,
    isIndexStatic: true,
    familiarity: { static: 1, model: 1 },
  };
  const values = gateFeatures({ ...input, background: [], ...change });
  if (values === null) throw new Error("nothing was found");
  expect(values).toHaveLength(gateFeatureNames.length);
  return Object.fromEntries(gateFeatureNames.map((name, at) => [name, values[at] ?? Number.NaN]));
};

const notes = [
  hitOf("roses", "Roses are pruned in early March before new shoots appear."),
  hitOf("ferry", "The bower anchor of the old ferry weighs four tonnes."),
  hitOf("kiln", "Stoneware glaze melts inside the electric kiln."),
];

describe("features of the words", () => {
  test("a question that is there has more of everything that speaks for it", async () => {
    const there = await measure("When are roses pruned in March?", notes);
    const absent = await measure("When are lactose enzymes split?", notes);
    for (const name of ["coverage", "narrow", "lead"]) expect(there[name]).toBeGreaterThan(absent[name] ?? 0);
    expect(there.unknown).toBe(0);
    expect(absent.unknown).toBe(1);
    expect(absent.unexplained).toBeGreaterThan(there.unexplained ?? 0);
  });

  test("a name, a number or an identifier that is missing speaks against an answer, another word does not", async () => {
    const ferries = [hitOf("ferry", "The ferry Aurora sailed to Bergen in 1964 with a new anchor.")];
    const there = await measure("When did the ferry Aurora sail to Bergen?", ferries);
    const other = await measure("When did the ferry Kestrel sail to Bergen?", ferries);
    const year = await measure("Did Aurora sail to Bergen in 1972?", ferries);
    const plain = await measure("when did the ferry sail and sink?", ferries);
    expect(there).toMatchObject({ hasFirm: 1, firmMissing: 0 });
    for (const missing of [other, year]) expect(missing.firmMissing).toBeGreaterThan(0.3);
    expect(plain).toMatchObject({ hasFirm: 0, firmMissing: 0 });
  });

  test("a store is small below 240 snippets, large above, to a bound", async () => {
    const sized = (snippets: number) =>
      measure("roses", notes, { frequencies: { snippets, counts: new Map(), lengths } });
    expect(await sized(1)).toMatchObject({ small: 1, large: 0 });
    expect(await sized(240)).toMatchObject({ small: 0, large: 0 });
    expect((await sized(1_000)).small).toBe(0);
    expect((await sized(1_000)).large).toBeGreaterThan(0.2);
    expect((await sized(2_000)).large).toBeGreaterThan((await sized(1_000)).large ?? 1);
    expect((await sized(1e9)).large).toBe((await sized(1e8)).large ?? 0);
  });

  test("words that only ask are none of the question's", async () => {
    const israel = [hitOf("a", "דוד כתב את הספר בשנת 1964")];
    expect((await measure("מי כתב את הספר", israel)).unknown).toBe(0);
  });

  test("another ending and a part of a compound count in part, a stranger not at all", () => {
    const words = queryWords(
      ["pruner", "stoneware", "lactose"].map((term, word) => ({ term, word, weight: 1 })),
      { snippets: 10, counts: new Map(), titles: new Map() },
    );
    const [ending = 0, compound = 0, stranger] = softCredits(new Set(["pruned", "ware", "stonewareglaze"]), words);
    expect(ending).toBeGreaterThan(0.6);
    expect(ending).toBeLessThan(1);
    expect(compound).toBeGreaterThan(0.5);
    expect(compound).toBeLessThan(1);
    expect(stranger).toBe(0);
  });

  test("words that are alike in their letters count, whatever stands before and in between", () => {
    const words = queryWords(
      ["vorgehensweise", "eingenommen", "lactose", "of"].map((term, word) => ({ term, word, weight: 1 })),
      { snippets: 10, counts: new Map(), titles: new Map() },
    );
    const similar = createSimilarCredits(words);
    const terms = new Set(["gehensweise", "genommen", "ox"]);
    const [manner = 0, taken = 0, ...strangers] = similar(terms, [0, 0, 0, 0]);
    for (const alike of [manner, taken]) {
      expect(alike).toBeGreaterThan(0.5);
      expect(alike).toBeLessThan(1);
    }
    expect(strangers).toEqual([0, 0]);
    // What is known already is not less for it.
    expect(similar(terms, [1, 0.99, 0, 1])).toEqual([1, 0.99, 0, 1]);
  });

  test("a question with more words than are compared keeps the credits of the rest", () => {
    const words = queryWords(
      Array.from({ length: 30 }, (_, word) => ({ term: `harbors${word}`, word, weight: 1 })),
      { snippets: 10, counts: new Map(), titles: new Map() },
    );
    const credits = createSimilarCredits(words)(new Set(["harbors"]), new Array<number>(30).fill(0.1));
    expect(credits[0]).toBeGreaterThan(0.7);
    expect(credits[29]).toBe(0.1);
  });

  test("words near each other count more than the same far apart", () => {
    const words = queryWords(
      ["anchor", "ferry"].map((term, word) => ({ term, word, weight: 1 })),
      { snippets: 10, counts: new Map(), titles: new Map() },
    );
    const filler = Array.from({ length: 30 }, (_, at) => `w${at}`).join(" ");
    expect(narrowCoverage("anchor ferry", words, [1, 2])).toBe(3);
    expect(narrowCoverage(`anchor ${filler} ferry`, words, [1, 2])).toBe(2);
    expect(narrowCoverage(`anchor ${filler} anchor ferry`, words, [1, 2])).toBe(3);
  });
});

describe("features of the documents that were found", () => {
  const random: Background = Array.from({ length: 60 }, (_, at) => ({
    documentId: `random ${at}`,
    titleTerms: "",
    vector: null,
    modelVector: null,
  }));
  /** Snippets that have a word of the question each, of documents by their names. */
  const found = (...names: string[]): SnippetHit[] =>
    names.map((name, at) => ({
      ...hitOf(String(at), ["anchor of iron", "ferry at sea", "a harbor town", "winter storms"][at % 4] ?? ""),
      documentId: name,
    }));
  const question = "anchor ferry harbor winter";

  test("snippets of one document say more than as many of several", async () => {
    const one = await measure(question, found("log", "log", "log", "log"), { background: random });
    const two = await measure(question, found("log", "log", "map", "map"), { background: random });
    expect(one.hasGroups).toBe(1);
    expect(two.hasGroups).toBe(1);
    expect(one.together).toBeGreaterThan((two.together ?? 0) + 0.5);
  });

  test("a document that most snippets are of says little", async () => {
    const log = random.map((each, at) => (at < 40 ? { ...each, documentId: "log" } : each));
    const usual = await measure(question, found("log", "log", "log", "log"), { background: random });
    const large = await measure(question, found("log", "log", "log", "log"), { background: log });
    expect(large.together).toBeLessThan((usual.together ?? 0) / 3);
  });

  test("where each document is one snippet nothing is said", async () => {
    const single = await measure(question, found("a", "b", "c", "d"), { background: random });
    expect(single).toMatchObject({ hasGroups: 0, together: 0 });
  });

  test("parts of a book that are stored as documents of one name belong together", async () => {
    const parts = found("a", "b", "c", "d").map((hit) => ({ ...hit, titleTerms: "log of the ferry" }));
    expect((await measure(question, parts, { background: random })).together).toBeGreaterThan(0.5);
  });
});

describe("features of the vectors", () => {
  /** Random snippets around one direction, as an outside model's vectors are: all cosines are high. */
  const background = (dimension: "vector" | "modelVector"): Background =>
    Array.from({ length: 60 }, (_, at) => ({
      documentId: `random ${at}`,
      titleTerms: "",
      vector: null,
      modelVector: null,
      [dimension]: unit(5, Math.sin(at), Math.cos(3 * at), 0),
    }));

  test("a cosine counts by how it stands out from random ones, not by its height", async () => {
    const question = unit(5, 0, 0, 4);
    const near = [
      hitOf("a", "schooner", { modelVector: unit(5, 0, 0, 4.2) }),
      hitOf("b", "roses", { modelVector: unit(5, 1, 0, 0) }),
    ];
    const usual = [
      hitOf("a", "schooner", { modelVector: unit(5, 1, 0, 0) }),
      hitOf("b", "roses", { modelVector: unit(5, 0, 1, 0) }),
    ];
    const asked = { modelVector: question, background: background("modelVector") };
    const outstanding = await measure("A sailing ship", near, asked);
    const ordinary = await measure("A sailing ship", usual, asked);
    expect(outstanding.hasModel).toBe(1);
    for (const name of ["modelRise", "modelLead"]) {
      expect(outstanding[name]).toBeGreaterThan(1);
      expect(ordinary[name]).toBeLessThan((outstanding[name] ?? 0) / 2);
    }
    expect(ordinary.modelLead).toBeLessThan(0.1);
    expect(outstanding).toMatchObject({ staticRise: 0, staticLead: 0 });
  });

  test("both vectors of a snippet are heard, each for itself; the index of another model counts as the model's", async () => {
    const hits = [hitOf("a", "schooner", { vector: unit(1, 0, 0), modelVector: unit(0, 1, 0, 0) })];
    const random = [
      { documentId: "x", titleTerms: "", vector: unit(0, 1, 0), modelVector: unit(1, 0, 0, 0) },
      { documentId: "y", titleTerms: "", vector: unit(0, 0, 1), modelVector: unit(0, 0, 1, 0) },
    ];
    const both = await measure("schooner", hits, {
      vector: unit(1, 0, 0),
      modelVector: unit(0, 1, 0, 0),
      background: random,
    });
    expect(both.staticRise).toBeGreaterThan(3);
    expect(both.modelRise).toBeGreaterThan(3);
    expect(both.staticOfText).toBe(both.modelOfText ?? 0);
    const old = await measure("schooner", hits, { vector: unit(1, 0, 0), isIndexStatic: false, background: random });
    expect(old).toMatchObject({ staticRise: 0, modelRise: both.staticRise });
  });

  test("in a store of a few notes the one that is asked for stands out", async () => {
    const hits = [hitOf("a", "schooner", { modelVector: unit(1, 0.2, 0) })];
    const few = [
      { documentId: "document of a", titleTerms: "", vector: null, modelVector: unit(1, 0.2, 0) },
      { documentId: "x", titleTerms: "", vector: null, modelVector: unit(0.1, 1, 0) },
      { documentId: "y", titleTerms: "", vector: null, modelVector: unit(0, 0.2, 1) },
    ];
    expect((await measure("ship", hits, { modelVector: unit(1, 0, 0), background: few })).modelRise).toBeGreaterThan(3);
  });

  test("where all texts are near the question, as to a model that knows no word of them, the nearest leads by nothing", async () => {
    const alike = Array.from({ length: 6 }, (_, at) =>
      hitOf(String(at), "schooner", { modelVector: unit(5, 0.1 * Math.sin(at), 0, 4) }),
    );
    const [first, ...others] = alike as [SnippetHit, ...SnippetHit[]];
    const asked = { modelVector: unit(5, 0, 0, 4), background: background("modelVector") };
    const all = await measure("A sailing ship", alike, asked);
    expect(all.modelRise).toBeGreaterThan(2);
    expect(all.modelLead).toBeLessThan(0.1);
    // One of them by itself leads, and beside what is further away too; what is of the same document counts as itself.
    const far = hitOf("far", "roses", { modelVector: unit(5, 1, 0, 0) });
    expect((await measure("A sailing ship", [first, far], asked)).modelLead).toBeGreaterThan(1);
    const parts = others.map((hit) => ({ ...hit, documentId: first.documentId }));
    expect((await measure("A sailing ship", [first, ...parts, far], asked)).modelLead).toBeGreaterThan(1);
  });
});

test("left out documents are gone from what was found, the background and the counts", () => {
  const [roses, ferry] = notes as [SnippetHit, SnippetHit];
  const found = withoutDocuments(
    {
      hits: [ferry, roses],
      frequencies: {
        snippets: 3,
        counts: new Map([
          ["rose", 1],
          ["anchor", 1],
          ["old", 2],
        ]),
        titles: new Map(),
        lengths,
      },
      background: notes,
    },
    new Set([ferry.documentId]),
  );
  expect(found.hits.map(({ id }) => id)).toEqual(["roses"]);
  expect(found.frequencies.snippets).toBe(2);
  expect(Object.fromEntries(found.frequencies.counts)).toEqual({ rose: 1, anchor: 0, old: 1 });
  expect(found.background).toHaveLength(2);
});

test("any question and any text give finite features", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.array(fc.string({ unit: "grapheme", maxLength: 80 }), { minLength: 1, maxLength: 4 }),
      async (query, texts) => {
        const values = Object.values(
          await measure(
            query,
            texts.map((text, at) => hitOf(String(at), text)),
          ),
        );
        expect(values.every(Number.isFinite)).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});

describe("scripts without spaces", () => {
  const thai = [
    hitOf("court", "ศาลรัฐธรรมนูญมีคำวินิจฉัยเรื่องการเลือกตั้งทั่วไปในปีนั้น"),
    hitOf("river", "แม่น้ำสายนี้ไหลผ่านเมืองหลวงและลงสู่ทะเลทางทิศใต้"),
    hitOf("forest", "ป่าฝนเขตร้อนมีต้นไม้และสัตว์หลายชนิดอาศัยอยู่ร่วมกัน"),
  ];
  test("letters are told from ideographs", async () => {
    const ofThai = await measure("แม่น้ำไหลลงสู่ทะเลทางทิศใด", thai);
    expect([ofThai.dense, ofThai.letters]).toEqual([0, 1]);
    const ofChinese = await measure("殖民地的名称", [hitOf("colony", "殖民地的西半部分的名称")]);
    expect([ofChinese.dense, ofChinese.letters]).toEqual([1, 0]);
    // A store of a few notes is small in any script: of five in Thai, 43 % of what is there was refused when it was not.
    expect(ofThai.small).toBeGreaterThan(0.5);
    expect(ofChinese.small).toBeGreaterThan(0.5);
    expect((await measure("When are roses pruned?", notes)).letters).toBe(0);
  });
  test("pairs of letters that are here and there are no part of what is found", async () => {
    const there = await measure("แม่น้ำไหลลงสู่ทะเลทางทิศใด", thai);
    const absent = await measure("ภาษาโปรแกรมคอมพิวเตอร์รุ่นแรก", thai);
    expect(there.covered).toBeGreaterThan(2 * (absent.covered ?? 1));
    expect(there.coverage).toBeGreaterThan(absent.coverage ?? 1);
  });
});
