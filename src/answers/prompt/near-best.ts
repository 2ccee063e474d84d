import type { FoundSnippet } from "../../retrieval/contract.ts";

/**
 * Where the gate says at least this, a snippet with less than that part of the best one's score is not shown to a model: each
 * costs reading time, and misleads a small one. Of six snippets 5.3 are left on code and fewer on articles, and the right
 * one is lost for none of 124 and 170 questions; at a smaller gate, for 1 to 2 of a hundred (bench/quality/README.md).
 */
const sureFrom = 0.98;
const minScoreShare = 0.45;

/** The snippets that a model is shown of those found, best first: fewer where the rest is far below the best. */
export const nearBest = (snippets: readonly FoundSnippet[], refusedAbove: number): readonly FoundSnippet[] => {
  if (refusedAbove < sureFrom) return snippets;
  const best = Math.max(...snippets.map(({ score }) => score));
  return snippets.slice(0, Math.max(1, snippets.findLastIndex(({ score }) => score >= minScoreShare * best) + 1));
};
