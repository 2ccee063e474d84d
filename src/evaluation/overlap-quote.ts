import { passagesOf } from "../answers/quote/passages.ts";
import { analyze, analyzeQuery, formsByWord } from "../text/analysis/analyze.ts";
import { inverseDocumentFrequency } from "../text/bm25.ts";

/**
 * The baseline for the built-in answerer in the same run: quotes the sentences of the snippets by the rarity of the
 * question's words in them, and by nothing else.
 * @param snippets texts, best first
 * @returns at most `limit` sentences, best first; of ties the earlier first
 */
export const quoteByOverlap = (question: string, snippets: readonly string[], limit: number): string[] => {
  const passages = snippets
    .flatMap(passagesOf)
    .filter(({ kind }) => kind !== "heading")
    .map(({ text }) => ({ text, terms: new Set(analyze(text)) }));
  const scores = passages.map(() => 0);
  for (const forms of formsByWord(analyzeQuery(question).terms)) {
    const holding = passages.map(({ terms }) => forms.some((form) => terms.has(form)));
    const idf = inverseDocumentFrequency(passages.length, holding.filter(Boolean).length);
    for (const [index, holds] of holding.entries()) if (holds) scores[index] = (scores[index] ?? 0) + idf;
  }
  return passages
    .map(({ text }, index) => ({ text, score: scores[index] ?? 0, index }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, limit)
    .map(({ text }) => text);
};
