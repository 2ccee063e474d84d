import type { Reranker } from "../../providers/contract.ts";
import type { Tenant } from "../domain/records.ts";
import type { SnippetHit, Store } from "../store/contract.ts";
import { noTracer } from "../tracing/tracer.ts";
import { assess } from "./assess.ts";
import type { FoundSnippet, Leg, Retrieval, RetrievalRequest } from "./contract.ts";
import { asDocumentsSpell, understoodQuestion } from "./conversation-terms.ts";
import { exactFirst, spreadOverDocuments, withoutDuplicates } from "./duplicates.ts";
import { type Found, find, type LegDependencies } from "./find.ts";
import { judgeReadings } from "./judge/judge.ts";
import { createRandomSamples } from "./judge/random-snippets.ts";
import { rerank } from "./rerank.ts";
import type { Candidate } from "./scores/candidates.ts";
import { fuse, type Ranked } from "./scores/fuse.ts";
import { weightsFor } from "./scores/vector-score.ts";
import type { Replacement } from "./typing-errors.ts";

interface RetrieverDependencies extends LegDependencies {
  store: Pick<Store, "openSnippets">;
  /** Puts the best candidates into a better order; missing or null: the fused order stays. */
  reranker?: Reranker | null;
  /** How readily questions are refused: `answers.refusalThreshold`. */
  refusalThreshold: number;
}

export type Retrieve = (tenant: Tenant, request: RetrievalRequest, signal: AbortSignal) => Promise<Retrieval>;

/**
 * Finds the snippets that answer a question: searches in the same scope by full text, by the vectors of the index and by
 * those of the configured model as far as they are made, fuses the scores, and leaves out duplicates. Returns none where
 * nothing is near. Where a model fails, the other legs answer, and a warning says so. Throws the signal's reason.
 */
export const createRetriever = (deps: RetrieverDependencies): Retrieve => {
  const samples = createRandomSamples(deps.store);
  return async (tenant, request, signal) => {
    signal.throwIfAborted();
    return await (deps.tracer ?? noTracer).span("retrieval", async (span) => {
      const view = deps.store.openSnippets();
      try {
        const spelled = await asDocumentsSpell(view, tenant, request);
        const found = await find(deps, samples, view, tenant, spelled.request, signal);
        found.warnings.push(...spelled.replaced.map(replacementWarning));
        const retrieval = await answer(deps, found, spelled.request, signal);
        span.note({ "gen_ai.operation.name": "retrieval", "gen_ai.retrieval.top_k": request.limit });
        span.note({ "carrel.snippets": retrieval.snippets.length, "carrel.confidence": retrieval.confidence });
        return retrieval;
      } finally {
        view.close();
      }
    });
  };
};

/** Orders what was found, judges it, and keeps the best. */
const answer = async (
  deps: RetrieverDependencies,
  found: Found,
  request: RetrievalRequest,
  signal: AbortSignal,
): Promise<Retrieval> => {
  const { exact, vectorLeg, modelLeg, warnings } = found;
  const { candidates, readings } = await assess(found, request);
  const fused = fuse(candidates, weightsFor(request.query, { index: vectorLeg.weight, model: modelLeg.weight }));
  const verdict = judgeReadings(readings);
  // Only noise is left out here: how sure the answer is, its passages tell.
  const isLeftOut = !verdict.isNear && deps.refusalThreshold > 0;
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

  const { kept, dropped: duplicates } = await withoutDuplicates(ranked, request.limit);
  const nearest = kept.slice(0, request.limit).map(toSnippet);
  const snippets = isLeftOut ? [] : nearest;
  if (isLeftOut) drop("not_relevant", ranked.length);
  else {
    drop("duplicate", duplicates);
    drop("over_limit", kept.length - snippets.length);
    for (const passage of missing) warnings.push(`No snippet found holds "${passage}" word for word.`);
  }
  return {
    snippets,
    nearest,
    certainty: isLeftOut ? "none" : "sure",
    confidence: verdict.confidence,
    refusedAbove: verdict.refusedAbove,
    query: request.query,
    understood,
    searched: { ...found.searched, text: found.textHits.length, vectors: found.foundByVectors },
    dropped,
    warnings,
    legs: () => legsOf(found, candidates),
  };
};

/** Hits of a leg that a receipt tells of. */
const maxLegHits = 50;

/** The scores are those that the legs are fused by. */
const legsOf = (found: Found, candidates: readonly Candidate[]): Leg[] => {
  const scores = new Map(candidates.map((candidate) => [candidate.hit.id, candidate]));
  const leg = (name: Leg["leg"], hits: readonly SnippetHit[], score: (one: Candidate) => number | null): Leg => ({
    leg: name,
    hits: hits
      .map(({ id, documentId }) => {
        const candidate = scores.get(id);
        return { snippetId: id, documentId, score: candidate === undefined ? null : score(candidate) };
      })
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
      .slice(0, maxLegHits),
  });
  return [
    leg("text", found.textHits, ({ text }) => text),
    leg("vectors", found.vectorLeg.hits, ({ cosine }) => cosine),
    leg("model_vectors", found.modelLeg.hits, ({ modelCosine }) => modelCosine),
  ];
};

const replacementWarning = ({ written, meant }: Replacement): string =>
  `No document has "${written}": "${meant}" was searched for. Put it in quotation marks to search for it as it is written.`;

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
