import type { Reranker } from "../../providers/contract.ts";
import type { Tenant } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { SnippetHit, SnippetView, Store } from "../store/contract.ts";
import { analyzeQuery, denseShare, type QueryTerm } from "../text/analysis/analyze.ts";
import { type Background, type Backgrounds, createBackgrounds } from "./calibration/background.ts";
import type { StoreCalibration } from "./calibration/calibration.ts";
import { familiarityOf, gateFeatures } from "./calibration/gate-features.ts";
import { withoutDocuments } from "./calibration/left-out.ts";
import { averageTermsLength, type Candidate, scoreCandidates } from "./candidates.ts";
import type { FoundSnippet, Retrieval, RetrievalRequest } from "./contract.ts";
import { mergedTerms, understoodQuestion, weightedTexts } from "./conversation-terms.ts";
import { withoutDuplicates } from "./duplicates.ts";
import { exactFirst } from "./exact-matches.ts";
import { fuse, type Ranked } from "./fuse.ts";
import { candidateFieldWeights } from "./fusion-weights.ts";
import { withNeighborSupport } from "./neighbor-support.ts";
import { isRefused, judge } from "./relevance-gate.ts";
import { rerank } from "./rerank.ts";
import { spreadOverDocuments } from "./spread.ts";
import { createTextScorer, queryWords } from "./text-score.ts";
import { searchByVector, type VectorLeg, type VectorLegDependencies } from "./vector-leg.ts";

/** Candidates taken from full text, and from the vectors. */
const maxCandidatesFromLeg = 100;

export interface RetrieverDependencies extends VectorLegDependencies {
  store: Pick<Store, "openSnippets">;
  /** Puts the best candidates into a better order; missing or null: the fused order stays. */
  reranker?: Reranker | null;
  /** How readily questions are refused: `answers.refusalThreshold`. */
  refusalThreshold: number;
  /** What the gate learned of an organization's text; missing or null: what it knows of all. */
  calibrationOf?: (organizationId: string) => StoreCalibration | null;
}

/** The gate's features of a question, with all documents and without some; null where nothing is found. */
export interface Examination {
  withAll: number[] | null;
  without: number[] | null;
  /** False if the configured model's vectors were missing because it failed. */
  isWhole: boolean;
}

export type Retrieve = (tenant: Tenant, request: RetrievalRequest, signal: AbortSignal) => Promise<Retrieval>;

/** Asks a question as it is and as if these documents were not there: the calibration learns from the difference. */
export type Examine = (
  tenant: Tenant,
  query: string,
  leftOut: ReadonlySet<string>,
  signal: AbortSignal,
) => Promise<Examination>;

/**
 * `retrieve` finds the snippets that answer a question: searches by full text and by vectors in the same scope, fuses the
 * scores, and leaves out near-duplicates. It returns none where the documents do not seem to contain the answer. Where the
 * embedding model fails, full text is searched alone and a warning says so. Both functions throw the signal's reason.
 */
export const createRetrieval = (deps: RetrieverDependencies): { retrieve: Retrieve; examine: Examine } => {
  const backgrounds = createBackgrounds();
  return {
    async retrieve(tenant, request, signal) {
      signal.throwIfAborted();
      const view = deps.store.openSnippets();
      try {
        return await search(deps, await find(deps, backgrounds, view, tenant, request, signal), request, signal);
      } finally {
        view.close();
      }
    },
    async examine(tenant, query, leftOut, signal) {
      signal.throwIfAborted();
      const view = deps.store.openSnippets();
      const request = { query, history: [], documentId: null, partitionId: null, metadata: null, limit: 1 };
      try {
        const found = await find(deps, backgrounds, view, tenant, request, signal);
        return {
          withAll: assess(found, request, new Set()).features,
          without: assess(found, request, leftOut).features,
          isWhole: found.warnings.length === 0,
        };
      } finally {
        view.close();
      }
    },
  };
};

export const createRetriever = (deps: RetrieverDependencies): Retrieve => createRetrieval(deps).retrieve;

/** What the searches of all legs found. */
interface Found {
  tenant: Tenant;
  terms: QueryTerm[];
  exact: string[];
  legs: SnippetHit[][];
  vectorLeg: VectorLeg;
  frequencies: { snippets: number; counts: ReadonlyMap<string, number> };
  searched: { documents: number; snippets: number };
  background: Background;
  warnings: Warning[];
}

const find = async (
  deps: RetrieverDependencies,
  backgrounds: Backgrounds,
  view: SnippetView,
  tenant: Tenant,
  request: RetrievalRequest,
  signal: AbortSignal,
): Promise<Found> => {
  const { documentId, partitionId, metadata } = request;
  const scope = { documentId, partitionId, metadata };
  const texts = weightedTexts(request.query, request.history);
  const { terms, exact } = mergedTerms(texts);
  const warnings: Warning[] = [];
  const searchText = (wanted: readonly QueryTerm[]): Promise<SnippetHit[]> =>
    view.searchText(tenant, scope, wanted, { limit: maxCandidatesFromLeg, ...candidateFieldWeights });

  const [textHits, exactHits, vectorLeg, frequencies, searched, background] = await Promise.all([
    searchText(terms),
    exact.length === 0 ? [] : searchText(mergedTerms(exact.map((text) => ({ text, weight: 1 }))).terms),
    searchByVector(deps, view, tenant, scope, texts, warnings, maxCandidatesFromLeg, signal),
    view.documentFrequencies(
      tenant,
      terms.map(({ term }) => term),
    ),
    view.count(tenant, scope),
    backgrounds.of(view, tenant),
  ]);
  signal.throwIfAborted();
  const legs = [textHits, exactHits, vectorLeg.hits];
  return { tenant, terms, exact, legs, vectorLeg, frequencies, searched, background, warnings };
};

/** Whether an index is of the built-in static model. Null: its model is out of reach, so that there are no cosines. */
const isStatic = (model: VectorLeg["model"]): boolean =>
  model === null || (model.provider === "builtin" && model.model === "static");

/** Scores what was found, without some documents, and measures the gate's features on it. */
const assess = (
  found: Found,
  request: RetrievalRequest,
  leftOut: ReadonlySet<string>,
): { candidates: Candidate[]; features: number[] | null } => {
  const { terms, vectorLeg } = found;
  const { legs, frequencies, background } = withoutDocuments(found, leftOut);
  const words = queryWords(heldTerms(terms, request, frequencies.counts), frequencies);
  const [textHits = []] = legs;
  const scorer = createTextScorer(words, averageTermsLength(textHits.length > 0 ? [textHits] : legs));
  const candidates = scoreCandidates(legs, scorer, vectorLeg.vector);
  const isIndexStatic = isStatic(vectorLeg.model);
  const features = gateFeatures({
    candidates,
    words,
    frequencies,
    dense: denseShare(terms),
    vector: vectorLeg.vector,
    modelVector: null,
    isIndexStatic,
    familiarity: {
      static: isIndexStatic ? familiarityOf("static", vectorLeg.weight) : 0,
      model: isIndexStatic ? 0 : familiarityOf("model", vectorLeg.weight),
    },
    background,
  });
  return { candidates, features };
};

const search = async (
  deps: RetrieverDependencies,
  found: Found,
  request: RetrievalRequest,
  signal: AbortSignal,
): Promise<Retrieval> => {
  const { tenant, exact, legs, vectorLeg, searched, warnings } = found;
  const { candidates, features } = assess(found, request, new Set());
  const fused = withNeighborSupport(fuse(candidates, vectorLeg.weight));
  const calibration = deps.calibrationOf?.(tenant.organizationId) ?? null;
  const verdict = judge(features, calibration);
  const isLeftOut = isRefused(verdict, deps.refusalThreshold, request.answer !== false);
  const understood = understoodQuestion(request.query, request.history);
  const ordered =
    deps.reranker && !isLeftOut
      ? await rerank(deps.reranker, understood, fused, warnings, deps.log, signal)
      : spreadOverDocuments(fused, 2 * request.limit);
  const { ranked, missing } = exactFirst(ordered, exact);
  const dropped: Retrieval["dropped"] = [];
  const drop = (reason: Retrieval["dropped"][number]["reason"], count: number): void => {
    if (count > 0) dropped.push({ reason, count });
  };

  let snippets: FoundSnippet[] = [];
  if (isLeftOut) drop("not_relevant", ranked.length);
  else {
    const { kept, dropped: duplicates } = withoutDuplicates(ranked, request.limit);
    snippets = kept.slice(0, request.limit).map(toSnippet);
    drop("duplicate", duplicates);
    drop("over_limit", kept.length - snippets.length);
    for (const passage of missing) warnings.push(`No snippet found holds "${passage}" word for word.`);
  }
  return {
    snippets,
    confidence: verdict.confidence,
    refusedAbove: verdict.refusedAbove,
    calibratedOn: calibration?.snippets ?? 0,
    understood,
    searched: { ...searched, text: legs[0]?.length ?? 0, vectors: vectorLeg.hits.length },
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
