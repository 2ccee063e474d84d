import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Block, readBlocks } from "./blocks.ts";
import { maxPages, writeSet } from "./write-set.ts";

const usage = `Makes sets in BEIR's layout from LibreOffice's help, which has the same pages in many languages.

  bun bench/quality/sets/make-help-sets.ts FOLDER TARGET [LANGUAGE]…

FOLDER holds unpacked packages (Debian: apt-get download libreoffice-help-vi; dpkg -x libreoffice-help-vi_*.deb FOLDER),
libreoffice-help-en-us among them: a paragraph that is the same as in English is not translated, and left out. TARGET gets
a folder for each language: corpus.jsonl, queries.jsonl, qrels/test.tsv, and absent.jsonl with questions of pages that
the corpus does not hold.`;

/** Part of a page's characters that has to be translated; pages of the second part are used if there are too few. */
const minTranslated = [0.7, 0.3];
/** Characters of a page without its question; a character of a script without spaces says about twice as much. */
const minTextLength = 240;
/** Longer pages are reference lists. */
const maxTextLength = 12_000;

const [folder, target, ...wanted] = process.argv.slice(2);
if (folder === undefined || target === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const root = join(folder, "usr/share/libreoffice/help");
const english = "en-US";

const pagePaths = async (language: string): Promise<string[]> => {
  const all = await readdir(join(root, language, "text"), { recursive: true });
  return all.filter((path) => path.endsWith(".html")).sort();
};

const readPage = async (language: string, path: string): Promise<Block[]> =>
  readBlocks(await Bun.file(join(root, language, "text", path)).text());

/** The page's blocks that are translated; null if too few are, or if they are too short or too long for a document. */
const translatedBlocks = (
  page: readonly Block[],
  original: ReadonlySet<string> | null,
  part: number,
): Block[] | null => {
  const other = original !== null && page.some(({ text }) => foreignLetters.test(text));
  const isTranslated = ({ text }: Block): boolean =>
    !englishWords.test(text) || (original?.has(text) !== true && (!other || foreignLetters.test(text)));
  const kept = page.filter(isTranslated);
  const length = lengthOf(kept);
  if (length < minTextLength / (isDense(kept) ? 2 : 1) || length > maxTextLength) return null;
  return length >= part * lengthOf(page) ? kept : null;
};

/** A paragraph without it is a formula or a name, which no translation changes. */
const englishWords = /[a-z]{2,} [a-z]{2,}/i;
/** Letters of another script than Latin: a page that has them is in no language of Latin letters. */
const foreignLetters = /[^\P{L}\p{Script=Latin}\p{Script=Greek}]{2}|\p{Script=Greek}{4}/u;

const lengthOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { text }) => sum + text.length, 0);

const isDense = (blocks: readonly Block[]): boolean =>
  blocks.some(({ text }) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}\p{Script=Khmer}]{4}/u.test(text));

/** An order that has nothing to do with the pages' names, the same for every language. */
const shuffled = (paths: readonly string[]): string[] =>
  [...paths].sort((a, b) => Number(Bun.hash.crc32(a)) - Number(Bun.hash.crc32(b)));

const paths = shuffled(await pagePaths(english));
const originals = new Map<string, Block[]>();
for (const path of paths) originals.set(path, await readPage(english, path));

const languages = wanted.length > 0 ? wanted : (await readdir(root)).filter((name) => name !== "media");
for (const language of languages) {
  if (!(await Bun.file(join(root, language, "text", "shared/main0108.html")).exists())) continue;
  const pages = new Map<string, Block[]>();
  for (const part of minTranslated) {
    if (pages.size >= maxPages) break;
    for (const path of paths) {
      if (pages.has(path) || !(await Bun.file(join(root, language, "text", path)).exists())) continue;
      const original = language === english ? null : new Set(originals.get(path)?.map(({ text }) => text));
      const blocks = translatedBlocks(await readPage(language, path), original, part);
      if (blocks !== null) pages.set(path, blocks);
    }
  }
  process.stdout.write(`${await writeSet(target, `help-${language.toLowerCase()}`, [...pages])}\n`);
}
