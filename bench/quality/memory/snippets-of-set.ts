import type { SnippetRecord } from "../../../src/domain/records.ts";
import type { EvaluationSet } from "../../../src/evaluation/sets.ts";
import { analyzeChunks, analyzeName } from "../../../src/ingest/index/analyzed-text.ts";

const forever = new AbortController().signal;

/** The snippets of a set as an ingest makes them, without vectors. Their `documentId` is the document's id in the set. */
export const snippetsOfSet = async (set: EvaluationSet): Promise<SnippetRecord[]> => {
  const snippets: SnippetRecord[] = [];
  for (const { id, title, text } of set.documents) {
    const { terms: titleTerms } = analyzeName(title || id);
    for (const [position, { chunk, terms, headingTerms }] of (await analyzeChunks(text, [], forever)).entries()) {
      snippets.push({
        id: `${id}#${position}`,
        organizationId: "bench",
        documentId: id,
        partitionId: null,
        revision: "",
        position,
        ...chunk,
        terms,
        headingTerms,
        titleTerms,
      });
    }
  }
  return snippets;
};
