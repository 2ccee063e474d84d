import { expect, test } from "bun:test";
import { quoteByOverlap } from "../../src/evaluation/answers.ts";

test("the sentence that shares the rarest words comes first, among equals the earlier", () => {
  const snippets = [
    "# Pumps\n\nThe pump is old. The pump is serviced every 400 hours. The pump is red.",
    "The pump is loud. The fan is serviced in spring.",
  ];
  expect(quoteByOverlap("How often is the pump serviced?", snippets, 2)).toEqual([
    "The pump is serviced every 400 hours.",
    "The fan is serviced in spring.",
  ]);
  expect(quoteByOverlap("What?", snippets, 1)).toEqual(["The pump is old."]);
  expect(quoteByOverlap("Why?", [], 3)).toEqual([]);
});
