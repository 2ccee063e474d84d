import type { Reranker } from "../../providers/contract.ts";
import type { Tenant } from "../domain/records.ts";
import { type Store, wholeTenant } from "../store/contract.ts";
import { noTracer } from "../tracing/tracer.ts";
import { assess } from "./assess.ts";
import { createBackgrounds } from "./calibration/background.ts";
import type { StoreCalibration } from "./calibration/calibration.ts";
import type { FoundSnippet, Retrieval, RetrievalRequest } from "./contract.ts";
import { understoodQuestion } from "./conversation/conversation-terms.ts";
import { withoutDuplicates } from "./duplicates.ts";
import { exactFirst } from "./exact-matches.ts";
import { type Found, find, type LegDependencies } from "./find.ts";
import { fuse, type Ranked } from "./fuse.ts";
import { embedPatiently } from "./question-limit.ts";
import { isRefused, judgeReadings } from "./relevance-gate.ts";
import { rerank } from "./rerank.ts";
import { asDocumentsSpell } from "./spelling/as-documents-spell.ts";
import type { Replacement } from "./spelling/typing-errors.ts";
import { spreadOverDocuments } from "./spread.ts";
import { weightsFor } from "./vector-score.ts";

export interface RetrieverDependencies extends LegDependencies {
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

export interface ExaminedQuestion {
  text: string;
  /** Documents as if they were not there. */
  leftOut: ReadonlySet<string>;
  /** Whether the configured model is asked too. */
  hearsModel: boolean;
}

/** Asks a question as it is and as if some documents were not there: the calibration learns from the difference. */
export type Examine = (tenant: Tenant, question: ExaminedQuestion, signal: AbortSignal) => Promise<Examination>;

/**
 * `retrieve` finds the snippets that answer a question: searches in the same scope by full text, by the vectors of the
 * index and by those of the configured model as far as they are made, fuses the scores, and leaves out duplicates. It
 * returns none where the documents do not seem to contain the answer. Where a model fails, the other legs answer, and a
 * warning says so. Both functions throw the signal's reason.
 */
export const createRetrieval = (deps: RetrieverDependencies): { retrieve: Retrieve; examine: Examine } => {
  const backgrounds = createBackgrounds(deps.store);
  return {
    async retrieve(tenant, request, signal) {
      signal.throwIfAborted();
      return await (deps.tracer ?? noTracer).span("retrieval", async (span) => {
        const view = deps.store.openSnippets();
        try {
          const spelled = await asDocumentsSpell(view, tenant, request);
          const found = await find(deps, backgrounds, view, tenant, spelled.request, signal);
          found.warnings.push(...spelled.replaced.map(replacementWarning));
          const retrieval = await answer(deps, found, spelled.request, signal);
          span.note({ "carrel.snippets": retrieval.snippets.length, "carrel.confidence": retrieval.confidence });
          return retrieval;
        } finally {
          view.close();
        }
      });
    },
    async examine(tenant, { text: query, leftOut, hearsModel }, signal) {
      signal.throwIfAborted();
      const view = deps.store.openSnippets();
      const request = { ...wholeTenant, query, history: [], limit: 1 };
      try {
        const found = await find(
          { ...deps, embedQuestion: embedPatiently, hearsModel },
          backgrounds,
          view,
          tenant,
          request,
          signal,
        );
        return {
          withAll: (await assess(found, request, new Set())).readings[0] ?? null,
          without: (await assess(found, request, leftOut)).readings[0] ?? null,
          isWhole: found.warnings.length === 0,
        };
      } finally {
        view.close();
      }
    },
  };
};

export const createRetriever = (deps: RetrieverDependencies): Retrieve => createRetrieval(deps).retrieve;

/** Orders what was found, judges it, and keeps the best. */
const answer = async (
  deps: RetrieverDependencies,
  found: Found,
  request: RetrievalRequest,
  signal: AbortSignal,
): Promise<Retrieval> => {
  const { tenant, exact, vectorLeg, modelLeg, warnings } = found;
  const { candidates, readings } = await assess(found, request, new Set());
  const fused = fuse(candidates, weightsFor(request.query, { index: vectorLeg.weight, model: modelLeg.weight }));
  const calibration = deps.calibrationOf?.(tenant.organizationId) ?? null;
  const verdict = judgeReadings(readings, calibration);
  // Only noise is left out here: how sure the answer is, its passages tell.
  const isLeftOut = isRefused(verdict, deps.refusalThreshold, false);
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
    calibratedOn: calibration?.snippets ?? 0,
    query: request.query,
    understood,
    searched: { ...found.searched, text: found.textHits.length, vectors: found.foundByVectors },
    dropped,
    warnings,
  };
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
