import type { Reranker } from "../../providers/contract.ts";
import type { Tenant } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { SnippetHit, SnippetView, Store } from "../store/contract.ts";
import { analyzeQuery, denseShare, type QueryTerm } from "../text/analysis/analyze.ts";
import { averageTermsLength, scoreCandidates, unionOf } from "./candidates.ts";
import type { FoundSnippet, Retrieval, RetrievalRequest } from "./contract.ts";
import { mergedTerms, understoodQuestion, weightedTexts } from "./conversation-terms.ts";
import { isYear, withNameForms } from "./document-names.ts";
import { withoutDuplicates } from "./duplicates.ts";
import { exactFirst } from "./exact-matches.ts";
import { fuse, type Ranked } from "./fuse.ts";
import { candidateFieldWeights } from "./fusion-weights.ts";
import { type ModelLegDependencies, searchByModel } from "./model-leg.ts";
import { refusalThresholdFor, relevance } from "./relevance-gate.ts";
import { rerank } from "./rerank.ts";
import { spreadOverDocuments } from "./spread.ts";
import { createTextScorer, queryWords } from "./text-score.ts";
import { searchByVector, type VectorLegDependencies } from "./vector-leg.ts";

/** Candidates taken from full text, and from the vectors. */
const maxCandidatesFromLeg = 100;

export interface RetrieverDependencies extends VectorLegDependencies, ModelLegDependencies {
  store: Pick<Store, "openSnippets">;
  /** Puts the best candidates into a better order; missing or null: the fused order stays. */
  reranker?: Reranker | null;
  /** Below this confidence nothing is returned: `answers.refusalThreshold`. */
  refusalThreshold: number;
}

export type Retrieve = (tenant: Tenant, request: RetrievalRequest, signal: AbortSignal) => Promise<Retrieval>;

/**
 * Finds the snippets that answer a question: searches by full text and by vectors in the same scope, fuses the scores,
 * and leaves out near-duplicates. Returns none where the documents do not seem to contain the answer. There are three
 * legs: full text, the vectors of the index, and those of the configured model as far as they are made; where a model
 * fails, the others answer, and a warning says so.
 * @throws the signal's reason
 */
export const createRetriever =
  (deps: RetrieverDependencies): Retrieve =>
  async (tenant, request, signal) => {
    signal.throwIfAborted();
    const view = deps.store.openSnippets();
    try {
      return await search(deps, view, tenant, request, signal);
    } finally {
      view.close();
    }
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
  const merged = mergedTerms(texts);
  const terms = withNameForms(merged.terms, request.query);
  const exact = merged.exact.filter((passage) => !isYear(passage));
  const warnings: Warning[] = [];
  const searchText = (wanted: readonly QueryTerm[]): Promise<SnippetHit[]> =>
    view.searchText(tenant, scope, wanted, { limit: maxCandidatesFromLeg, ...candidateFieldWeights });

  const [textHits, exactHits, vectorLeg, modelLeg, frequencies, searched] = await Promise.all([
    searchText(terms),
    exact.length === 0 ? [] : searchText(mergedTerms(exact.map((text) => ({ text, weight: 1 }))).terms),
    searchByVector(deps, view, tenant, scope, texts, warnings, maxCandidatesFromLeg, signal),
    searchByModel(deps, view, tenant, scope, texts, warnings, maxCandidatesFromLeg, signal),
    view.documentFrequencies(
      tenant,
      terms.map(({ term }) => term),
    ),
    view.count(tenant, scope),
  ]);
  signal.throwIfAborted();

  const legs = [textHits, exactHits, vectorLeg.hits];
  const union = unionOf([...legs, modelLeg.hits]);
  const hits = modelLeg.vector === null ? union : await view.addModelVectors(union);
  signal.throwIfAborted();
  const words = queryWords(heldTerms(terms, request, frequencies.counts), frequencies);
  const scorer = createTextScorer(words, averageTermsLength(textHits.length > 0 ? [textHits] : legs));
  const found = new Set(legs.flat().map(({ id }) => id));
  const candidates = scoreCandidates(hits, found, scorer, { index: vectorLeg.vector, model: modelLeg.vector });
  const fused = fuse(candidates, { index: vectorLeg.weight, model: modelLeg.weight });
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
    searched: { ...searched, text: textHits.length, vectors: unionOf([vectorLeg.hits, modelLeg.hits]).length },
    dropped,
    warnings,
  };
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

const toSnippet = ({ hit, cosine: indexCosine, modelCosine, score }: Ranked): FoundSnippet => {
  const cosine = modelCosine ?? indexCosine;
  return {
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
  };
};
