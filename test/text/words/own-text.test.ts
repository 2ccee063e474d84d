import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { ownText } from "../../../src/text/words/word-cache.ts";

test("the copy equals the text, whatever it holds", () => {
  for (const text of ["", "a", "Straße", "東京タワー", "a\ud800b", "🦜", "word ".repeat(1_000), "x\ud83d".repeat(600)])
    expect(ownText(text)).toBe(text);
});

test("the copy of a part does not keep the whole in memory", () => {
  const characters = 4_000_000;
  const count = 20;
  const usedBytes = (): number => {
    Bun.gc(true);
    const { heapSize, extraMemorySize } = heapStats();
    return heapSize + extraMemorySize;
  };
  /** Bytes in use because of one word of each of several long texts. */
  const heldBy = (keep: (word: string) => string): number => {
    const before = usedBytes();
    const kept = Array.from({ length: count }, (_, at) =>
      keep(Buffer.alloc(characters, `an extraordinary word, number ${at} `).toString("latin1").slice(3, 16)),
    );
    const held = usedBytes() - before;
    expect(kept.join("")).toBe("extraordinary".repeat(count));
    return held;
  };
  // That the engine keeps the whole for a part is why the copy is made.
  expect(heldBy((word) => word)).toBeGreaterThan((count * characters) / 2);
  expect(heldBy(ownText)).toBeLessThan((count * characters) / 10);
});
