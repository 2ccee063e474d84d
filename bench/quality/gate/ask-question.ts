import type { EmbeddingModel } from "../../../providers/contract.ts";
import { dot } from "../../../src/domain/dot.ts";
import { familiarityOf } from "../../../src/retrieval/calibration/familiarity.ts";
import { type GateInput, gateFeatures } from "../../../src/retrieval/calibration/gate-features.ts";
import { withoutDocuments } from "../../../src/retrieval/calibration/left-out.ts";
import { scoreCandidates, unionOf } from "../../../src/retrieval/candidates.ts";
import { candidateFieldWeights } from "../../../src/retrieval/fusion-weights.ts";
import { createTextScorer, queryWords } from "../../../src/retrieval/text-score.ts";
import type { SnippetHit } from "../../../src/store/contract.ts";
import { analyzeQuery, denseShare } from "../../../src/text/analysis/analyze.ts";
import type { Asked } from "./asked-questions.ts";
import type { ExampleLine, Tier } from "./example-line.ts";
import type { FilledStore } from "./filled-store.ts";

const candidatesOfLeg = 100;
/** Random snippets that the cosines of a question are compared with. */
export const backgroundSnippets = 96;
const forever = new AbortController().signal;

/** A model beside the static one, and the tiers that it is measured as. */
export interface Beside {
  model: EmbeddingModel;
  tiers: readonly Tier[];
}

/** How far the model is taken to know the question's language: an outside one does not tell. */
const modelFamiliarity = (tier: Tier, beside: Beside | null, text: string): number => {
  if (beside === null || tier === "static") return 0;
  return tier === "outside" ? 1 : familiarityOf("model", beside.model.fusionWeight(text));
};

const nearest = (question: Float32Array | null, snippets: readonly SnippetHit[]): SnippetHit[] =>
  question === null
    ? []
    : snippets
        .map((hit) => ({ hit, cosine: hit.modelVector === null ? -1 : dot(question, hit.modelVector) }))
        .sort((a, b) => b.cosine - a.cosine)
        .slice(0, candidatesOfLeg)
        .map(({ hit }) => hit);

/** What the gate measures of a question, with some documents left out. */
export type InputOf = (leftOut: ReadonlySet<string>, tier: Tier) => Promise<GateInput>;

/** Searches as the server does. */
export const searchStore = async (
  { view, tenant, snippets }: FilledStore,
  text: string,
  fixed: EmbeddingModel,
  beside: Beside | null,
): Promise<InputOf> => {
  const { terms } = analyzeQuery(text);
  const scope = { documentId: null, partitionId: null, metadata: null };
  const [[vector = null], [modelVector = null]] = await Promise.all([
    fixed.embed([text], "query", forever),
    beside === null ? [] : beside.model.embed([text], "query", forever),
  ]);
  const [textHits, vectorHits, frequencies] = await Promise.all([
    view.searchText(tenant, scope, terms, { limit: candidatesOfLeg, ...candidateFieldWeights }),
    vector === null ? [] : view.searchVectors(tenant, scope, vector, candidatesOfLeg),
    view.documentFrequencies(
      tenant,
      terms.map(({ term }) => term),
    ),
  ]);
  const modelHits = nearest(modelVector, snippets);
  const vectorOf = new Map(snippets.map(({ id, modelVector: own }) => [id, own]));
  const foundByIndex = new Set([...textHits, ...vectorHits].map(({ id }) => id));
  return async (leftOut, tier) => {
    const question = tier === "static" ? null : modelVector;
    const hits = unionOf([textHits, vectorHits, tier === "static" ? [] : modelHits]).map((hit) => ({
      ...hit,
      modelVector: vectorOf.get(hit.id) ?? null,
    }));
    const background = snippets.slice(0, backgroundSnippets);
    const found = withoutDocuments({ hits, frequencies, background }, leftOut);
    const words = queryWords(terms, found.frequencies);
    const dense = denseShare(terms);
    const scorer = createTextScorer(words, found.frequencies.lengths, dense);
    return {
      candidates: await scoreCandidates(found.hits, foundByIndex, scorer, { index: vector, model: question }),
      words,
      texts: [text],
      frequencies: found.frequencies,
      dense,
      vector,
      modelVector: question,
      isIndexStatic: true,
      familiarity: {
        static: familiarityOf("static", fixed.fusionWeight(text)),
        model: modelFamiliarity(tier, beside, text),
      },
      background: found.background,
    };
  };
};

/** Searches as the server does, and measures the gate's features with the sources there and without them. */
export const askQuestion = async (
  store: FilledStore,
  { kind, text, sources }: Asked,
  fixed: EmbeddingModel,
  beside: Beside | null,
): Promise<Omit<ExampleLine, "set">[]> => {
  const inputOf = await searchStore(store, text, fixed, beside);
  const measure = async (leftOut: ReadonlySet<string>, tier: Tier): Promise<number[] | null> =>
    gateFeatures(await inputOf(leftOut, tier));
  const leftOut = new Set([...(sources ?? [])].map((id) => store.recordOf.get(id) ?? id));
  const measured: readonly Tier[] = ["static", ...(beside?.tiers ?? [])];
  const lines: Omit<ExampleLine, "set">[] = [];
  for (const tier of measured) {
    const absent = { kind, tier, isThere: false, text, features: await measure(leftOut, tier) };
    if (sources !== null) lines.push({ ...absent, isThere: true, features: await measure(new Set(), tier) });
    lines.push(absent);
  }
  return lines;
};
