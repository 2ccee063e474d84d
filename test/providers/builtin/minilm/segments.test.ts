import { expect, test } from "bun:test";
import fc from "fast-check";
import { segmentsOf } from "../../../../providers/builtin/minilm/embedding.ts";
import { emptyRun, loadTokenizer, runLimit } from "../../../../providers/builtin/wordpiece/tokenizer.ts";

const tokenizer = await loadTokenizer();

function piecesOf(text: string): number[] {
  const run = emptyRun();
  const pieces: number[] = [];
  for (let at = 0; at < text.length; at = run.next) {
    tokenizer.read(text, at, runLimit, run);
    pieces.push(...tokenizer.pieces.subarray(0, run.count));
  }
  return pieces;
}

test("the segments hold every piece once, in order, each between [CLS] and [SEP] and not too long", () => {
  const words = fc.array(fc.constantFrom("cat", "antidisestablishmentarianism", "naïve", "東京", ",", "zqxj"), {
    maxLength: 3000,
  });
  fc.assert(
    fc.property(words, (given) => {
      const text = given.join(" ");
      const segments = [...segmentsOf(tokenizer, text)];
      for (const segment of segments) {
        expect(segment.length).toBeLessThanOrEqual(256);
        expect([segment[0], segment.at(-1)]).toEqual([101, 102]);
      }
      expect(segments.flatMap((segment) => [...segment.subarray(1, -1)])).toEqual(piecesOf(text));
    }),
    { numRuns: 30 },
  );
});

test("the segments of a stretch are of like length, and a text without pieces has none", () => {
  expect([...segmentsOf(tokenizer, "cat ".repeat(260))].map((segment) => segment.length)).toEqual([132, 132]);
  expect([...segmentsOf(tokenizer, " \u200b\n")]).toEqual([]);
});

test("two texts may be read in turns", () => {
  const alone = [...segmentsOf(tokenizer, "cat ".repeat(600))];
  const [first, second] = [segmentsOf(tokenizer, "cat ".repeat(600)), segmentsOf(tokenizer, "dog ".repeat(600))];
  const inTurns: Int32Array[] = [];
  for (const segment of first) {
    inTurns.push(segment);
    second.next();
  }
  expect(inTurns).toEqual(alone);
});
