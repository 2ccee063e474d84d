import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createCitationFilter, withoutMarks } from "../../../src/answers/marks/citation-filter.ts";

/** Statements as short as these are not compared with their sources. */
const sources = (count: number) => Array.from({ length: count }, () => ({ text: "" }));

const run = (pieces: string[], snippets: number) => {
  const filter = createCitationFilter(sources(snippets));
  const text = pieces.map((piece) => filter.push(piece)).join("") + filter.end();
  const { dropped, unsupported, cited } = filter.report;
  return { text, dropped, unsupported, cited: [...cited] };
};

describe("createCitationFilter", () => {
  const cases: [name: string, answer: string, expected: string, dropped: number][] = [
    ["marks that point somewhere stay", "Nine [1]. Ten [2][3].", "Nine [1]. Ten [2][3].", 0],
    ["marks that point nowhere go, with their space", "Nine [7]. Ten [0].", "Nine. Ten.", 2],
    ["glued marks go too", "Nine[7].", "Nine.", 1],
    ["lists become single marks", "Nine [1, 3; 2].", "Nine [1][3][2].", 0],
    ["lists lose what points nowhere", "Nine [1, 9].", "Nine [1].", 1],
    ["ranges become single marks", "Nine [1-3].", "Nine [1][2][3].", 0],
    ["a range that runs over is cut", "Nine [2–900].", "Nine [2][3].", 1],
    ["other brackets are text", "See [the rules], [2021] and a[i].", "See [the rules], [2021] and a[i].", 0],
    ["code is left alone", "`list[9]` and\n```\nx[8]\n``` but [9]", "`list[9]` and\n```\nx[8]\n``` but", 1],
    ["a stray backtick counts for its line alone", "a ` b [9]\nc [9]", "a ` b [9]\nc", 1],
    ["an unfinished mark at the end is text", "Nine [1", "Nine [1", 0],
    ["spaces stay", "a  b   [1]  c ", "a  b   [1]  c ", 0],
  ];
  for (const [name, answer, expected, dropped] of cases) {
    test(name, () => {
      expect(run([answer], 3)).toMatchObject({ text: expected, dropped });
    });
  }

  test("gives text out as soon as it is settled", () => {
    const filter = createCitationFilter(sources(3));
    expect(filter.push("Nine")).toBe("Nine");
    expect(filter.push(" [")).toBe("");
    expect(filter.push("1")).toBe("");
    expect(filter.push("] and")).toBe(" [1] and");
    expect(filter.push(" [x")).toBe(" [x");
  });

  test("says which snippets were named", () => {
    expect(run(["One [2], two [1], three [2]."], 3).cited).toEqual([2, 1]);
  });

  test("does the same however the answer is cut into pieces", () => {
    const token = fc.constantFrom(
      "[",
      "]",
      "1",
      "9",
      " ",
      "`",
      "```",
      "\n",
      ",",
      "-",
      "word",
      "[1]",
      " [9]",
      "[1, 2]",
      "é",
    );
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 60 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (tokens, sizes) => {
          const answer = tokens.join("");
          const pieces: string[] = [];
          for (let at = 0; at < answer.length; ) {
            const size = sizes.next().value ?? 1;
            pieces.push(answer.slice(at, at + size));
            at += size;
          }
          expect(run(pieces, 4)).toEqual(run([answer], 4));
        },
      ),
    );
  });

  test("outside code, no mark that points nowhere is left", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("[7]", "[1]", " ", "a", "[5,6]", "[0]", ".", "\n")), (tokens) => {
        const { text } = run([tokens.join("")], 4);
        for (const [, number] of text.matchAll(/\[(\d+)\]/g)) expect([1, 2, 3, 4]).toContain(Number(number));
      }),
    );
  });
});

test("withoutMarks takes out every mark", () => {
  expect(withoutMarks("Nine [1]. Ten [2, 3][4-5] [2021] [x].")).toBe("Nine. Ten [2021] [x].");
});
