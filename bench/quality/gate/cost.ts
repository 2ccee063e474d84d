/**
 * What the judge's features cost a question, in CPU time, static vectors, on stores of 240 documents:
 *
 *     bun bench/quality/gate/cost.ts SET…
 */
import { mean } from "../../../src/evaluation/estimates.ts";
import { readSets } from "../../../src/evaluation/sets.ts";
import { type MeasureInput, measure } from "../../../src/retrieval/judge/features.ts";
import { embeddingOf } from "../in-process.ts";
import { searchStore } from "./ask-question.ts";
import { chooseDocuments, evenly } from "./chosen-documents.ts";
import { withFilledStore } from "./filled-store.ts";

const documents = 240;
const questions = 60;
/** Each question is measured so often, after as many that are not counted: code is compiled. */
const repeats = 10;
const fixed = await embeddingOf({ model: "static", config: undefined });

const cpuMsOf = (input: MeasureInput): number => {
  const before = process.cpuUsage();
  for (let turn = 0; turn < repeats; turn++) measure(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeats;
};

for (const set of (await Promise.all(process.argv.slice(2).map(readSets))).flat()) {
  const chosen = chooseDocuments(set.documents, documents);
  const costs = await withFilledStore(chosen, fixed, null, async (store) => {
    const inputs: MeasureInput[] = [];
    for (const { text } of evenly(set.questions, questions)) {
      const inputOf = await searchStore(store, text, fixed, null);
      inputs.push(await inputOf(new Set(), "static"));
    }
    for (const input of inputs) cpuMsOf(input);
    return inputs.map(cpuMsOf);
  });
  const [average, most] = [mean(costs), Math.max(...costs)].map((ms) => ms.toFixed(2));
  process.stdout.write(`${set.name}: ${average} ms of a CPU at the mean, ${most} at the most\n`);
}
process.exit(0);
