import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isTooLong, sizesIn } from "../../../providers/http/call-failure.ts";
import { threadCpuMs } from "../../thread-cpu.ts";
import refusals from "../recorded/refusals.json" with { type: "json" };

describe("a refusal for its length", () => {
  // What servers say, as their documentation, sources and issue trackers show it.
  test.each(refusals)("as $server words it", ({ words, limitTokens, promptTokens }) => {
    expect(isTooLong(400, words)).toBe(true);
    const sizes = limitTokens === null && promptTokens === null ? null : { limitTokens, promptTokens };
    expect(sizesIn(words)).toEqual(sizes);
  });

  test.each([
    [413, "Request Entity Too Large", true],
    [429, "Request too large: tokens per minute exceed the context length", false],
    [401, "context length", false],
    [400, "unknown field: max_tokens", false],
    [500, "model requires more system memory (9.1 GiB) than is available", false],
    [500, "unexpected EOF", false],
    [400, '"parrot" does not support thinking', false],
  ])("%i %s: %p", (status, words, expected) => {
    expect(isTooLong(status, words)).toBe(expected);
  });

  test("any text is read at once, and sizes are positive", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 2_000 }), fc.nat(), (text, number) => {
        const sizes = sizesIn(`${text}context length ${number}${text}`);
        for (const size of [sizes?.limitTokens, sizes?.promptTokens]) expect(size == null || size > 0).toBe(true);
      }),
    );
    const began = threadCpuMs();
    for (const piece of ["context length ", "tokens ", "1,", "prompt contains ", "`inputs` tokens + "])
      isTooLong(400, piece.repeat(65_536 / piece.length)) && sizesIn(piece.repeat(65_536 / piece.length));
    expect(threadCpuMs() - began).toBeLessThan(5_000);
  });
});
