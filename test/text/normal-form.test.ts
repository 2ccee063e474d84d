import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { normalForm, withoutPiledMarks } from "../../src/text/clean-text.ts";

const forms = ["NFC", "NFD", "NFKC", "NFKD"] as const;
/** Their classes differ, so that they are put in order. */
const marks = "\u0301\u0316\u0345\u3099\u0327";

test("text as people write it is normalized as ever", () => {
  for (const text of ["", "Größe ﬁn Ａ1", "Nguyễn Ái Quốc", "が ｶﾞ 한", "שָׁלוֹם", "क्षि", `Z${marks.repeat(6)}algo`])
    for (const form of forms) expect(normalForm(text, form)).toBe(text.normalize(form));
});

test("marks piled on one letter are left out before they are put in order", () => {
  const text = `a${marks.repeat(200_000)} b${marks}`;
  expect(withoutPiledMarks(text)).toBe(`a${marks.repeat(6)} b${marks}`);
  expect(normalForm(text, "NFC")).toBe(withoutPiledMarks(text).normalize("NFC"));
});

/** Outside the pages, which slow down only their reader: where a form is taken of what is short: a word, a character, a name of 255 characters, an answer of a set. */
const short = [
  "providers/builtin/wordpiece/characters.ts",
  "src/evaluation/answers.ts",
  "src/parse/formats/latex.ts",
  "src/parse/formats/pdf/glyph-names.ts",
  "src/parse/formats/pdf/links.ts",
  "src/parse/formats/pdf/page-text.ts",
  "src/store/engine/filters.ts",
  "src/text/analysis/term.ts",
  "src/text/language/fold.ts",
  "src/text/language/vietnamese.ts",
];

test("nowhere else is text normalized as it came", async () => {
  const root = join(import.meta.dir, "../..");
  const found: string[] = [];
  for await (const file of new Glob("{config,providers,src}/**/*.ts").scan(root))
    if (!/^src.web/.test(file) && /\.normalize\("NF/.test(await Bun.file(join(root, file)).text()))
      found.push(file.replaceAll("\\", "/"));
  expect(found.sort()).toEqual(short);
});
