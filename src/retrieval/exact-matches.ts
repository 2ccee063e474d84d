import { foldForExact, holdsExactly } from "../text/analysis/exact-passages.ts";
import type { Ranked } from "./fuse.ts";

/** Puts what holds the question's quoted passages and codes word for word first; the more of them, the further. */
export const exactFirst = (
  ranked: readonly Ranked[],
  passages: readonly string[],
): { ranked: Ranked[]; missing: string[] } => {
  if (passages.length === 0) return { ranked: [...ranked], missing: [] };
  const folded = passages.map(foldForExact);
  const held = folded.map(() => false);
  const counted = ranked.map((candidate) => {
    const { hit } = candidate;
    const text = foldForExact(`${hit.headings.join("\n")}\n${hit.context}\n${hit.text}`);
    let count = 0;
    for (const [index, passage] of folded.entries()) {
      if (!holdsExactly(text, passage)) continue;
      held[index] = true;
      count++;
    }
    return { candidate, count };
  });
  counted.sort((a, b) => b.count - a.count); // stable: equals keep the order they came in
  const most = passages.length;
  return {
    // The score says what the order says: all that hold the passages stand above all that do not.
    ranked: counted.map(({ candidate, count }) => ({ ...candidate, score: (candidate.score + count) / (1 + most) })),
    missing: passages.filter((_, index) => !held[index]),
  };
};
