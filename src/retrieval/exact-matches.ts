import { foldForExact, holdsExactly } from "../text/analysis/exact-passages.ts";
import { countTerm } from "../text/bm25.ts";
import { codeForms } from "./scores/document-names.ts";
import type { Ranked } from "./scores/fuse.ts";

const isCode = (passage: string): boolean => !passage.includes(" ");

/**
 * Ranks snippets by how many of the question's quoted passages and codes they contain word for word. A code in the name
 * of a document, such as a model's, is held by all its snippets, with signs or without.
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
    const text = foldForExact(`${hit.headings.join("\n")}\n${hit.context}\n${hit.text}`);
    const title = hit.titleTerms;
    let count = 0;
    for (const [index, passage] of folded.entries()) {
      const isNamed = isCode(passage) && [passage, ...codeForms(passage)].some((form) => countTerm(title, form) > 0);
      if (!isNamed && !holdsExactly(text, passage)) continue;
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
