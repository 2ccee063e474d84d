import type { Ranked } from "./scores/fuse.ts";
import { sameDocumentCost } from "./scores/fusion-weights.ts";

/**
 * Chooses the first `wanted` snippets so that near ties come from different documents; the rest keeps its order. Where
 * one document answers clearly best, its snippets stay together; a broad question gets several documents.
 */
export const spreadOverDocuments = (ranked: readonly Ranked[], wanted: number): Ranked[] => {
  const left = [...ranked];
  const taken: Ranked[] = [];
  const fromDocument = new Map<string, number>();
  while (taken.length < wanted && left.length > 0) {
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const [index, { hit, score }] of left.entries()) {
      // Sorted by score, so no later candidate can beat the best one.
      if (score <= bestScore) break;
      const adjusted = score - sameDocumentCost * (fromDocument.get(hit.documentId) ?? 0);
      if (adjusted > bestScore) {
        best = index;
        bestScore = adjusted;
      }
    }
    const [next] = left.splice(best, 1);
    if (next === undefined) break;
    taken.push(next);
    fromDocument.set(next.hit.documentId, (fromDocument.get(next.hit.documentId) ?? 0) + 1);
  }
  return [...taken, ...left];
};
