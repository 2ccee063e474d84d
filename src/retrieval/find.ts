import type { Logger } from "pino";
import type { EmbeddingModel } from "../../providers/contract.ts";
import type { IndexInfo, Tenant, VectorSetInfo } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { SnippetHit, SnippetView, TermFrequencies } from "../store/contract.ts";
import type { QueryTerm } from "../text/analysis/analyze.ts";
import { noTracer, type Tracer } from "../tracing/tracer.ts";
import type { RetrievalRequest } from "./contract.ts";
import { mergedTerms, type WeightedText, weightedTexts } from "./conversation-terms.ts";
import type { RandomSamples, RandomSnippets } from "./judge/random-snippets.ts";
import { type EmbedQuestion, embedPatiently } from "./question-limit.ts";
import { unionOf } from "./scores/candidates.ts";
import { isYear, withNameForms } from "./scores/document-names.ts";
import { candidateFieldWeights } from "./scores/fusion-weights.ts";
import { type LegSearch, type ModelHits, noModelHits, searchWithModel } from "./search-with-model.ts";

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

interface ModelLegDependencies {
  /** The model that a vector set was made with; null where the configuration no longer reaches it. */
  vectorModelFor: (set: VectorSetInfo) => EmbeddingModel | null;
  /** Why the configured model makes no vectors at the moment, such as that it is being loaded; null if it does. */
  vectorFailure?: () => string | null;
  log: Logger;
}

/** What answers without the model. */
const without = {
  shown: "Full text and the built-in static vectors answered",
  logged: "full text and static vectors answer",
};

/** Nothing without a vector set. */
type ModelLeg = ModelHits;

/**
 * The snippets nearest to the question by the vectors of the configured model, as far as they are made. Where the model
 * fails, or has made none because it fails, the other legs answer, and a warning says so.
 * @throws the signal's reason
 */
const searchByModel = async (
  deps: ModelLegDependencies,
  { view, tenant, scope, texts, embedQuestion, warnings, limit }: LegSearch,
  signal: AbortSignal,
): Promise<ModelLeg> => {
  const { vectorSet } = view;
  if (vectorSet === null) {
    const reason = deps.vectorFailure?.() ?? null;
    if (reason !== null)
      warnings.push({ text: `${without.shown}, because the embedding model has made no vectors yet`, reason });
    return noModelHits;
  }
  const model = deps.vectorModelFor(vectorSet);
  if (model === null) {
    warnings.push(
      `${without.shown}: the model of the other vectors (${vectorSet.model} of ${vectorSet.provider}) cannot be used with the present configuration.`,
    );
    return noModelHits;
  }
  return await searchWithModel(
    {
      model,
      embedQuestion,
      texts,
      nearest: (vector) => view.searchModelVectors(tenant, scope, vector, limit),
      without,
      warnings,
      log: deps.log,
    },
    signal,
  );
};

interface VectorLegDependencies {
  /** The model that an index was made with; null where the configuration no longer reaches it. */
  embeddings: (index: IndexInfo) => EmbeddingModel | null;
  log: Logger;
}

interface VectorLeg extends ModelHits {
  model: EmbeddingModel | null;
}

/**
 * The snippets nearest to the question's vector. Where the model fails, there are none, and a warning says why.
 * @throws the signal's reason
 */
const searchByVector = async (
  deps: VectorLegDependencies,
  { view, tenant, scope, texts, embedQuestion, warnings, limit }: LegSearch,
  signal: AbortSignal,
): Promise<VectorLeg> => {
  const model = deps.embeddings(view.index);
  if (model === null) {
    warnings.push(
      `Full text searched alone: the search index is changing to another embedding model, and the old one (${view.index.model} of ${view.index.provider}) cannot be used with the present configuration.`,
    );
    return { ...noModelHits, model };
  }
  const found = await searchWithModel(
    {
      model,
      embedQuestion,
      texts,
      nearest: (vector) => view.searchVectors(tenant, scope, vector, limit),
      without: { shown: "Full text searched alone", logged: "full text answers alone" },
      warnings,
      log: deps.log,
    },
    signal,
  );
  return { ...found, model };
};
