import { describe, expect, test } from "bun:test";
import { type Ask, halves } from "../../bench/quality/everyday/ask.ts";
import { hardToRead, isGood, judge } from "../../bench/quality/everyday/judge.ts";
import { readEverydaySet } from "../../bench/quality/everyday/set.ts";
import { noAnswerTexts } from "../../src/answers/wording/no-answer.ts";

const sets = await Promise.all(halves.map((half) => readEverydaySet(half, 600)));

describe("the set of everyday asks", () => {
  test("has the same kinds in all halves, more in those of the third set, and nothing twice", () => {
    const kinds = sets.map(({ asks }) => [...new Set(asks.map(({ kind }) => kind))].sort());
    const [develop = []] = kinds;
    const third = [...develop, "complaint", "dates", "sum", "two"].sort();
    expect(kinds).toEqual(halves.map((half) => (half.startsWith("third") ? third : develop)));
    const ids = sets.flatMap(({ asks }) => asks.map(({ id }) => id));
    // Both halves of the later set are over the same documents.
    const names = sets.flatMap(({ documents }, at) =>
      halves[at] === "later-heldout" ? [] : documents.map(({ name }) => name),
    );
    expect([ids.length, names.length]).toEqual([new Set(ids).size, new Set(names).size]);
  });

  test("names documents and asks that are there, and says what must come out", () => {
    const faults = sets.flatMap(({ asks, documents }) =>
      asks.flatMap((ask) => {
        for (const pattern of [...ask.mustMatch, ...ask.mustNotMatch]) new RegExp(pattern, "u");
        const isScoped = ask.scope === null || documents.some(({ name }) => name === ask.scope);
        const isPaired = ask.bare === undefined || asks.some(({ id }) => id === ask.bare);
        const isOpen = ask.expects === "answer" && ask.mustMatch.length === 0;
        return isScoped && isPaired && !isOpen ? [] : [ask.id];
      }),
    );
    expect(faults).toEqual([]);
  });
});

const ask: Ask = {
  id: "x",
  kind: "plain",
  turns: ["How much?"],
  scope: null,
  language: "en",
  expects: "answer",
  mustMatch: ["\\b7\\b"],
  mustNotMatch: ["8"],
};
const absent: Ask = { ...ask, expects: "none-or-hedge" };
const thanks: Ask = { ...ask, expects: "no-sources", mustMatch: [] };

test.each([
  ["the right text", ask, { text: "It is 7.", snippets: 1, certainty: "sure" }, "right", true],
  ["the right text, told as unsure", ask, { text: "It is 7.", snippets: 1, certainty: "unsure" }, "hedged", true],
  [
    "the same where certainty is asked for",
    { ...ask, sure: true },
    { text: "7", snippets: 1, certainty: "unsure" },
    "hedged",
    false,
  ],
  ["another text", ask, { text: "It is 7 or 8.", snippets: 1, certainty: "sure" }, "wrong", false],
  ["a refusal", ask, { text: noAnswerTexts.german, snippets: 0, certainty: "none" }, "refused", false],
  [
    "a refusal of what is absent",
    absent,
    { text: noAnswerTexts.english, snippets: 0, certainty: "none" },
    "refused",
    true,
  ],
  ["a hedge over what is absent", absent, { text: "Perhaps 7.", snippets: 2, certainty: "unsure" }, "hedged", true],
  ["what is absent, told as sure", absent, { text: "7", snippets: 2, certainty: "sure" }, "wrong", false],
  ["a greeting", thanks, { text: "You are welcome.", snippets: 0, certainty: "sure" }, "right", true],
  [
    "a greeting with sources",
    thanks,
    { text: "Thanks to 3 halls [1].", snippets: 1, certainty: "sure" },
    "wrong",
    false,
  ],
  ["a greeting refused", thanks, { text: noAnswerTexts.english, snippets: 0, certainty: "none" }, "refused", false],
] as const)("%s is judged", (_, asked, answer, outcome, good) => {
  expect(judge(asked, answer)).toBe(outcome);
  expect(isGood(asked, outcome)).toBe(good);
});

test.each([
  ["| Blues | STL | 1 | [1]", ["loose pipes"]],
  ["Two teams:\n\n| team | goals |\n|---|---|\n| Blues | 1 |\n| Reds | 2 |\n\n[1]", []],
  ["| team | goals |\n|---|---|\n| Blues | 1 | 2 |", ["loose pipes"]],
  ["LR-1001,Oak shelf,129.00,14 [1]", ["a raw row"]],
  ["Rad;Größe;14,00 € [1]", ["a raw row"]],
  ["It costs 1,234,567 euros, in 3,480 parts; nobody knows why. [1]", []],
  ["## Hours\nOpen at nine. [1]", ["a heading sign"]],
  ["tags: [bees, garden] [1]\nHive 2 was first.[^1]", ["front matter", "a footnote mark"]],
  ["See the [list](https://list.example/a). [1]", ["a raw link"]],
  ["```sh\ntide | head -n 1 # first\n```\nPrints `a|b`. [1]", []],
])("what makes %j hard to read is told", (text, reasons) => {
  expect(hardToRead(text)).toEqual(reasons);
});
