import { describe, expect, test } from "bun:test";
import {
  askAddress,
  everything,
  readAddress,
  type Scope,
  scopeFields,
} from "../../../src/web/browser/console/views/answers/scope.ts";
import { embedCode } from "../../../src/web/browser/console/views/chats/brand.ts";
import { formulaAt } from "../../../src/web/browser/shared/formula.ts";

describe("the address of a question", () => {
  const scope: Scope = {
    document: { id: "d-1", name: "Handbook" },
    partition: null,
    metadata: { year: { $gt: 2024 } },
  };

  test("holds it and its scope, and is read again", () => {
    const address = askAddress("What & why?", scope);
    const query = Object.fromEntries(new URL(address, "http://localhost").searchParams);
    const read = readAddress(query);
    expect(read).toEqual({ question: "What & why?", scope: { ...scope, document: { id: "d-1", name: "" } } });
    expect(scopeFields(read.scope)).toEqual({ documentId: "d-1", metadata: { year: { $gt: 2024 } } });
  });

  test("is short for everything, and survives a broken filter", () => {
    expect(askAddress("", everything)).toBe("/ask");
    expect(readAddress({ q: "x", metadata: "{cut" })).toEqual({ question: "x", scope: everything });
    expect(scopeFields(everything)).toEqual({});
  });
});

test.each([
  ["$x$ and", "x"],
  ["$a_1$.", "a_1"],
  ["\\(a\\) b", "a"],
  ["$$a$$", "a"],
  ["$5 and $6", null],
  ["$5=x$6", null],
  ["$ a_1$", null],
  ["$a_1", null],
  ["\\[", null],
] as const)("the formula at the beginning of %j is %j", (source, text) => {
  expect(formulaAt(source)?.text ?? null).toBe(text);
});

test("what stands in the embed code is no markup", () => {
  const code = embedCode({ server: "https://ask.example", chatId: "c-1", label: '"><script>', side: "left" });
  expect(code).toBe(
    '<script src="https://ask.example/embed.js" data-chat="c-1" data-label="&quot;&gt;&lt;script&gt;" data-side="left" async></script>',
  );
});
