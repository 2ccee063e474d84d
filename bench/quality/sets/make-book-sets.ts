import { type Block, readBlocks } from "./blocks.ts";
import { writeSet } from "./write-set.ts";

const usage = `Makes a set in BEIR's layout from the sections of a book in HTML.

  bun bench/quality/sets/make-book-sets.ts TARGET NAME PATTERN [ORIGINAL_PATTERN]

PATTERN names the book's files ("…/debian-handbook/html/ko-KR/*.html"); paragraphs that ORIGINAL_PATTERN's files, the book in
English, have too are not translated, and left out. TARGET gets a folder NAME: corpus.jsonl, queries.jsonl,
qrels/test.tsv, absent.jsonl. Books in many languages: Debian's packages debian-handbook, debian-reference-XX,
maint-guide-XX.`;

const [target, name, pattern, originalPattern] = process.argv.slice(2);
if (target === undefined || name === undefined || pattern === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

/** Characters of a section beside its heading. */
const minLength = 200;
const maxLength = 8_000;

const filesOf = async (glob: string): Promise<string[]> =>
  (await Array.fromAsync(new Bun.Glob(glob.replace(/^\//, "")).scan({ cwd: "/", absolute: true }))).sort();

const readBook = async (glob: string): Promise<Block[]> => {
  const blocks: Block[] = [];
  for (const file of await filesOf(glob)) blocks.push(...readBlocks(await Bun.file(file).text()));
  return blocks;
};

/** The sections of a book, each with its heading as the page's. */
const sectionsOf = (blocks: readonly Block[]): Block[][] => {
  const sections: Block[][] = [];
  for (const block of blocks) {
    if (block.level > 0) sections.push([{ level: 1, text: block.text.replace(/^[\p{L}\s]{0,9}[\dA-Z.]+\s+/u, "") }]);
    else sections.at(-1)?.push(block);
  }
  return sections;
};

const original =
  originalPattern === undefined ? new Set() : new Set((await readBook(originalPattern)).map(({ text }) => text));
const pages = sectionsOf((await readBook(pattern)).filter(({ level, text }) => level > 0 || !original.has(text)))
  .filter((section) => {
    const length = section.reduce((sum, { level, text }) => sum + (level > 0 ? 0 : text.length), 0);
    return length >= minLength && length <= maxLength;
  })
  .map((section) => [section.map(({ text }) => text).join("\n"), section] as const);
const unique = [...new Map(pages)].sort(([a], [b]) => Number(Bun.hash.crc32(a)) - Number(Bun.hash.crc32(b)));
process.stdout.write(`${await writeSet(target, name, unique)}\n`);
