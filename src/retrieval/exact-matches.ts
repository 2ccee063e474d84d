import { foldForExact, holdsExactly } from "../text/analysis/exact-passages.ts";
import type { Ranked } from "./fuse.ts";

/**
 * Ranks snippets by how many of the question's quoted passages and codes they, or the names of their documents, contain
 * word for word.
 */
export const exactFirst = (
  ranked: readonly Ranked[],
  passages: readonly string[],
): { ranked: Ranked[]; missing: string[] } => {
  if (passages.length === 0) return { ranked: [...ranked], missing: [] };
  const folded = passages.map(foldForExact);
  const held = folded.map(() => false);
  const counted = ranked.map((candidate) => {
    const { hit } = candidate;
    const text = foldForExact(`${hit.headings.join("\n")}\n${hit.context}\n${hit.text}\n${hit.titleTerms}`);
    let count = 0;
    for (const [index, passage] of folded.entries()) {
      if (!holdsExactly(text, passage)) continue;
      held[index] = true;
      count++;
    }
    return { candidate, count };
  });
  counted.sort((a, b) => b.count - a.count); // stable: ties keep their order
  const most = passages.length;
  return {
    // Scores follow the order: more passages always give a higher score.
    ranked: counted.map(({ candidate, count }) => ({ ...candidate, score: (candidate.score + count) / (1 + most) })),
    missing: passages.filter((_, index) => !held[index]),
  };
};
