import type { Block } from "./blocks.ts";
import { writeSet } from "./write-set.ts";

const usage = `Makes a set of abstracts in BEIR's layout from the descriptions of Debian's packages.

  apt-cache dumpavail | bun bench/quality/sets/make-package-set.ts TARGET NAME

A document is the long description of a package, and is asked for by the short one. TARGET gets a folder NAME.`;

const [target, name] = process.argv.slice(2);
if (target === undefined || name === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

/** Characters of a long description. */
const minLength = 400;

const descriptions = new Map<string, Block[]>();
for (const record of (await Bun.stdin.text()).split("\n\n")) {
  const [, short, long] = /^Description(?:-en)?: (.+)\n((?: .*(?:\n|$))+)/m.exec(record) ?? [];
  if (short === undefined || long === undefined || long.length < minLength) continue;
  const paragraphs = long.split(/^ \.$/m).map((text) => ({ level: 0, text: text.replace(/\s+/g, " ").trim() }));
  // Packages of one source often share their text: the first of them stands for all.
  const key = paragraphs[0]?.text ?? "";
  if (!descriptions.has(key)) descriptions.set(key, [{ level: 1, text: short }, ...paragraphs]);
}
const pages = [...descriptions].sort(([a], [b]) => Number(Bun.hash.crc32(a)) - Number(Bun.hash.crc32(b)));
process.stdout.write(`${await writeSet(target, name, pages)}\n`);
