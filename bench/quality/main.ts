import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createStaticEmbedding } from "../../providers/builtin/static/embedding.ts";
import { createHttpClient } from "./http-client.ts";
import { createInProcessClient } from "./in-process.ts";
import { measureSet, type QualitySet, readQualitySet } from "./measure.ts";
import { reportTable, type SetResult } from "./report.ts";

const usage = `Measures how well questions are answered.

  bun bench/quality/main.ts FOLDER [--set NAME]… [--model static|minilm] [--json FILE]
  bun bench/quality/main.ts FOLDER --server http://127.0.0.1:7373 --key KEY

FOLDER holds a folder for each set: corpus.jsonl, queries.jsonl, qrels/test.tsv and perhaps answers.jsonl (BEIR's
layout), or questions.jsonl and corpora/ with the long documents its excerpts are from. Without --server the figures
are measured in process, full text and vectors also by themselves.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true },
    model: { type: "string", default: "static" },
    server: { type: "string" },
    key: { type: "string" },
    json: { type: "string" },
  },
});

const embeddingOf = async (model: string) => {
  if (model === "static") return createStaticEmbedding();
  if (model !== "minilm") throw new Error(`--model is static or minilm, not ${model}`);
  const { createMiniLmEmbedding } = await import("../../providers/builtin/minilm/embedding.ts");
  return createMiniLmEmbedding({ threads: 2, timeoutMs: 60_000, runtime: null, runtimeFolder: tmpdir() });
};

const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
const names = (await readdir(folder)).sort();
const all: QualitySet[] = [];
for (const name of names) all.push(await readQualitySet(join(folder, name)));
const chosen = all.filter(({ name }) => values.set === undefined || values.set.includes(name));

const results: SetResult[] = [];
for (const set of chosen) {
  const client =
    values.server === undefined
      ? createInProcessClient(await embeddingOf(values.model))
      : createHttpClient(values.server, values.key ?? process.env.CARREL_ADMIN_KEY ?? "");
  try {
    const others = all.filter(({ name }) => name !== set.name);
    results.push(await measureSet(client, set, others));
    process.stderr.write(`${set.name} done\n`);
  } finally {
    await client.close();
  }
}
process.stdout.write(`${reportTable(results)}\n`);
if (values.json !== undefined) await Bun.write(values.json, JSON.stringify(results));
