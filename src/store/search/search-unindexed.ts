import { nextTurn } from "../../async/next-turn.ts";
import type { SnippetRecord, Tenant } from "../../domain/records.ts";
import { bm25, inverseDocumentFrequency, textLength } from "../../text/bm25.ts";
import { createTermCounter } from "../../text/count-term.ts";
import type { SearchScope, TermFrequencies } from "../contract/search.ts";
import type { FoundSnippet } from "./recent-snippets.ts";
import { groupByWeight, type WeightedTerm } from "./text-query.ts";

/** Weights of the columns beside that of the text, which is 1. */
export interface ColumnWeights {
  readonly titleWeight: number;
  readonly headingWeight: number;
}

/** Whether a snippet of the tenant's organization is in a scope without a filter of metadata. */
export const isInScope = (snippet: SnippetRecord, tenant: Tenant, { documentId, partitionId }: SearchScope): boolean =>
  (tenant.partitionId === null || snippet.partitionId === tenant.partitionId) &&
  (partitionId === null || snippet.partitionId === partitionId) &&
  (documentId === null || snippet.documentId === documentId);

/** Snippets that are looked at before other work has its turn: some milliseconds for the longest questions. */
const maxAtOnce = 500;

/** Calls `compare` for each snippet; other work has its turn meanwhile. */
const compareEach = async (
  snippets: readonly FoundSnippet[],
  compare: (snippet: FoundSnippet) => void,
): Promise<void> => {
  for (let start = 0; start < snippets.length; start += maxAtOnce) {
    if (start > 0) await nextTurn();
    for (const snippet of snippets.slice(start, start + maxAtOnce)) compare(snippet);
  }
};

const searchedTerms = (terms: readonly WeightedTerm[]): string[] => [...groupByWeight(terms).values()].flat();

const textOf = ({ terms, headingTerms, titleTerms }: SnippetRecord, weights: ColumnWeights): string[] => [
  terms,
  ...(weights.headingWeight > 0 ? [headingTerms] : []),
  ...(weights.titleWeight > 0 ? [titleTerms] : []),
];

/** The snippets that contain one of the terms. */
export const withTerms = async (
  snippets: readonly FoundSnippet[],
  terms: readonly WeightedTerm[],
  weights: ColumnWeights,
): Promise<FoundSnippet[]> => {
  const countsOf = createTermCounter(searchedTerms(terms));
  const found: FoundSnippet[] = [];
  await compareEach(snippets, (snippet) => {
    if (textOf(snippet.record, weights).some((text) => countsOf(text).size > 0)) found.push(snippet);
  });
  return found;
};

export interface TextMerge {
  readonly terms: readonly WeightedTerm[];
  /** How many snippets there are, how many contain each term, and how long they are. */
  readonly counted: Pick<TermFrequencies, "snippets" | "counts" | "lengths">;
  readonly weights: ColumnWeights;
  readonly limit: number;
}

const { k1, b } = bm25;

/**
 * The best of what the indexes found and of those that no index holds. LanceDB's scores know its index alone: all are
 * scored here, by the sum of BM25 over the columns. Null, for a row that was moved, comes first.
 */
export const mergeByText = async (
  found: readonly (FoundSnippet | null)[],
  unindexed: readonly FoundSnippet[],
  { terms, counted, weights, limit }: TextMerge,
): Promise<{ snippet: FoundSnippet | null; score: number | null }[]> => {
  const snippets = new Map<string, FoundSnippet>();
  for (const snippet of [...found, ...unindexed]) if (snippet !== null) snippets.set(snippet.record.id, snippet);
  const meanLength = Math.max(1, counted.lengths.characters);
  const weighted = [...groupByWeight(terms)].flatMap(([weight, group]) =>
    group.map((term) => ({
      term,
      weight: weight * inverseDocumentFrequency(counted.snippets, counted.counts.get(term) ?? 0),
    })),
  );
  const countsOf = createTermCounter(weighted.map(({ term }) => term));
  const scoreOf = ({ record }: FoundSnippet): number => {
    const norm = 1 - b + (b * textLength.characters(record)) / meanLength;
    const text = countsOf(record.terms);
    const headings = countsOf(record.headingTerms);
    const title = countsOf(record.titleTerms);
    let score = 0;
    for (const { term, weight } of weighted) {
      const inText = saturated(text.get(term) ?? 0, norm);
      const inHeading = weights.headingWeight * saturated(headings.get(term) ?? 0, 1);
      const inTitle = weights.titleWeight * saturated(title.get(term) ?? 0, 1);
      score += weight * (inText + inHeading + inTitle);
    }
    return score;
  };
  const scored: { snippet: FoundSnippet; score: number }[] = [];
  await compareEach([...snippets.values()], (snippet) => {
    scored.push({ snippet, score: scoreOf(snippet) });
  });
  const moved = found.filter((snippet) => snippet === null).map((snippet) => ({ snippet, score: null }));
  return [...moved, ...scored.sort((one, other) => other.score - one.score).slice(0, limit)];
};

const saturated = (count: number, norm: number): number => (count * (k1 + 1)) / (count + k1 * norm);
