import { expect, test } from "bun:test";
import { passageMarkdown } from "../../../src/web/browser/shared/passage-markdown.ts";

test("a passage that begins in the middle of a table is a table again, under its names where they are known", () => {
  const rows = "| P003 | closed |\n| P004 | open |";
  expect(passageMarkdown(`${rows}\nEnd.`, { columns: ["Id", "Status"] })).toBe(
    `| Id | Status |\n| --- | --- |\n${rows}\nEnd.`,
  );
  expect(passageMarkdown(rows, { columns: ["Id", "Name", "Status"] })).toBe(`|  |  |\n| --- | --- |\n${rows}`);
  const whole = `Text\n| a | b |\n|---|---|\n${rows}`;
  expect(passageMarkdown(whole)).toBe(whole);
});

test("what is marked keeps a line what it is: the signs stand behind those of Markdown", () => {
  const text = "# One\n- two words\n| a | b |\n|---|---|\n| c | d |";
  const cited = [
    { start: 0, end: 5 },
    { start: 8, end: 17 },
    { start: 38, end: 47 },
  ];
  expect(passageMarkdown(text, { cited })).toBe("# ␂One␃\n- ␂two words␃\n| a | b |\n|---|---|\n| ␂c | d␃ |");
  // A text that has the signs itself is shown without marks.
  expect(passageMarkdown("␂ one", { cited: [{ start: 0, end: 5 }] })).toBe("␂ one");
});

test("a part of a passage begins at a word, or at a row under the head of its table", () => {
  expect(passageMarkdown("One two. Three four.", { begin: 9 })).toBe("… Three four.");
  const table = "| a | b |\n|---|---|\n| c | d |\n| e | f |";
  expect(passageMarkdown(table, { begin: 33 })).toBe("| a | b |\n|---|---|\n| e | f |");
  expect(passageMarkdown(table, { begin: 12 })).toBe("| a | b |\n|---|---|\n| c | d |\n| e | f |");
});

test("settings before a Markdown text are not read; lines of dashes round anything else are", () => {
  expect(passageMarkdown("---\ntitle: Rules\ntags: [a]\n---\n# Rules\nBe kind.")).toBe("# Rules\nBe kind.");
  const ruled = "---\nBe kind.\n---\nAlways.";
  expect(passageMarkdown(ruled)).toBe(ruled);
});
