import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PageStart } from "../../../src/text/chunk/chunk.ts";
import { chunkText } from "../../../src/text/chunk/chunk-text.ts";

/** Pages as a parser writes them: a blank line between two. An empty page begins where the next one does. */
const paged = (pages: readonly string[], separator = "\n\n"): { text: string; starts: PageStart[] } => {
  let text = "";
  const starts: PageStart[] = [];
  for (const [index, page] of pages.entries()) {
    if (text !== "" && page !== "") text += separator;
    starts.push({ page: index + 1, start: text.length });
    text += page;
  }
  return { text, starts };
};

const chunksOn = (pages: readonly string[], separator?: string) => {
  const { text, starts } = paged(pages, separator);
  return chunkText(text, starts).map(({ text, page }) => ({ page, text }));
};

const sentence = "The committee met again in the large hall, and nobody was absent. ";

describe("pages", () => {
  test("of a few words are chunks of their own, each with its number", () => {
    const facts = ["hydrogen", "helium", "lithium", "beryllium", "boron", "carbon", "nitrogen", "oxygen", "fluorine"];
    const pages = facts.map((element, index) => `The tank on floor ${index + 1} holds ${element}.`);
    expect(chunksOn(pages)).toEqual(pages.map((text, index) => ({ page: index + 1, text })));
  });

  test("of a few lines without a full stop are not taken for one sentence", () => {
    const pages = [
      "nitrogen 4 kg",
      "oxygen 5 kg",
      "Contents",
      "the valve is shut.",
      "目录",
      "公司成立于1998年。",
      "ห้องสมุด",
      "เปิดเก้าโมง",
    ];
    expect(chunksOn(pages)).toEqual(pages.map((text, index) => ({ page: index + 1, text })));
  });

  test("slides: title and points stay together, and what has no title of its own keeps the one before", () => {
    const { text, starts } = paged(["# Costs\n\n- rent\n- heat", "- staff", "# Income\n\n- fees"]);
    const chunks = chunkText(text, starts).map(({ text, page, headings }) => ({ page, headings, text }));
    expect(chunks).toEqual([
      { page: 1, headings: ["Costs"], text: "# Costs\n\n- rent\n- heat" },
      { page: 2, headings: ["Costs"], text: "- staff" },
      { page: 3, headings: ["Income"], text: "# Income\n\n- fees" },
    ]);
  });

  test("a sheet's first rows do not go to the sheet before", () => {
    const sheet = (name: string, row: string) => `# ${name}\n\n| item | price |\n| --- | --- |\n| ${row} |`;
    const pages = [sheet("North", "lamp | 3"), sheet("South", "lamp | 4")];
    expect(chunksOn(pages)).toEqual(pages.map((text, index) => ({ page: index + 1, text })));
  });

  test("a heading that ends a page stays on it", () => {
    expect(chunksOn(["The hall is shut.\n\n## Winter", "The hall is heated."])).toEqual([
      { page: 1, text: "The hall is shut.\n\n## Winter" },
      { page: 2, text: "The hall is heated." },
    ]);
  });

  test("text before the first page has none; an empty page has no chunk; long pages have several", () => {
    const text = `Preface.\n\n${sentence.repeat(30)}\n\nLast.`;
    const starts = [
      { page: 1, start: 10 },
      { page: 2, start: text.length - 5 },
      { page: 3, start: text.length - 5 },
    ];
    const pages = chunkText(text, starts).map(({ page }) => page);
    expect(pages).toEqual([null, 1, 1, 3]);
  });
});

describe("a sentence that runs over", () => {
  test.each([
    ["before a small letter", `${sentence}The fee was raised`, "last winter to five euros. Nobody wrote."],
    ["after a function word", `${sentence}The contract was signed by`, "Mr Smith in 1998. Nobody wrote."],
    ["after a comma", `${sentence}It was signed in London,`, "Paris and Rome in 1998. Nobody wrote."],
    ["in Chinese", "委员会在大厅里开会。公司于一九九八年在上海成立，", "注册资本为五百万元。没有人写信。"],
    ["in Russian", "Комитет собрался в зале. Плата была повышена", "зимой до пяти евро. Никто не писал."],
    ["in Arabic", "اجتمعت اللجنة في القاعة. وقد رفعت الرسوم", "في الشتاء إلى خمسة يورو. لم يكتب أحد."],
  ])("%s is not cut", (_, first, second) => {
    const chunks = chunksOn([first, second]);
    expect(chunks).toHaveLength(2);
    const { text } = paged([first, second]);
    const whole = chunks.filter((chunk) => chunk.text.includes("\n\n"));
    expect(whole).toHaveLength(1);
    expect(text).toContain(whole[0]?.text ?? "?");
  });

  test("belongs to the page that holds most of it", () => {
    expect(chunksOn([`${sentence}The fee was raised by`, "five euros. Nobody wrote."])).toEqual([
      { page: 1, text: `${sentence}The fee was raised by\n\nfive euros.` },
      { page: 2, text: "Nobody wrote." },
    ]);
    expect(chunksOn([`${sentence}The fee`, "was raised by five euros in winter. Nobody wrote."])).toEqual([
      { page: 1, text: sentence.trim() },
      { page: 2, text: "The fee\n\nwas raised by five euros in winter. Nobody wrote." },
    ]);
  });

  test("may run over three pages", () => {
    const chunks = chunksOn([
      `${sentence}It was signed by the mayor, the`,
      "baker who owned the old mill and",
      "the priest.",
    ]);
    expect(chunks.at(-1)).toEqual({
      page: 2,
      text: "It was signed by the mayor, the\n\nbaker who owned the old mill and\n\nthe priest.",
    });
  });

  test("is not joined to a heading, a list or a table", () => {
    for (const next of ["# of five euros.", "- of five euros.", "| of | five euros. |"])
      expect(chunksOn([`${sentence}The fee was raised by the`, next]).at(-1)).toEqual({ page: 2, text: next });
  });

  test("a table row on two pages stays whole, on the page with most of it", () => {
    const rows = "| item | price |\n| --- | --- |\n| lamp | three |\n| a very long table | four |";
    const starts = [
      { page: 1, start: 0 },
      { page: 2, start: rows.indexOf("very") },
    ];
    expect(chunkText(rows, starts).map(({ page, text }) => [page, text.split("\n").at(-1)])).toEqual([
      [1, "| lamp | three |"],
      [2, "| a very long table | four |"],
    ]);
  });
});

const pieces = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom(
    sentence,
    "and the",
    "# Head\n",
    "- item\n",
    "| a | b |\n",
    "\n\n",
    ". ",
    "。",
    "委员会在大厅里开会，",
    "a".repeat(90),
  ),
);

test("every chunk's page is the one that holds most of it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(pieces, { maxLength: 6 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 60, max: 300 }),
      (parts, maxCharacters) => {
        const { text, starts } = paged(parts.map((page) => page.join("")));
        let end = 0;
        for (const chunk of chunkText(text, starts, { maxCharacters })) {
          expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
          expect(text.slice(end, chunk.start).trim()).toBe("");
          expect(chunk.text.length).toBeLessThanOrEqual(maxCharacters);
          end = chunk.end;
          const held = starts.map(({ start }, index) => {
            const next = starts[index + 1]?.start ?? text.length;
            return Math.max(0, Math.min(next, chunk.end) - Math.max(start, chunk.start));
          });
          expect(held[(chunk.page ?? 0) - 1]).toBe(Math.max(...held));
        }
        expect(text.slice(end).trim()).toBe("");
      },
    ),
    { numRuns: 300 },
  );
});

test("a hundred thousand pages take no longer than their text", () => {
  const { text, starts } = paged(
    Array.from({ length: 100_000 }, (_, index) => (index % 3 === 0 ? `Page ${index}.` : "")),
  );
  expect(chunkText(text, starts)).toHaveLength(33_334);
});
