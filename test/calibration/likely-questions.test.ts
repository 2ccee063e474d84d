import { expect, test } from "bun:test";
import fc from "fast-check";
import { likelyQuestions } from "../../src/calibration/likely-questions.ts";
import { analyze, analyzeQuery } from "../../src/text/analysis/analyze.ts";

const documents = [
  {
    id: "roses",
    text: "# Roses\n\nRoses are pruned in early March before new shoots appear. The clean cut is made above an outward bud.",
  },
  {
    id: "anchors",
    text: "The bower anchor of the old ferry weighs four tonnes. It hangs from a rusty chain of forged steel links on deck.",
  },
  {
    id: "kiln",
    text: "Stoneware glaze melts at high temperature inside the electric kiln. Every shelf is painted with alumina wash first.",
  },
];

const shareMissing = (text: string, of: string): number => {
  const terms = new Set(analyze(of));
  const words = new Map<number, boolean>();
  for (const { term, word } of analyzeQuery(text).terms) words.set(word, (words.get(word) ?? false) || terms.has(term));
  return [...words.values()].filter((isHeld) => !isHeld).length / words.size;
};

test("questions hold words of their document and, some, words of others; they repeat", async () => {
  const questions = await likelyQuestions(documents, 5);
  expect(questions.length).toBeGreaterThanOrEqual(6);
  for (const { document, text } of questions) {
    const source = documents.find(({ id }) => id === document)?.text ?? "";
    const share = shareMissing(text, source);
    expect(share).toBeLessThan(1);
  }
  const missing = questions.map(({ document, text }) =>
    shareMissing(text, documents.find(({ id }) => id === document)?.text ?? ""),
  );
  expect(missing.some((share) => share > 0)).toBe(true);
  expect(await likelyQuestions(documents, 5)).toEqual(questions);
});

test("a text without sentences gives none; a script without spaces stays without", async () => {
  expect(await likelyQuestions([{ id: "a", text: "# Title only" }], 3)).toEqual([]);
  const chinese = "美国人在四月修剪玫瑰并且清理花园里面的枯叶。渡轮的主锚重达四吨并且悬挂在钢链上面。";
  const [question] = await likelyQuestions([{ id: "zh", text: chinese }], 1);
  expect(question?.text).not.toContain(" ");
});

test("any text will do", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme", maxLength: 200 }), { maxLength: 4 }), async (texts) => {
      const questions = await likelyQuestions(
        texts.map((text, index) => ({ id: String(index), text })),
        2,
      );
      for (const { text } of questions) expect(text.trim()).not.toBe("");
    }),
    { numRuns: 50 },
  );
});
