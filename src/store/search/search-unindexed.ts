import { createYielder } from "../../async/yield.ts";
import type { SnippetRecord, Tenant } from "../../domain/records.ts";
import { bm25, createTermCounter, inverseDocumentFrequency, textLength } from "../../text/bm25.ts";
import type { SearchScope, TermFrequencies } from "../contract/search.ts";
import type { RevisionSnapshot } from "../segments/revisions.ts";
import { createBest } from "./found-snippets.ts";
import type { SnippetSegment } from "./live-indexes.ts";
import type { FoundSnippet } from "./recent-snippets.ts";
import { groupByWeight, type WeightedTerm } from "./text-query.ts";

/** Weights of the columns beside that of the text, which is 1. */
interface ColumnWeights {
  readonly titleWeight: number;
  readonly headingWeight: number;
}

/** Whether a snippet of the tenant's organization is in a scope without a filter of metadata. */
const isInScope = (snippet: SnippetRecord, tenant: Tenant, { documentId, partitionId }: SearchScope): boolean =>
  (tenant.partitionId === null || snippet.partitionId === tenant.partitionId) &&
  (partitionId === null || snippet.partitionId === partitionId) &&
  (documentId === null || snippet.documentId === documentId);

/**
 * The snippets of a scope that no index holds and that a view sees; null if they have to be found in the table.
 * @param terms only those that contain one of them, in any column
 */
export const unindexedIn = (
  { unindexed }: Pick<SnippetSegment, "unindexed">,
  tenant: Tenant,
  scope: SearchScope,
  snapshot: Pick<RevisionSnapshot, "sees">,
  terms?: readonly string[],
): FoundSnippet[] | null => {
  if (scope.metadata !== null) return null;
  const { organizationId } = tenant;
  const kept = terms === undefined ? unindexed.of(organizationId) : unindexed.having(organizationId, terms);
  return kept?.filter(({ record }) => isInScope(record, tenant, scope) && snapshot.sees(record.revision)) ?? null;
};

/** How often a snippet has the terms that are searched for, by column; those of a column without weight are not counted. */
interface ColumnCounts {
  readonly text: ReadonlyMap<string, number>;
  readonly headings: ReadonlyMap<string, number>;
  readonly title: ReadonlyMap<string, number>;
}

interface CountedSnippet {
  readonly snippet: FoundSnippet;
  readonly counts: ColumnCounts;
}

/** @returns for a snippet, how often it has each of the terms */
const createColumnCounter = (
  terms: readonly WeightedTerm[],
  { titleWeight, headingWeight }: ColumnWeights,
): ((snippet: SnippetRecord) => ColumnCounts) => {
  const countsOf = createTermCounter([...groupByWeight(terms).values()].flat());
  return ({ terms: text, headingTerms, titleTerms }) => ({
    text: countsOf(text),
    headings: countsOf(headingWeight > 0 ? headingTerms : ""),
    title: countsOf(titleWeight > 0 ? titleTerms : ""),
  });
};

/** The snippets that contain one of the terms. Other work has its turn meanwhile: there may be thousands. */
export const withTerms = async (
  snippets: readonly FoundSnippet[],
  terms: readonly WeightedTerm[],
  weights: ColumnWeights,
): Promise<CountedSnippet[]> => {
  const count = createColumnCounter(terms, weights);
  const yieldTurn = createYielder();
  const found: CountedSnippet[] = [];
  for (const snippet of snippets) {
    const counts = count(snippet.record);
    if (counts.text.size + counts.headings.size + counts.title.size > 0) found.push({ snippet, counts });
    await yieldTurn();
  }
  return found;
};

interface TextMerge {
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
  unindexed: readonly CountedSnippet[],
  { terms, counted, weights, limit }: TextMerge,
): Promise<{ snippet: FoundSnippet | null; score: number | null }[]> => {
  const count = createColumnCounter(terms, weights);
  const snippets = new Map<string, CountedSnippet>();
  for (const snippet of found)
    if (snippet !== null) snippets.set(snippet.record.id, { snippet, counts: count(snippet.record) });
  for (const one of unindexed) snippets.set(one.snippet.record.id, one);

  const score = createScorer({ terms, counted, weights });
  const yieldTurn = createYielder();
  const best = createBest<{ snippet: FoundSnippet; score: number }>(limit, (one) => one.score);
  for (const one of snippets.values()) {
    best.add({ snippet: one.snippet, score: score(one) });
    await yieldTurn();
  }
  const moved = found.filter((snippet) => snippet === null).map((snippet) => ({ snippet, score: null }));
  return [...moved, ...best.list()];
};

const createScorer = ({ terms, counted, weights }: Omit<TextMerge, "limit">): ((snippet: CountedSnippet) => number) => {
  const meanLength = Math.max(1, counted.lengths.characters);
  const weightOf = new Map<string, number>();
  for (const [weight, group] of groupByWeight(terms))
    for (const term of group)
      weightOf.set(term, weight * inverseDocumentFrequency(counted.snippets, counted.counts.get(term) ?? 0));
  /** Goes through the terms that the column has, not through those of the question: it may have thousands. */
  const ofColumn = (counts: ReadonlyMap<string, number>, norm: number): number => {
    let sum = 0;
    for (const [term, count] of counts) sum += (weightOf.get(term) ?? 0) * saturated(count, norm);
    return sum;
  };
  return ({ snippet: { record }, counts }) => {
    const norm = 1 - b + (b * textLength.characters(record)) / meanLength;
    return (
      ofColumn(counts.text, norm) +
      weights.headingWeight * ofColumn(counts.headings, 1) +
      weights.titleWeight * ofColumn(counts.title, 1)
    );
  };
};

const saturated = (count: number, norm: number): number => (count * (k1 + 1)) / (count + k1 * norm);
