import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { emptyRun, loadTokenizer, runLimit } from "../../../../providers/builtin/wordpiece/tokenizer.ts";
import cases from "../../../fixtures/wordpiece/cases.json";

const tokenizer = await loadTokenizer();

function idsOf(text: string, limit = runLimit): number[] {
  const run = emptyRun();
  const ids: number[] = [];
  for (let at = 0; at < text.length; at = run.next) {
    tokenizer.read(text, at, limit, run);
    ids.push(...tokenizer.pieces.subarray(0, run.count));
  }
  return ids;
}

describe("wordpiece tokenizer", () => {
  test("gives the original's ids for texts of all kinds", () => {
    expect(cases.length).toBeGreaterThanOrEqual(400);
    for (const { text, ids } of cases) expect({ text, ids: idsOf(text) }).toEqual({ text, ids });
  });

  test("gives the same ids however the runs are cut", () => {
    for (const { text, ids } of cases) expect({ text, ids: idsOf(text, 3) }).toEqual({ text, ids });
  });

  test("gives the same ids when its cache has been filled and emptied on the way", () => {
    const many = Array.from({ length: 80_000 }, (_, index) => `zq${index.toString(36)}xk`).join(" ");
    const before = idsOf(many);
    expect(idsOf(many)).toEqual(before);
    for (const { text, ids } of cases) expect(idsOf(text)).toEqual(ids);
  });

  test("passes over half characters as over other characters that mean nothing", () => {
    expect(idsOf("ca\ud800t \udc00dog")).toEqual(idsOf("cat dog"));
  });

  test("reads any text to its end, with ids of the vocabulary only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
        for (const id of idsOf(text)) expect(id >= 0 && id < 30_522).toBe(true);
        expect(idsOf(`${text} cat`).at(-1)).toBe(idsOf("cat")[0] as number);
      }),
    );
  });

  test("takes a word of more than 100 characters as unknown and goes on", () => {
    const [unknown] = idsOf("[UNK]");
    expect(idsOf(`${"a".repeat(1_000_000)} cat`)).toEqual([unknown as number, ...idsOf("cat")]);
  });

  test("counts word characters, and those in whole words of the vocabulary", () => {
    const run = emptyRun();
    tokenizer.read("The cat, naïve xqzzv 👍 東京 a!", 0, runLimit, run);
    expect(run.wordCharacters).toBe(3 + 3 + 5 + 5 + 2 + 1);
    expect(run.knownCharacters).toBe(3 + 3 + 5);
  });
});
