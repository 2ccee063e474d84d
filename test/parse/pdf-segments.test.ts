/** Runs of a PDF's page as lines: which gaps are blanks. */
import { expect, test } from "bun:test";
import type { TextRun } from "../../src/parse/formats/pdf/page-text.ts";
import { buildSegments } from "../../src/parse/formats/pdf/segments.ts";

/** Runs on one line, with the gap before each in font heights. */
const line = (...parts: (string | number)[]): TextRun[] => {
  let x = 50;
  let blank: TextRun["blank"] = "none";
  return parts.flatMap((part): TextRun[] => {
    if (typeof part === "number") {
      x += part * 10;
      blank = "seen";
      return [];
    }
    const run: TextRun = { text: part, x, y: 100, width: [...part].length * 8, size: 10, font: "a", blank };
    x += run.width;
    blank = "none";
    return [run];
  });
};
const texts = (runs: readonly TextRun[]) => buildSegments(runs).map(({ text }) => text);

test("signs of Chinese and Japanese that are set apart are one word, others are not", () => {
  expect(texts(line("請", 0.38, "求", 0.38, "書"))).toEqual(["請求書"]);
  expect(texts(line("（A4", 0.4, "・", 0.4, "三つ折り）"))).toEqual(["（A4・三つ折り）"]);
  expect(texts(line("ab", 0.38, "cd"))).toEqual(["ab cd"]);
});

test("letters of Hindi whose widths are guessed stay one word, and its marks stay with it", () => {
  expect(texts(line("मा", 0.53, "त्रा"))).toEqual(["मात्रा"]);
  expect(texts(line("संख्या", 0.54, ":"))).toEqual(["संख्या:"]);
});

test("a root whose bar ends before the full stop is read with what is under it", () => {
  const root = [
    ...line("find"),
    { text: "√", x: 90, y: 91, width: 10, size: 10, font: "m", blank: "seen" as const },
    { text: "18.", x: 100, y: 100, width: 14, size: 10, font: "a", blank: "seen" as const },
  ];
  expect(buildSegments(root, [{ x0: 100, x1: 111, y0: 91, y1: 91 }]).map(({ text }) => text)).toEqual(["find √18."]);
});

test("narrow gaps above one another on four lines part cells, those on three do not", () => {
  const words = (y: number, first: string, rest: string, gap: number): TextRun[] => {
    const number: TextRun = {
      text: first,
      x: 62 - 8 * first.length,
      y,
      width: 8 * first.length,
      size: 10,
      font: "a",
      blank: "seen",
    };
    let x = 62 + gap;
    return [
      number,
      ...rest.split(" ").map((text, at): TextRun => {
        const run: TextRun = {
          text,
          x,
          y,
          width: 6 * text.length,
          size: 10,
          font: "a",
          blank: at === 0 ? "seen" : "stated",
        };
        x += run.width + 3;
        return run;
      }),
    ];
  };
  const items = [
    "Oat flakes from the mill",
    "Rye flour 1150 in bags",
    "Wheat flour 550 in bags",
    "Sea salt from Ribe in boxes",
  ];
  const [three, four] = [items.slice(1), items].map((some) =>
    some.flatMap((item, at) => words(100 + 14 * at, `${at + 1}`, item, 2)),
  );
  expect(texts(four ?? [])).toEqual(items.flatMap((item, at) => [`${at + 1}`, item]));
  expect(texts(three ?? [])).toEqual(items.slice(1).map((item, at) => `${at + 1} ${item}`));
});

test("limits of sums, integrals and limits stand behind their signs, in the line of what they are of", () => {
  const run = (text: string, x: number, y: number, size = 10): TextRun => ({
    text,
    x,
    y,
    width: [...text].length * size * 0.5,
    size,
    font: "m",
    blank: "seen",
  });
  const sum = [run("∑", 50, 91), run("∞", 51, 85, 7), run("k=0", 48, 113, 7), run("q", 62, 100), run("=", 72, 100)];
  expect(texts(sum)).toEqual(["∑_(k=0)^∞ q ="]);
  const integral = [run("∫", 50, 86), run("b", 56, 89, 7), run("a", 53, 110, 7), run("f", 62, 100)];
  expect(texts(integral)).toEqual(["∫_a^b f"]);
  const limit = [run("lim", 50, 100), run("n→∞", 49, 107, 7), run("x", 68, 100)];
  expect(texts(limit)).toEqual(["lim_(n→∞) x"]);
  // A name with its unit below is none.
  const head = [run("max", 50, 100), run("(mm)", 49, 108, 7), run("mean", 120, 100)];
  expect(texts(head).join(" ")).not.toContain("_");
});
