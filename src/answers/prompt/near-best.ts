import type { FoundSnippet } from "../../retrieval/contract.ts";

/**
 * A snippet with less than this part of the best one's score is not shown to a model: each costs reading time, and misleads a
 * small one.
 */
const minScoreShare = 0.35;

/** The snippets that a model is shown of those found, best first: fewer where the rest is far below the best. */
export const nearBest = (snippets: readonly FoundSnippet[]): FoundSnippet[] => {
  const best = Math.max(...snippets.map(({ score }) => score));
  const end = snippets.findLastIndex(({ score }) => score >= minScoreShare * best) + 1;
  return snippets.slice(0, Math.max(1, end));
};
