import type { EmbeddingModel } from "../../../providers/contract.ts";
import { dot } from "../../../src/domain/dot.ts";
import { familiarityOf } from "../../../src/retrieval/contract.ts";
import { type Measured, type MeasureInput, measure } from "../../../src/retrieval/judge/features.ts";
import type { RandomSnippets } from "../../../src/retrieval/judge/random-snippets.ts";
import { scoreCandidates, unionOf } from "../../../src/retrieval/scores/candidates.ts";
import { candidateFieldWeights } from "../../../src/retrieval/scores/fusion-weights.ts";
import { createTextScorer, queryWords } from "../../../src/retrieval/scores/text-score.ts";
import type { SnippetHit, TermFrequencies } from "../../../src/store/contract.ts";
import { analyzeQuery, denseShare } from "../../../src/text/analysis/analyze.ts";
import type { Asked } from "./asked-questions.ts";
import type { FilledStore } from "./filled-store.ts";
import type { ExampleLine, Tier } from "./read-examples.ts";

const candidatesOfLeg = 100;
/** Random snippets that what is found is compared with. */
export const randomSnippets = 96;
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

interface FoundSnippets {
  /** Of all legs. */
  hits: readonly SnippetHit[];
  frequencies: TermFrequencies;
  random: RandomSnippets;
}

/**
 * What a search finds as if some documents were not there: without their snippets, and with the frequencies of terms
 * less what occurs in those of them that were found. (A rare term, which decides, is only in snippets that are found.)
 */
const withoutDocuments = (found: FoundSnippets, leftOut: ReadonlySet<string>): FoundSnippets => {
  const { hits, frequencies, random } = found;
  if (leftOut.size === 0) return { hits, frequencies, random };
  const removed = hits.filter(({ documentId }) => leftOut.has(documentId));
  const counts = new Map(frequencies.counts);
  const titles = new Map(frequencies.titles);
  for (const { terms, titleTerms } of removed) {
    countDown(counts, terms);
    countDown(titles, titleTerms);
  }
  const isLeft = ({ documentId }: { documentId: string }): boolean => !leftOut.has(documentId);
  return {
    hits: hits.filter(isLeft),
    frequencies: { ...frequencies, snippets: Math.max(0, frequencies.snippets - removed.length), counts, titles },
    random: random.filter(isLeft),
  };
};

const countDown = (counts: Map<string, number>, terms: string): void => {
  for (const term of new Set(terms.split(" "))) {
    const count = counts.get(term);
    if (count !== undefined) counts.set(term, Math.max(0, count - 1));
  }
};

/** What the judge measures a question by, with some documents left out. */
export type InputOf = (leftOut: ReadonlySet<string>, tier: Tier) => Promise<MeasureInput>;

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
    const random = snippets.slice(0, randomSnippets);
    const found = withoutDocuments({ hits, frequencies, random }, leftOut);
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
      random: found.random,
    };
  };
};

/** Searches as the server does, and measures what is found with the sources there and without them. */
export const askQuestion = async (
  store: FilledStore,
  { kind, text, sources }: Asked,
  fixed: EmbeddingModel,
  beside: Beside | null,
): Promise<Omit<ExampleLine, "set">[]> => {
  const inputOf = await searchStore(store, text, fixed, beside);
  const measuredWithout = async (leftOut: ReadonlySet<string>, tier: Tier): Promise<Measured | null> =>
    measure(await inputOf(leftOut, tier));
  const leftOut = new Set([...(sources ?? [])].map((id) => store.recordOf.get(id) ?? id));
  const measured: readonly Tier[] = ["static", ...(beside?.tiers ?? [])];
  const lines: Omit<ExampleLine, "set">[] = [];
  for (const tier of measured) {
    const absent = { kind, tier, isThere: false, text, measured: await measuredWithout(leftOut, tier) };
    if (sources !== null) lines.push({ ...absent, isThere: true, measured: await measuredWithout(new Set(), tier) });
    lines.push(absent);
  }
  return lines;
};
