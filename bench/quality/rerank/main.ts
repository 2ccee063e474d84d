import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { languageShare } from "../../../providers/builtin/language-share.ts";
import { createStaticEmbedding } from "../../../providers/builtin/static/embedding.ts";
import { loadTokenizer } from "../../../providers/builtin/wordpiece/load.ts";
import { type EvaluationSet, readSets } from "../../../src/evaluation/sets.ts";
import { embeddingOf } from "../in-process.ts";
import { featuresOf, type Ranked, type Ranking, rankings } from "./features.ts";
import { heldOutTable, type Measured, sumsTable } from "./tables.ts";
import { lastLayer, openTokenModel } from "./token-model.ts";

const usage = `Late interaction (MaxSim) over the token vectors of the built-in MiniLM, for the first 30 candidates.

  bun bench/quality/rerank/main.ts FOLDER… [--set NAME]… [--max-questions 400] [--layer 5] [--cache FOLDER]

Compares the fused order, with static vectors and with MiniLM's, with orders by late interaction. NAME may be the
beginning of a name. Vectors and rankings stay in the cache's folder.`;

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    set: { type: "string", multiple: true, default: [""] },
    "max-questions": { type: "string", default: "400" },
    layer: { type: "string", default: String(lastLayer) },
    cache: { type: "string", default: join(tmpdir(), "carrel-vectors") },
  },
});
if (positionals.length === 0) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

const layer = Number(values.layer);
const tokenizer = await loadTokenizer();
const models = {
  index: await createStaticEmbedding(),
  model: await embeddingOf({ model: "minilm", config: undefined }),
  tokens: await openTokenModel(layer),
  languageShare: (question: string) => languageShare(tokenizer, question),
};
const options = { maxQuestions: Number(values["max-questions"]), cache: values.cache };

const sets = (await Promise.all(positionals.map(readSets)))
  .flat()
  .filter(({ name }) => values.set.some((start) => name.startsWith(start)));
const measured: { set: EvaluationSet; found: Record<Ranking, Ranked[]> }[] = [];
for (const set of sets) {
  measured.push({ set, found: await featuresOf(set, models, `layer${layer}`, options) });
  process.stderr.write(`${set.name} done\n`);
}
for (const ranking of rankings) {
  const of: Measured[] = measured.map(({ set, found }) => ({
    name: set.name,
    limit: set.snippets,
    questions: found[ranking],
  }));
  process.stdout.write(`\n## ${ranking}\n\n${sumsTable(of)}\n\n${heldOutTable(of)}\n`);
}
process.exit(0);
