/**
 * What the gate's features cost a question, in CPU time, static vectors, on stores of 240 documents:
 *
 *     bun bench/quality/gate/cost.ts SET…
 */
import { mean } from "../../../src/evaluation/estimates.ts";
import { readSets } from "../../../src/evaluation/sets.ts";
import { familiarityOf } from "../../../src/retrieval/calibration/familiarity.ts";
import { type GateInput, gateFeatures } from "../../../src/retrieval/calibration/gate-features.ts";
import { averageTermsLength, scoreCandidates, unionOf } from "../../../src/retrieval/candidates.ts";
import { candidateFieldWeights } from "../../../src/retrieval/fusion-weights.ts";
import { createTextScorer, queryWords, termsLengthFor } from "../../../src/retrieval/text-score.ts";
import { analyzeQuery, denseShare } from "../../../src/text/analysis/analyze.ts";
import { embeddingOf } from "../in-process.ts";
import { chooseDocuments, evenly } from "./chosen-documents.ts";
import { type FilledStore, withFilledStore } from "./filled-store.ts";

const documents = 240;
const questions = 60;
/** Each question is measured so often, after as many that are not counted: code is compiled. */
const repeats = 10;
const candidatesOfLeg = 100;
const backgroundSnippets = 96;
const forever = new AbortController().signal;
const fixed = await embeddingOf({ model: "static", config: undefined });

const inputOf = async ({ view, tenant, snippets }: FilledStore, text: string): Promise<GateInput> => {
  const { terms } = analyzeQuery(text);
  const scope = { documentId: null, partitionId: null, metadata: null };
  const [vector = new Float32Array()] = await fixed.embed([text], "query", forever);
  const [textHits, vectorHits, frequencies] = await Promise.all([
    view.searchText(tenant, scope, terms, { limit: candidatesOfLeg, ...candidateFieldWeights }),
    view.searchVectors(tenant, scope, vector, candidatesOfLeg),
    view.documentFrequencies(
      tenant,
      terms.map(({ term }) => term),
    ),
  ]);
  const hits = unionOf([textHits, vectorHits]);
  const words = queryWords(terms, frequencies);
  const dense = denseShare(terms);
  const scorer = createTextScorer(words, averageTermsLength([hits], termsLengthFor(dense)), termsLengthFor(dense));
  const found = new Set(hits.map(({ id }) => id));
  return {
    candidates: scoreCandidates(hits, found, scorer, { index: vector, model: null }),
    words,
    texts: [text],
    frequencies,
    dense,
    vector,
    modelVector: null,
    isIndexStatic: true,
    familiarity: { static: familiarityOf("static", fixed.fusionWeight(text)), model: 0 },
    background: snippets.slice(0, backgroundSnippets),
  };
};

const cpuMsOf = (input: GateInput): number => {
  const before = process.cpuUsage();
  for (let turn = 0; turn < repeats; turn++) gateFeatures(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeats;
};

for (const set of (await Promise.all(process.argv.slice(2).map(readSets))).flat()) {
  const chosen = chooseDocuments(set.documents, documents);
  const costs = await withFilledStore(chosen, fixed, null, async (store) => {
    const inputs: GateInput[] = [];
    for (const { text } of evenly(set.questions, questions)) inputs.push(await inputOf(store, text));
    for (const input of inputs) cpuMsOf(input);
    return inputs.map(cpuMsOf);
  });
  const [average, most] = [mean(costs), Math.max(...costs)].map((ms) => ms.toFixed(2));
  process.stdout.write(`${set.name}: ${average} ms of a CPU at the mean, ${most} at the most\n`);
}
process.exit(0);
