import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dir, "../..");
/** More files than this hide what a folder is about. */
const maxFilesInFolder = 40;
/** Folders of data: their files are looked up by name, not read as code. */
const dataFolders = [
  "test/fixtures/",
  "tools/licenses/texts/",
  "providers/builtin/",
  "docs/screenshots/",
  "bench/quality/everyday/",
];

const tracked = Bun.spawnSync(["git", "ls-files"], { cwd: root }).stdout.toString().split("\n").filter(Boolean);
/** Without git (a copy of the sources), the folders are read. */
const files =
  tracked.length > 0
    ? tracked.filter((path) => existsSync(join(root, path)))
    : ["src", "providers", "config", "test", "tools", "bench", "docs"].flatMap((folder) =>
        [...new Bun.Glob("**/*").scanSync(join(root, folder))].map((path) => `${folder}/${path}`),
      );

test("no folder holds more files than one can take in", () => {
  const counts = new Map<string, number>();
  for (const path of files) {
    if (dataFolders.some((folder) => path.startsWith(folder))) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  expect(counts.size).toBeGreaterThan(20);
  expect([...counts].filter(([, count]) => count > maxFilesInFolder)).toEqual([]);
});

test("the root of src holds the way in alone", () => {
  const atRoot = files.filter((path) => dirname(path) === "src");
  expect(atRoot).toEqual(["src/main.ts"]);
});
