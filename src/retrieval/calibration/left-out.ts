import type { SnippetHit } from "../../store/contract.ts";
import type { Background } from "./background.ts";

interface Found {
  legs: readonly SnippetHit[][];
  frequencies: { snippets: number; counts: ReadonlyMap<string, number> };
  background: Background;
}

/**
 * What a search finds as if some documents were not there: without their snippets, and with the frequencies of terms
 * less what occurs in those of them that were found. (A rare term, which decides, is only in snippets that are found.)
 */
export const withoutDocuments = ({ legs, frequencies, background }: Found, leftOut: ReadonlySet<string>): Found => {
  if (leftOut.size === 0) return { legs, frequencies, background };
  const removed = new Map<string, SnippetHit>();
  for (const leg of legs) for (const hit of leg) if (leftOut.has(hit.documentId)) removed.set(hit.id, hit);
  const counts = new Map(frequencies.counts);
  for (const { terms } of removed.values())
    for (const term of new Set(terms.split(" "))) {
      const count = counts.get(term);
      if (count !== undefined) counts.set(term, Math.max(0, count - 1));
    }
  return {
    legs: legs.map((leg) => leg.filter(({ documentId }) => !leftOut.has(documentId))),
    frequencies: { snippets: Math.max(0, frequencies.snippets - removed.size), counts },
    background: background.filter(({ documentId }) => !leftOut.has(documentId)),
  };
};
