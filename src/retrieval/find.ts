import { isBuiltinStatic } from "../../providers/embedding/builtin-static.ts";
import { nextStretch } from "../async/next-stretch.ts";
import type { Tenant } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { SnippetHit, SnippetView, TermFrequencies } from "../store/contract.ts";
import { analyzeQuery, denseShare, type QueryTerm } from "../text/analysis/analyze.ts";
import { noTracer, type Tracer } from "../tracing/tracer.ts";
import type { Background, Backgrounds } from "./calibration/background.ts";
import { familiarityOf } from "./calibration/familiarity.ts";
import { gateFeatures } from "./calibration/gate-features.ts";
import { withoutDocuments } from "./calibration/left-out.ts";
import { type Candidate, scoreCandidates, unionOf } from "./candidates.ts";
import type { RetrievalRequest } from "./contract.ts";
import { mergedTerms, weightedTexts } from "./conversation-terms.ts";
import { isYear, withNameForms } from "./document-names.ts";
import { candidateFieldWeights } from "./fusion-weights.ts";
import { type ModelLeg, type ModelLegDependencies, searchByModel } from "./model-leg.ts";
import { createTextScorer, queryWords } from "./text-score.ts";
import { withTopic } from "./topic-score.ts";
import { searchByVector, type VectorLeg, type VectorLegDependencies } from "./vector-leg.ts";

/** Candidates taken from full text, and from the vectors of each model. */
const maxCandidatesFromLeg = 100;

export interface LegDependencies extends VectorLegDependencies, ModelLegDependencies {
  /** Records what each leg took; left out: nothing. */
  tracer?: Pick<Tracer, "span">;
}

/** What the searches of all legs found. */
export interface Found {
  tenant: Tenant;
  terms: readonly QueryTerm[];
  /** Passages that a snippet should contain word for word. */
  exact: string[];
  /** By full text alone. */
  textHits: readonly SnippetHit[];
  /** Of all legs, each once, with the vectors of both models. */
  hits: readonly SnippetHit[];
  /** Ids of those that full text or the vectors of the index found. */
  foundByIndex: ReadonlySet<string>;
  /** How many the vectors found. */
  foundByVectors: number;
  vectorLeg: VectorLeg;
  modelLeg: ModelLeg;
  frequencies: TermFrequencies;
  searched: { documents: number; snippets: number };
  background: Background;
  warnings: Warning[];
}

/** Searches by full text, by the vectors of the index and by those of the configured model. @throws the signal's reason */
export const find = async (
  deps: LegDependencies,
  backgrounds: Backgrounds,
  view: SnippetView,
  tenant: Tenant,
  request: RetrievalRequest,
  signal: AbortSignal,
): Promise<Found> => {
  const { documentId, partitionId, metadata } = request;
  const scope = { documentId, partitionId, metadata };
  const texts = weightedTexts(request.query, request.history);
  const merged = mergedTerms(texts);
  const terms = withNameForms(merged.terms, request.query);
  const exact = merged.exact.filter((passage) => !isYear(passage));
  const warnings: Warning[] = [];
  const leg = { view, tenant, scope, texts, warnings, limit: maxCandidatesFromLeg };
  const { span } = deps.tracer ?? noTracer;
  const searchText = (wanted: readonly QueryTerm[]): Promise<SnippetHit[]> =>
    span("retrieval.text", () =>
      view.searchText(tenant, scope, wanted, { limit: maxCandidatesFromLeg, ...candidateFieldWeights }),
    );

  const [textHits, exactHits, vectorLeg, modelLeg, frequencies, searched, background] = await Promise.all([
    searchText(terms),
    exact.length === 0 ? [] : searchText(mergedTerms(exact.map((text) => ({ text, weight: 1 }))).terms),
    span("retrieval.vectors", () => searchByVector(deps, leg, signal)),
    span("retrieval.model_vectors", () => searchByModel(deps, leg, signal)),
    view.documentFrequencies(
      tenant,
      terms.map(({ term }) => term),
    ),
    view.count(tenant, scope),
    backgrounds.of(view, tenant),
  ]);
  signal.throwIfAborted();
  const byIndex = [textHits, exactHits, vectorLeg.hits];
  const union = unionOf([...byIndex, modelLeg.hits]);
  const hits = modelLeg.vector === null ? union : await view.addModelVectors(union);
  signal.throwIfAborted();
  return {
    tenant,
    terms,
    exact,
    textHits,
    hits,
    foundByIndex: new Set(byIndex.flat().map(({ id }) => id)),
    foundByVectors: unionOf([vectorLeg.hits, modelLeg.hits]).length,
    vectorLeg,
    modelLeg,
    frequencies,
    searched,
    background,
    warnings,
  };
};

/**
 * Scores what was found, without some documents, and measures the gate's features on it. Of a hostile text that takes
 * 100 ms in all: other work has its turn meanwhile.
 */
export const assess = async (
  found: Found,
  request: RetrievalRequest,
  leftOut: ReadonlySet<string>,
): Promise<{ candidates: Candidate[]; features: number[] | null }> => {
  const { terms, vectorLeg, modelLeg, foundByIndex } = found;
  await nextStretch();
  const { hits, frequencies, background } = withoutDocuments(found, leftOut);
  const words = queryWords(heldTerms(terms, request, frequencies.counts), frequencies);
  const dense = denseShare(terms);
  const scorer = createTextScorer(words, frequencies.lengths, dense);
  const vectors = { index: vectorLeg.vector, model: modelLeg.vector };
  const candidates = await scoreCandidates(hits, foundByIndex, scorer, vectors);
  // Without a model in reach there are no cosines of the index.
  const isIndexStatic = vectorLeg.model === null || isBuiltinStatic(vectorLeg.model);
  const modelWeight = isIndexStatic ? modelLeg.weight : vectorLeg.weight;
  const features = gateFeatures({
    candidates,
    words,
    texts: weightedTexts(request.query, request.history).map(({ text }) => text),
    frequencies,
    dense,
    vector: vectorLeg.vector,
    modelVector: modelLeg.vector,
    isIndexStatic,
    familiarity: {
      static: isIndexStatic ? familiarityOf("static", vectorLeg.weight) : 0,
      model: familiarityOf("model", modelWeight),
    },
    background,
  });
  if (request.history.length === 0) return { candidates, features };
  // The gate looks at all words alike.
  return { candidates: await withTopic(candidates, request, frequencies, dense), features };
};

/**
 * The terms without those that occur only in earlier turns and in no document, such as the words a model put around its
 * last answer: they find nothing, and would make the gate believe that the documents lack what is asked for.
 */
const heldTerms = (
  terms: readonly QueryTerm[],
  { query, history }: RetrievalRequest,
  counts: ReadonlyMap<string, number>,
): readonly QueryTerm[] => {
  if (history.length === 0) return terms;
  const own = new Set(analyzeQuery(query).terms.map(({ term }) => term));
  return terms.filter(({ term }) => own.has(term) || (counts.get(term) ?? 0) > 0);
};
