import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { exchangesOf } from "../../../src/answers/prompt/history.ts";
import {
  aboutDocument,
  contextText,
  countPlaceholders,
  fillPrompt,
  promptTurns,
  type Source,
  type Task,
} from "../../../src/answers/prompt/prompt.ts";

const source = (number: number, change: Partial<Source> = {}): Source => ({
  number,
  documentName: "House rules",
  page: null,
  headings: [],
  about: [],
  context: "",
  text: `text ${number}`,
  ...change,
});

describe("fillPrompt", () => {
  test("puts both values in, leaves other braces alone", () => {
    const prompt = 'JSON {"a": {}} {contextText} {query} {Query} {{query}} { query } {';
    expect(fillPrompt(prompt, { contextText: "C", query: "Q" })).toBe('JSON {"a": {}} C Q {Query} {Q} { query } {');
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

const task: Task = { kind: "question", certainty: "sure", instructions: "", attached: "", today: "2026-01-31" };
const asked = (prompt: string | null, change: Partial<Task> = {}) => ({
  prompt,
  query: "Why?",
  task: { ...task, ...change },
});

describe("promptTurns", () => {
  test("by default: instructions, earlier turns, then sources, question and the rule of marks again", () => {
    const history = [
      { role: "user" as const, content: "When do you open?" },
      { role: "assistant" as const, content: "At eight." },
    ];
    const turns = promptTurns(asked(null), [source(1)], history);
    expect(turns.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(turns[0]?.content).toContain("Today is 2026-01-31.");
    expect(turns[3]?.content).toMatch(
      /^Sources:\n\n\[1\] House rules\ntext 1\n\nQuestion: Why\?\n\n.*source in square brackets/,
    );
  });

  test("tells a model what it is asked for, and how sure it is that the sources hold it", () => {
    const told = (change: Partial<Task>) => promptTurns(asked(null, change), [source(1)], [])[0]?.content;
    expect(told({})).not.toContain("may not hold");
    expect(told({ certainty: "unsure" })).toContain("may not hold");
    expect(told({ kind: "overview" })).toContain("Summarize");
    expect(told({ kind: "conversation" })).toContain("your answer before");
  });
});

test("contextText: in the order of the numbers, with place, date and column names, nothing said twice", () => {
  const sources = [
    source(1, { documentName: "B", page: 3, headings: ["B", "Hours", "Winter"], about: ["2024-01-15", "by Ann"] }),
    source(2, {
      documentName: "Staff handbook 2024",
      headings: ["Staff handbook 2024", "Leave"],
      text: "# Leave\ntext",
    }),
    source(3, { documentName: "B", context: "Day | From" }),
  ];
  expect(contextText(sources)).toBe(
    "[1] B, page 3, Hours > Winter (2024-01-15; by Ann)\ntext 1\n\n[2] Staff handbook 2024\n# Leave\ntext\n\n[3] B\nDay | From\ntext 3",
  );
});

test("aboutDocument: the date of the metadata or that of its adding, author and tags", () => {
  const createdAt = Date.UTC(2026, 0, 31);
  expect(aboutDocument({ metadata: null, createdAt })).toEqual(["added 2026-01-31"]);
  const metadata = { date: "2024-05-01", author: "Ann Larch", tags: ["leave", "staff"], other: { x: 1 } };
  expect(aboutDocument({ metadata, createdAt })).toEqual(["2024-05-01", "by Ann Larch", "tags: leave, staff"]);
});

test("exchangesOf: whole pairs, the user first, without what was refused or got no answer, and without marks", () => {
  const user = (text: string) => ({ role: "user" as const, text });
  const model = (text: string) => ({ role: "assistant" as const, text });
  const history = [
    model("Cut off above."),
    user("A"),
    model("Yes [1]."),
    user("Failed"),
    user("Refused"),
    model("The documents do not hold an answer to this question."),
    user("Refused too"),
    model("I'm sorry, the provided sources do not contain that information."),
    user("B"),
    model("The documents do not allow dogs [2]."),
  ];
  const texts = (keeps: boolean) => exchangesOf(history, keeps).map((pair) => pair.map(({ content }) => content));
  expect(texts(false)).toEqual([
    ["A", "Yes."],
    ["B", "The documents do not allow dogs."],
  ]);
  expect(texts(true).at(-1)).toEqual(["B", "The documents do not allow dogs [2]."]);
});
