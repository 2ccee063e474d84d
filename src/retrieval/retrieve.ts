import type { Logger } from "pino";
import { type EmbeddingModel, ProviderError, type Reranker } from "../../providers/contract.ts";
import type { IndexInfo, Tenant } from "../domain/records.ts";
import { failureWarning, type Warning } from "../models/warning.ts";
import type { SnippetHit, SnippetView, Store } from "../store/contract.ts";
import { analyzeQuery, denseShare, type QueryTerm } from "../text/analysis/analyze.ts";
import { averageTermsLength, scoreCandidates } from "./candidates.ts";
import type { FoundSnippet, Retrieval, RetrievalRequest } from "./contract.ts";
import { mergedTerms, understoodQuestion, type WeightedText, weightedTexts } from "./conversation-terms.ts";
import { withoutDuplicates } from "./duplicates.ts";
import { exactFirst } from "./exact-matches.ts";
import { fuse, type Ranked } from "./fuse.ts";
import { withNeighbourSupport } from "./neighbour-support.ts";
import { queryVector } from "./query-vector.ts";
import { refusalThresholdFor, relevance } from "./relevance-gate.ts";
import { rerank } from "./rerank.ts";
import { spreadOverDocuments } from "./spread.ts";
import { createTextScorer, queryWords } from "./text-score.ts";

/** Candidates taken from each leg. */
const candidatesFromLeg = 100;
/** Weights of the fields beside the text when candidates are looked for. */
const candidateWeights = { titleWeight: 1, headingWeight: 1 };

export interface RetrieverDependencies {
  store: Pick<Store, "openSnippets">;
  /** The model that an index was made with; null where the configuration no longer reaches it. */
  embeddings: (index: IndexInfo) => EmbeddingModel | null;
  /** Puts the best candidates into a better order; left out or null: none does. */
  reranker?: Reranker | null;
  /** Below this confidence nothing is returned: `answers.refusalThreshold`. */
  refusalThreshold: number;
  log: Logger;
}

export type Retrieve = (tenant: Tenant, request: RetrievalRequest, signal: AbortSignal) => Promise<Retrieval>;

/**
 * Finds the snippets that answer a question: full text and vectors side by side under the same scope, their scores
 * fused, near-duplicates left out, and nothing at all where the documents do not seem to hold the answer. Where the
 * embedding model fails, full text answers alone and a warning says so.
 * @throws the signal's reason
 */
export const createRetriever = (deps: RetrieverDependencies): Retrieve => {
  return async (tenant, request, signal) => {
    signal.throwIfAborted();
    const view = deps.store.openSnippets();
    try {
      return await search(deps, view, tenant, request, signal);
    } finally {
      view.close();
    }
  };
};

const search = async (
  deps: RetrieverDependencies,
  view: SnippetView,
  tenant: Tenant,
  request: RetrievalRequest,
  signal: AbortSignal,
): Promise<Retrieval> => {
  const { documentId, partitionId, metadata } = request;
  const scope = { documentId, partitionId, metadata };
  const texts = weightedTexts(request.query, request.history);
  const { terms, exact } = mergedTerms(texts);
  const warnings: Warning[] = [];
  const searchText = (wanted: readonly QueryTerm[]): Promise<SnippetHit[]> =>
    view.searchText(tenant, scope, wanted, { limit: candidatesFromLeg, ...candidateWeights });

  const [textHits, exactHits, vectorLeg, frequencies, searched] = await Promise.all([
    searchText(terms),
    exact.length === 0 ? [] : searchText(mergedTerms(exact.map((text) => ({ text, weight: 1 }))).terms),
    searchByVector(deps, view, tenant, scope, texts, warnings, signal),
    view.documentFrequencies(
      tenant,
      terms.map(({ term }) => term),
    ),
    view.count(tenant, scope),
  ]);
  signal.throwIfAborted();

  const legs = [textHits, exactHits, vectorLeg.hits];
  const words = queryWords(heldTerms(terms, request, frequencies.counts), frequencies);
  const scorer = createTextScorer(words, averageTermsLength(textHits.length > 0 ? [textHits] : legs));
  const candidates = scoreCandidates(legs, scorer, vectorLeg.vector);
  const fused = withNeighbourSupport(fuse(candidates, vectorLeg.weight));
  const confidence = relevance({
    ranked: fused,
    totalIdf: scorer.total,
    words: words.length,
    dense: denseShare(terms),
    model: vectorLeg.vector === null ? null : vectorLeg.model,
    vectorWeight: vectorLeg.weight,
  });
  const understood = understoodQuestion(request.query, request.history);
  const isRefused = confidence < refusalThresholdFor(deps.refusalThreshold, request.answer !== false);
  const ordered =
    deps.reranker && !isRefused
      ? await rerank(deps.reranker, understood, fused, warnings, deps.log, signal)
      : spreadOverDocuments(fused, 2 * request.limit);
  const { ranked, missing } = exactFirst(ordered, exact);
  const dropped: Retrieval["dropped"] = [];
  const drop = (reason: Retrieval["dropped"][number]["reason"], count: number): void => {
    if (count > 0) dropped.push({ reason, count });
  };

  let snippets: FoundSnippet[] = [];
  if (isRefused) drop("not_relevant", ranked.length);
  else {
    const { kept, dropped: duplicates } = withoutDuplicates(ranked, request.limit);
    snippets = kept.slice(0, request.limit).map(toSnippet);
    drop("duplicate", duplicates);
    drop("over_limit", kept.length - snippets.length);
    for (const passage of missing) warnings.push(`No snippet found holds "${passage}" word for word.`);
  }
  return {
    snippets,
    confidence,
    understood,
    searched: { ...searched, text: textHits.length, vectors: vectorLeg.hits.length },
    dropped,
    warnings,
  };
};

/**
 * The terms but those that earlier turns alone have and no document holds, such as what a model wrote around its last
 * answer: they find nothing, and would only make it seem that the documents lack what is asked for.
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

interface VectorLeg {
  hits: SnippetHit[];
  /** The question's vector; null where the model failed. */
  vector: Float32Array | null;
  /** What the cosine counts in the fusion. */
  weight: number;
  model: EmbeddingModel | null;
}

const searchByVector = async (
  deps: RetrieverDependencies,
  view: SnippetView,
  tenant: Tenant,
  scope: Parameters<SnippetView["searchVectors"]>[1],
  texts: readonly WeightedText[],
  warnings: Warning[],
  signal: AbortSignal,
): Promise<VectorLeg> => {
  const model = deps.embeddings(view.index);
  if (model === null) {
    warnings.push(
      `Full text searched alone: the search index is changing to another embedding model, and the old one (${view.index.model} of ${view.index.provider}) is out of reach of the configuration.`,
    );
    return { hits: [], vector: null, weight: 0, model };
  }
  try {
    const vector = await queryVector(model, texts, signal);
    const hits = await view.searchVectors(tenant, scope, vector, candidatesFromLeg);
    return { hits, vector, weight: model.fusionWeight(texts[0]?.text ?? ""), model };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof ProviderError)) throw error;
    deps.log.warn({ kind: error.kind, model: model.model }, "embedding a question failed: full text answers alone");
    warnings.push(failureWarning("Full text searched alone, because the embedding model failed", error));
    return { hits: [], vector: null, weight: 0, model };
  }
};

const toSnippet = ({ hit, cosine, score }: Ranked): FoundSnippet => ({
  id: hit.id,
  documentId: hit.documentId,
  text: hit.text,
  context: hit.context,
  headings: hit.headings,
  page: hit.page,
  start: hit.start,
  end: hit.end,
  position: hit.position,
  distance: cosine === null ? 1 : Math.min(2, Math.max(0, 1 - cosine)),
  score,
});
