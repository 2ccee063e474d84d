import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Measured, type MeasureInput, measure } from "../../../src/retrieval/judge/features.ts";
import { createSimilarCredits, narrowCoverage, softCredits } from "../../../src/retrieval/judge/found-words.ts";
import type { RandomSnippets } from "../../../src/retrieval/judge/random-snippets.ts";
import { scoreCandidates } from "../../../src/retrieval/scores/candidates.ts";
import { createTextScorer, queryWords } from "../../../src/retrieval/scores/text-score.ts";
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

const featuresOf = async (
  query: string,
  hits: readonly SnippetHit[],
  change: Partial<MeasureInput> = {},
): Promise<Measured> => {
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
  const values = measure({ ...input, random: [], ...change });
  if (values === null) throw new Error("nothing was found");
  return values;
};

const notes = [
  hitOf("roses", "Roses are pruned in early March before new shoots appear."),
  hitOf("ferry", "The bower anchor of the old ferry weighs four tonnes."),
  hitOf("kiln", "Stoneware glaze melts inside the electric kiln."),
];

describe("features of the words", () => {
  test("a question that is there has more of everything that speaks for it", async () => {
    const there = await featuresOf("When are roses pruned in March?", notes);
    const absent = await featuresOf("When are lactose enzymes split?", notes);
    for (const name of ["covered", "alike", "narrow", "lead"] as const)
      expect(there[name]).toBeGreaterThan(absent[name]);
    expect(absent.missing).toBeGreaterThan(there.missing ?? 0);
  });

  test("a name, a number or an identifier that is missing speaks against an answer, another word does not", async () => {
    const ferries = [hitOf("ferry", "The ferry Aurora sailed to Bergen in 1964 with a new anchor.")];
    const there = await featuresOf("When did the ferry Aurora sail to Bergen?", ferries);
    const other = await featuresOf("When did the ferry Kestrel sail to Bergen?", ferries);
    const year = await featuresOf("Did Aurora sail to Bergen in 1972?", ferries);
    const plain = await featuresOf("when did the ferry sail and sink?", ferries);
    expect(there.namesMissing).toBe(0);
    for (const missing of [other, year]) expect(missing.namesMissing).toBeGreaterThan(0.3);
    expect(plain.namesMissing).toBe(0);
  });

  test("a store is small below 240 snippets, large above, to a bound", async () => {
    const sized = (snippets: number) =>
      featuresOf("roses", notes, { frequencies: { snippets, counts: new Map(), lengths } });
    expect(await sized(1)).toMatchObject({ small: 1, large: 0 });
    expect(await sized(240)).toMatchObject({ small: 0, large: 0 });
    expect((await sized(1_000)).small).toBe(0);
    expect((await sized(1_000)).large).toBeGreaterThan(0.2);
    expect((await sized(2_000)).large).toBeGreaterThan((await sized(1_000)).large ?? 1);
    expect((await sized(1e9)).large).toBe((await sized(1e8)).large ?? 0);
  });

  test("words that only ask are none of the question's", async () => {
    const israel = [hitOf("a", "דוד כתב את הספר בשנת 1964")];
    expect((await featuresOf("מי כתב את הספר", israel)).covered).toBe(1);
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
  const random: RandomSnippets = Array.from({ length: 60 }, (_, at) => ({
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
    const one = await featuresOf(question, found("log", "log", "log", "log"), { random });
    const two = await featuresOf(question, found("log", "log", "map", "map"), { random });
    expect(one.severalEach).toBe(1);
    expect(two.severalEach).toBe(1);
    expect(one.together).toBeGreaterThan((two.together ?? 0) + 0.5);
  });

  test("a document that most snippets are of says little", async () => {
    const log = random.map((each, at) => (at < 40 ? { ...each, documentId: "log" } : each));
    const usual = await featuresOf(question, found("log", "log", "log", "log"), { random });
    const large = await featuresOf(question, found("log", "log", "log", "log"), { random: log });
    expect(large.together).toBeLessThan((usual.together ?? 0) / 3);
  });

  test("where each document is one snippet nothing is said", async () => {
    const single = await featuresOf(question, found("a", "b", "c", "d"), { random });
    expect(single).toMatchObject({ severalEach: 0, together: 0 });
  });

  test("parts of a book that are stored as documents of one name belong together", async () => {
    const parts = found("a", "b", "c", "d").map((hit) => ({ ...hit, titleTerms: "log of the ferry" }));
    expect((await featuresOf(question, parts, { random })).together).toBeGreaterThan(0.5);
  });
});

describe("features of the vectors", () => {
  /** Random snippets around one direction, as an outside model's vectors are: all cosines are high. */
  const randomOf = (dimension: "vector" | "modelVector"): RandomSnippets =>
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
    const asked = { modelVector: question, random: randomOf("modelVector") };
    const outstanding = await featuresOf("A sailing ship", near, asked);
    const ordinary = await featuresOf("A sailing ship", usual, asked);
    for (const name of ["rise", "nearestLead"] as const) {
      expect(outstanding[name]).toBeGreaterThan(1);
      expect(ordinary[name]).toBeLessThan((outstanding[name] ?? 0) / 2);
    }
    expect(ordinary.nearestLead).toBeLessThan(0.1);
  });

  test("the configured model's vectors count, those of the index where it has none; the nearer of both is near", async () => {
    const hits = [hitOf("a", "schooner", { vector: unit(1, 0, 0), modelVector: unit(0, 1, 3, 0) })];
    const random = [
      { documentId: "x", titleTerms: "", vector: unit(0, 1, 0), modelVector: unit(1, 0, 0, 0) },
      { documentId: "y", titleTerms: "", vector: unit(0, 0, 1), modelVector: unit(0, 0, 0, 1) },
    ];
    const asked = { vector: unit(1, 0, 0), random };
    const index = await featuresOf("schooner", hits, asked);
    expect(index.rise).toBeGreaterThan(3);
    const both = await featuresOf("schooner", hits, { ...asked, modelVector: unit(0, 1, 0, 0) });
    expect(both.nearestLead).toBeLessThan(index.nearestLead);
    expect(both.rise).toBe(index.rise);
    const unknown = { modelVector: unit(0, 1, 0, 0), familiarity: { static: 1, model: 0 } };
    expect((await featuresOf("schooner", hits, { ...asked, ...unknown })).nearestLead).toBe(index.nearestLead);
    // The index was made by the configured model.
    expect(await featuresOf("schooner", hits, { ...asked, isIndexStatic: false })).toEqual(index);
  });

  test("in a store of a few notes the one that is asked for stands out", async () => {
    const hits = [hitOf("a", "schooner", { modelVector: unit(1, 0.2, 0) })];
    const few = [
      { documentId: "document of a", titleTerms: "", vector: null, modelVector: unit(1, 0.2, 0) },
      { documentId: "x", titleTerms: "", vector: null, modelVector: unit(0.1, 1, 0) },
      { documentId: "y", titleTerms: "", vector: null, modelVector: unit(0, 0.2, 1) },
    ];
    expect((await featuresOf("ship", hits, { modelVector: unit(1, 0, 0), random: few })).rise).toBeGreaterThan(3);
  });

  test("where all texts are near the question, as to a model that knows no word of them, the nearest leads by nothing", async () => {
    const alike = Array.from({ length: 6 }, (_, at) =>
      hitOf(String(at), "schooner", { modelVector: unit(5, 0.1 * Math.sin(at), 0, 4) }),
    );
    const [first, ...others] = alike as [SnippetHit, ...SnippetHit[]];
    const asked = { modelVector: unit(5, 0, 0, 4), random: randomOf("modelVector") };
    const all = await featuresOf("A sailing ship", alike, asked);
    expect(all.rise).toBeGreaterThan(2);
    expect(all.nearestLead).toBeLessThan(0.1);
    // One of them by itself leads, and beside what is further away too; what is of the same document counts as itself.
    const far = hitOf("far", "roses", { modelVector: unit(5, 1, 0, 0) });
    expect((await featuresOf("A sailing ship", [first, far], asked)).nearestLead).toBeGreaterThan(1);
    const parts = others.map((hit) => ({ ...hit, documentId: first.documentId }));
    expect((await featuresOf("A sailing ship", [first, ...parts, far], asked)).nearestLead).toBeGreaterThan(1);
  });
});

test("any question and any text give finite features", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme", maxLength: 80 }),
      fc.array(fc.string({ unit: "grapheme", maxLength: 80 }), { minLength: 1, maxLength: 4 }),
      async (query, texts) => {
        const values = Object.values(
          await featuresOf(
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
    const ofThai = await featuresOf("แม่น้ำไหลลงสู่ทะเลทางทิศใด", thai);
    expect(ofThai.letters).toBe(1);
    const ofChinese = await featuresOf("殖民地的名称", [hitOf("colony", "殖民地的西半部分的名称")]);
    expect(ofChinese.letters).toBe(0);
    // A store of a few notes is small in any script: of five in Thai, 43 % of what is there was refused when it was not.
    expect(ofThai.small).toBeGreaterThan(0.5);
    expect(ofChinese.small).toBeGreaterThan(0.5);
    expect((await featuresOf("When are roses pruned?", notes)).letters).toBe(0);
  });
  test("pairs of letters that are here and there are no part of what is found", async () => {
    const there = await featuresOf("แม่น้ำไหลลงสู่ทะเลทางทิศใด", thai);
    const absent = await featuresOf("ภาษาโปรแกรมคอมพิวเตอร์รุ่นแรก", thai);
    expect(there.covered).toBeGreaterThan(2 * (absent.covered ?? 1));
  });
});
