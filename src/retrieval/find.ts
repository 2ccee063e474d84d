import type { Tenant } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { SnippetHit, SnippetView, TermFrequencies } from "../store/contract.ts";
import type { QueryTerm } from "../text/analysis/analyze.ts";
import { noTracer, type Tracer } from "../tracing/tracer.ts";
import type { RetrievalRequest } from "./contract.ts";
import { mergedTerms, type WeightedText, weightedTexts } from "./conversation-terms.ts";
import type { RandomSamples, RandomSnippets } from "./judge/random-snippets.ts";
import { type ModelLeg, type ModelLegDependencies, searchByModel } from "./model-leg.ts";
import { type EmbedQuestion, embedPatiently } from "./question-limit.ts";
import { unionOf } from "./scores/candidates.ts";
import { isYear, withNameForms } from "./scores/document-names.ts";
import { candidateFieldWeights } from "./scores/fusion-weights.ts";
import { searchByVector, type VectorLeg, type VectorLegDependencies } from "./vector-leg.ts";

/** Candidates taken from full text, and from the vectors of each model. */
const maxCandidatesFromLeg = 100;

export interface LegDependencies extends VectorLegDependencies, ModelLegDependencies {
  /** Makes the vectors of questions that somebody waits for; left out: `embedPatiently`. */
  embedQuestion?: EmbedQuestion;
  /** Records what each leg took; left out: nothing. */
  tracer?: Pick<Tracer, "span">;
}

/** What the searches of all legs found. */
export interface Found {
  tenant: Tenant;
  /** The question and the turns before it that were searched for; the question first. */
  texts: readonly WeightedText[];
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
  /** Snippets of the tenant, at random. */
  random: RandomSnippets;
  warnings: Warning[];
}

/** Searches by full text, by the vectors of the index and by those of the configured model. @throws the signal's reason */
export const find = async (
  deps: LegDependencies,
  samples: RandomSamples,
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
  const { embedQuestion = embedPatiently } = deps;
  const leg = { view, tenant, scope, texts, embedQuestion, warnings, limit: maxCandidatesFromLeg };
  const { span } = deps.tracer ?? noTracer;
  const searchText = (wanted: readonly QueryTerm[]): Promise<SnippetHit[]> =>
    span("retrieval.text", () =>
      view.searchText(tenant, scope, wanted, { limit: maxCandidatesFromLeg, ...candidateFieldWeights }),
    );

  const [textHits, exactHits, vectorLeg, modelLeg, frequencies, searched, random] = await Promise.all([
    searchText(terms),
    exact.length === 0 ? [] : searchText(mergedTerms(exact.map((text) => ({ text, weight: 1 }))).terms),
    span("retrieval.vectors", () => searchByVector(deps, leg, signal)),
    span("retrieval.model_vectors", () => searchByModel(deps, leg, signal)),
    view.documentFrequencies(
      tenant,
      terms.map(({ term }) => term),
    ),
    view.count(tenant, scope),
    samples.of(view, tenant),
  ]);
  signal.throwIfAborted();
  const byIndex = [textHits, exactHits, vectorLeg.hits];
  const union = unionOf([...byIndex, modelLeg.hits]);
  const hits = modelLeg.vectors.length === 0 ? union : await view.addModelVectors(union);
  signal.throwIfAborted();
  return {
    tenant,
    texts,
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
    random,
    warnings,
  };
};
