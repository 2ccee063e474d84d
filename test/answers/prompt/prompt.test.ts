import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  contextText,
  countPlaceholders,
  fillPrompt,
  promptTurns,
  type Source,
} from "../../../src/answers/prompt/prompt.ts";

const source = (number: number, change: Partial<Source> = {}): Source => ({
  number,
  documentId: "d1",
  documentName: "House rules",
  position: number,
  page: null,
  headings: [],
  context: "",
  text: `text ${number}`,
  ...change,
});

describe("fillPrompt", () => {
  test("puts both values in, leaves other braces alone", () => {
    const prompt = 'JSON {"a": {}} {contextText} {query} {Query} {{query}} { query } {';
    expect(fillPrompt(prompt, { contextText: "C", query: "Q" })).toBe('JSON {"a": {}} C Q {Query} {Q} { query } {');
  });

  test("takes values as they are: replacement patterns and placeholders in them are not expanded", () => {
    const values = { contextText: "$& $1 $` {query}", query: "$$ {contextText}" };
    expect(fillPrompt("<{contextText}|{query}>", values)).toBe("<$& $1 $` {query}|$$ {contextText}>");
  });

  test("is the same as putting the pieces between the placeholders together, whatever they hold", () => {
    const piece = fc
      .array(fc.constantFrom("{", "}", "$", "&", "{query", "contextText}", "a", "é", "\n", "$'"))
      .map((p) => p.join(""));
    const names = fc.constantFrom("contextText" as const, "query" as const);
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, names)), piece, fc.string(), fc.string(), (parts, last, context, query) => {
        const isClean = (text: string) => !/\{(contextText|query)\}/.test(text);
        const template = [...parts.map(([text, name]) => `${text}{${name}}`), last].join("");
        // Two neighboring pieces may form a placeholder by chance; those are not what this is about.
        fc.pre([...parts.map(([text]) => text), last].every(isClean));
        fc.pre(countPlaceholders(template).contextText + countPlaceholders(template).query === parts.length);
        const values = { contextText: context, query };
        const expected = [...parts.map(([text, name]) => text + values[name]), last].join("");
        expect(fillPrompt(template, values)).toBe(expected);
      }),
    );
  });
});

describe("promptTurns", () => {
  test("by default: instructions, earlier turns, then sources and question", () => {
    const turns = promptTurns(
      null,
      "And in winter?",
      [source(1)],
      [
        { role: "user", content: "When do you open?" },
        { role: "assistant", content: "At eight." },
      ],
    );
    expect(turns.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(turns[3]?.content).toBe("Sources:\n\n[1] House rules\ntext 1\n\nQuestion: And in winter?");
  });

  test("a prompt with {query} is the whole message", () => {
    expect(promptTurns("{contextText}\n{query}", "Why?", [source(1)], [])).toEqual([
      { role: "user", content: "[1] House rules\ntext 1\nWhy?" },
    ]);
  });

  test("a prompt without {query} stands before the question", () => {
    expect(promptTurns("Be short. {contextText}", "Why?", [source(1)], [])).toEqual([
      { role: "system", content: "Be short. [1] House rules\ntext 1" },
      { role: "user", content: "Why?" },
    ]);
  });

  test("a prompt without {contextText} shows no sources", () => {
    expect(promptTurns("Be short.", "Why?", [source(1)], [])).toEqual([
      { role: "system", content: "Be short." },
      { role: "user", content: "Why?" },
    ]);
  });

  test("joins turns of one role: an unanswered message does not break the alternation", () => {
    const turns = promptTurns(
      null,
      "C",
      [],
      [
        { role: "user", content: "A" },
        { role: "user", content: "B" },
      ],
    );
    expect(turns.slice(1)).toEqual([{ role: "user", content: "A\n\nB\n\nC" }]);
  });
});

test("contextText: documents by their best snippet, each in reading order, with place and column names", () => {
  const sources = [
    source(1, { documentId: "b", documentName: "B", position: 9, page: 3, headings: ["Hours", "Winter"] }),
    source(2, { documentId: "a", documentName: "A", position: 0 }),
    source(3, { documentId: "b", documentName: "B", position: 2, context: "Day | From" }),
  ];
  expect(contextText(sources)).toBe(
    "[3] B\nDay | From\ntext 3\n\n[1] B, page 3, Hours > Winter\ntext 1\n\n[2] A\ntext 2",
  );
});
