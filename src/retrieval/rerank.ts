import type { Logger } from "pino";
import { ProviderError, type Reranker } from "../../providers/contract.ts";
import { failureWarning, type Warning } from "../models/warning.ts";
import type { Ranked } from "./scores/fuse.ts";

/** Candidates that are reranked; the others keep their order behind them. */
const maxReranked = 30;

/**
 * Orders the first candidates by a reranking model. If the model fails or takes too long, the order stays and a warning
 * says so. Scores stay in 0 to 1 and never rise along the order.
 * @param warnings for the receipt; one may be added
 * @throws the signal's reason
 */
export const rerank = async (
  reranker: Reranker,
  query: string,
  ranked: readonly Ranked[],
  warnings: Warning[],
  log: Logger,
  signal: AbortSignal,
): Promise<Ranked[]> => {
  const first = ranked.slice(0, maxReranked);
  if (first.length < 2) return [...ranked];
  try {
    const scores = await reranker.rerank(
      query,
      first.map(({ hit }) => (hit.context === "" ? hit.text : `${hit.context}\n${hit.text}`)),
      signal,
    );
    const bounded = scores.every((score) => score >= 0 && score <= 1) ? scores : scores.map(logistic);
    const inOrder = first
      .map((candidate, at) => ({ ...candidate, score: bounded[at] ?? 0 }))
      // Ties keep their order.
      .sort((a, b) => b.score - a.score);
    const least = inOrder.at(-1)?.score ?? 0;
    return [...inOrder, ...ranked.slice(maxReranked).map((rest) => ({ ...rest, score: Math.min(rest.score, least) }))];
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof ProviderError)) throw error;
    log.warn({ kind: error.kind, model: reranker.model }, "reranking failed: the order of the search stays");
    warnings.push(failureWarning("The snippets were not reranked, because the reranking model failed", error));
    return [...ranked];
  }
};

const logistic = (score: number): number => 1 / (1 + Math.exp(-score));
