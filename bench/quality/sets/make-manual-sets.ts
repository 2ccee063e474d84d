import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Block } from "./blocks.ts";
import { readManualPage } from "./manual-page.ts";
import { writeSet } from "./write-set.ts";

const usage = `Makes sets in BEIR's layout from manual pages.

  bun bench/quality/sets/make-manual-sets.ts TARGET FOLDER LANGUAGE…

FOLDER holds unpacked packages (Debian's manpages-XX). A page is asked for by its one-line description, which is taken
out of it with the section NAME. TARGET gets a folder manual-LANGUAGE for each.`;

const [target, folder, ...languages] = process.argv.slice(2);
if (target === undefined || folder === undefined || languages.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

/** Characters of a page without its section NAME. */
const minLength = 400;
const maxLength = 30_000;
/** Sections about the page itself, the same in many pages. */
const maxAlike = 3;

const readPage = async (path: string): Promise<Block[] | null> => {
  const bytes = await Bun.file(path).bytes();
  const source = new TextDecoder().decode(path.endsWith(".gz") ? Bun.gunzipSync(bytes) : bytes);
  const [nameHeading, name, ...rest] = readManualPage(source);
  const description = / [-–—]+ (.{8,200})$/.exec(name?.text ?? "")?.[1];
  const length = rest.reduce((sum, { text }) => sum + text.length, 0);
  if (nameHeading?.level !== 2 || description === undefined || length < minLength || length > maxLength) return null;
  return [{ level: 1, text: description }, ...rest];
};

for (const language of languages) {
  const root = join(folder, "usr/share/man", language);
  const pages: [string, Block[]][] = [];
  for (const path of (await readdir(root, { recursive: true })).filter((file) => /\.\d\w*(?:\.gz)?$/.test(file))) {
    const page = await readPage(join(root, path)).catch(() => null);
    if (page !== null) pages.push([basename(path), page]);
  }
  const uses = new Map<string, number>();
  for (const [, page] of pages) for (const { text } of page) uses.set(text, (uses.get(text) ?? 0) + 1);
  const own = pages.map(
    ([name, [title, ...rest]]) =>
      [
        name,
        [...(title === undefined ? [] : [title]), ...rest.filter((b) => (uses.get(b.text) ?? 0) <= maxAlike)],
      ] as const,
  );
  own.sort(([a], [b]) => Number(Bun.hash.crc32(a)) - Number(Bun.hash.crc32(b)));
  process.stdout.write(`${await writeSet(target, `manual-${language}`, own)}\n`);
}
