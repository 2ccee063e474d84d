import { describe, expect, test } from "bun:test";
import {
  beginOfExcerpt,
  citedSentences,
  statementsOf,
} from "../../../src/web/browser/console/views/answers/passages.ts";

describe("what an answer says before a mark", () => {
  test("is the sentence before it, with the marks between left out", () => {
    const answer = "It opens at nine [1][2]. In summer at eight. [2] Never closed [3].";
    expect(statementsOf(answer, 1)).toEqual(["It opens at nine"]);
    expect(statementsOf(answer, 2)).toEqual(["It opens at nine", "In summer at eight."]);
    expect(statementsOf(answer, 3)).toEqual(["Never closed"]);
    expect(statementsOf(answer, 4)).toEqual([]);
    expect(statementsOf("[1] stands first", 1)).toEqual([]);
    expect(statementsOf("Of old.\nIt opens at nine. Never on Sunday. [1]", 1)).toEqual([
      "It opens at nine.",
      "Never on Sunday.",
    ]);
  });
});

describe("the sentences that are meant", () => {
  const passage = "# Hours\n\nThe room opens at eight in summer. In winter it opens at nine. Lamps are lit at dusk.";
  const cited = (text: string, ...statements: string[]) =>
    citedSentences(text, statements).map(({ start, end }) => text.slice(start, end));

  test("share the most words with what is said", () => {
    expect(cited(passage, "It opens at nine in winter")).toEqual(["In winter it opens at nine."]);
    expect(cited(passage, "Lamps are lit at dusk", "The room opens at eight")).toEqual([
      "The room opens at eight in summer.",
      "Lamps are lit at dusk.",
    ]);
  });

  test("are found without spaces between words", () => {
    expect(cited("東京タワーは高い。閲覧室は九時に開く。", "閲覧室は九時に開きます")).toEqual(["閲覧室は九時に開く。"]);
  });

  test("do not end in the mark of a footnote", () => {
    expect(cited("It is serviced by Larch.[^1] The pump is new.", "The pump is new", "Serviced by Larch")).toEqual([
      "It is serviced by Larch.",
      "The pump is new.",
    ]);
  });

  test("are none where no sentence is near", () => {
    expect(cited(passage, "Elephants swim")).toEqual([]);
    expect(cited("", "It opens at nine")).toEqual([]);
  });
});

test("an excerpt begins at a sentence or a word not far before the first range", () => {
  const linked = `${"Word. ".repeat(40)}It is by [Larch and Sons of the old harbour](http://larch.example/).[^1] The pump.`;
  const start = linked.indexOf("The pump");
  expect(linked.slice(beginOfExcerpt(linked, [{ start, end: linked.length }]))).toMatch(/^(Word\. )+It is by \[/);
  const text = `${"word ".repeat(100)}meant`;
  const begin = beginOfExcerpt(text, [{ start: 500, end: 505 }]);
  expect(begin).toBeGreaterThan(400);
  expect(text.slice(begin - 1, begin + 4)).toBe(" word");
  expect(beginOfExcerpt(text, [{ start: 40, end: 44 }])).toBe(0);
  expect(beginOfExcerpt(text, [])).toBe(0);
});
