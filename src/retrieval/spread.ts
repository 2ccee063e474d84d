import type { Ranked } from "./fuse.ts";

/** What each snippet already taken from a document costs its further ones: decides only between near equals. */
const cost = 0.015;

/**
 * Takes the first `wanted` so that near equals come from different documents; the rest follows in its order. A
 * question that one document answers clearly best keeps its snippets together; a broad one hears several.
 */
export const spreadOverDocuments = (ranked: readonly Ranked[], wanted: number): Ranked[] => {
  const left = [...ranked];
  const taken: Ranked[] = [];
  const fromDocument = new Map<string, number>();
  while (taken.length < wanted && left.length > 0) {
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (const [index, { hit, score }] of left.entries()) {
      // Sorted by score: nothing further on can do better than it has.
      if (score <= bestScore) break;
      const adjusted = score - cost * (fromDocument.get(hit.documentId) ?? 0);
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
