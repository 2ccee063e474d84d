/**
 * Measures whether the right document comes first and the right page is among the first ten snippets, over long PDFs:
 *
 *     bun bench/quality/long-documents/make.ts FOLDER
 *     bun bench/quality/long-documents/main.ts FOLDER [--set NAME]… [--data FOLDER] [--misses bm25|fused]
 *
 * Each folder in FOLDER is a set: `files/` and `questions.jsonl` (id, kind, text, file, pages), or `labels.json`, which
 * names each file loosely: then its headings are asked for. The files are parsed, cut, indexed and searched as the
 * server does it; static vectors. --data keeps the indexes for the next run, --misses prints what was not found.
 */
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { inParallel } from "../../../src/async/in-parallel.ts";
import { estimate } from "../../../src/evaluation/estimates.ts";
import { embeddingOf } from "../in-process.ts";
import { type Legs, openLongSet } from "./open-set.ts";
import { readLongSet } from "./read-set.ts";

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true },
    misses: { type: "string" },
    data: { type: "string" },
    legs: { type: "string", multiple: true },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: bun bench/quality/long-documents/main.ts FOLDER [--set NAME]…");

const model = await embeddingOf({ model: "static", config: undefined });
const share = (found: readonly boolean[]): string => {
  const { mean, low, high } = estimate(found.map(Number));
  return `${(100 * mean).toFixed(1)} [${(100 * low).toFixed(1)}, ${(100 * high).toFixed(1)}]`;
};
const lines = [
  "| set | questions | legs | document first | page first | page in ten | ms |",
  "|---|---|---|---|---|---|---|",
];
for (const name of (await readdir(folder)).sort()) {
  if (values.set !== undefined && !values.set.includes(name)) continue;
  const set = await readLongSet(join(folder, name));
  const temporary = values.data === undefined;
  const dataDir = temporary ? await mkdtemp(join(tmpdir(), "carrel-long-")) : join(resolve(values.data ?? ""), name);
  await mkdir(dataDir, { recursive: true });
  const opened = await openLongSet(set, dataDir, model);
  for (const legs of ["bm25", "fused"] satisfies Legs[]) {
    if (values.legs !== undefined && !values.legs.includes(legs)) continue;
    const started = performance.now();
    const results = await inParallel(set.questions, 1, async (question) => {
      const found = await opened.search(question.text, legs);
      const isRight = ({ file, page }: (typeof found)[number]): boolean =>
        file === question.file && page !== null && question.pages.includes(page);
      const result = {
        document: found[0]?.file === question.file,
        first: found.slice(0, 1).some(isRight),
        ten: found.slice(0, 10).some(isRight),
      };
      if (legs === values.misses && !result.ten)
        process.stderr.write(
          `${question.text} | ${question.file} ${question.pages} | ${found
            .slice(0, 4)
            .map(({ file, page }) => `${file}:${page}`)
            .join(" ")}\n`,
        );
      return result;
    });
    const ms = (performance.now() - started) / set.questions.length;
    lines.push(
      `| ${set.name} | ${results.length} | ${legs} | ${share(results.map((r) => r.document))} | ${share(results.map((r) => r.first))} | ${share(results.map((r) => r.ten))} | ${ms.toFixed(1)} |`,
    );
    process.stderr.write(`${lines.at(-1)}\n`);
  }
  await opened.close();
  if (temporary) await rm(dataDir, { recursive: true, force: true });
}
process.stdout.write(`${lines.join("\n")}\n`);
process.exit(0);
