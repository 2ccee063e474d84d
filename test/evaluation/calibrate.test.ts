import { expect, test } from "bun:test";
import { calibrate, TooFewDocuments } from "../../src/evaluation/calibrate.ts";
import type { Collections, SourceDocument } from "../../src/evaluation/collection.ts";
import { analyze } from "../../src/text/analysis/analyze.ts";

/** Documents of made-up words that differ, three sentences each. */
const documentsOf = (count: number): SourceDocument[] =>
  Array.from({ length: count }, (_, index) => {
    const word = (at: number) => `lo${"abcdefghij"[at % 10]}mi${index}x${at}`;
    const sentence = (from: number) => `The ${Array.from({ length: 9 }, (_, at) => word(from + at)).join(" ")}.`;
    return { id: `d${index}`, title: `D${index}`, text: [0, 9, 18].map(sentence).join(" ") };
  });

/** Is as sure as the best document holds the question's words. */
const byCoverage = (seen: string[][]): Collections => ({
  async ingest(_name, documents) {
    seen.push(documents.map(({ id }) => id));
    const terms = documents.map(({ text }) => new Set(analyze(text)));
    return {
      legs: ["fused"],
      maxAtOnce: 2,
      async search(query) {
        const words = analyze(query);
        const held = terms.map((each) => words.filter((word) => each.has(word)).length / words.length);
        return { pieces: [], refusedAbove: Math.max(...held) };
      },
      answer: async () => ({ quotations: [], snippets: [], byModel: false }),
    };
  },
  close: async () => {},
});

test("the threshold refuses few of what is there and much of what is not, measured on the half it was not fitted on", async () => {
  const seen: string[][] = [];
  const documents = [...documentsOf(40), ...documentsOf(1).map((copy) => ({ ...copy, id: "copy" }))];
  const found = await calibrate(
    documents,
    () => byCoverage(seen),
    0.05,
    0.5,
    () => {},
  );
  expect(found).toMatchObject({ documents: 41, distinctDocuments: 40, questions: 123, allowedFalseRefusals: 0.05 });
  expect(found.threshold).toBeGreaterThan(0.1);
  expect(found.heldOut.falseRefusals.mean).toBeLessThan(0.15);
  expect(found.heldOut.trueRefusals.mean).toBeGreaterThan(found.heldOut.falseRefusals.mean + 0.2);
  const half = found.curve.find(({ threshold }) => threshold === 0.5);
  expect(found.atPresent.falseRefusals.mean).toBeCloseTo(half?.falseRefusals ?? -1, 9);
  expect(found.atPresent.trueRefusals.mean).toBeCloseTo(half?.trueRefusals ?? -1, 9);
  expect(found.atPresent.trueRefusals.low).toBeLessThanOrEqual(found.atPresent.trueRefusals.mean);
  for (const [index, point] of found.curve.entries()) {
    expect(point.trueRefusals).toBeGreaterThanOrEqual(point.falseRefusals);
    expect(point.falseRefusals).toBeGreaterThanOrEqual(found.curve[index - 1]?.falseRefusals ?? 0);
  }
  // Each document is in one half; what is nearly the same is in the same.
  expect(seen.flat().sort()).toEqual(documents.map(({ id }) => id).sort());
  expect(seen.find((half) => half.includes("d0"))).toContain("copy");
});

test("too few documents, too many copies or no sentences are refused with the reason", async () => {
  const run = (documents: SourceDocument[]) =>
    calibrate(
      documents,
      () => byCoverage([]),
      0.05,
      0.5,
      () => {},
    );
  await expect(run(documentsOf(19))).rejects.toThrow("19 documents that differ; at least 20");
  const copies = Array.from(
    { length: 50 },
    (_, index) => ({ ...documentsOf(1)[0], id: String(index) }) as SourceDocument,
  );
  await expect(run(copies.slice(0, 30))).rejects.toThrow(TooFewDocuments);
  const headings = documentsOf(30).map((document) => ({ ...document, text: `# ${document.text.replaceAll(".", "")}` }));
  await expect(run(headings)).rejects.toThrow("questions could be made");
});
