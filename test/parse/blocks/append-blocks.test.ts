import { expect, test } from "bun:test";
import type { Block } from "../../../src/parse/blocks/blocks.ts";
import { appendBlocks } from "../../../src/parse/blocks/blocks.ts";

test("adds as many blocks as a file may have, in their order", () => {
  const blocks: Block[] = [{ kind: "paragraph", text: "first" }];
  const more = Array.from({ length: 2_000_000 }, (_, at): Block => ({ kind: "page", page: at }));
  appendBlocks(blocks, more);
  expect(blocks).toHaveLength(2_000_001);
  expect(blocks[0]).toEqual({ kind: "paragraph", text: "first" });
  expect(blocks.at(-1)).toEqual({ kind: "page", page: 1_999_999 });
});
