import type { FullTextQuery } from "@lancedb/lancedb";
import type { RowReader } from "../engine/cells.ts";
import type { Lance } from "../engine/lance.ts";

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** Groups terms by weight: one clause adds the BM25 scores of its terms. */
export const groupByWeight = (terms: readonly WeightedTerm[]): Map<number, string[]> => {
  const weights = new Map<string, number>();
  for (const { term, weight } of terms) weights.set(term, (weights.get(term) ?? 0) + weight);
  const groups = new Map<number, string[]>();
  for (const [term, weight] of weights) {
    if (weight <= 0 || !Number.isFinite(weight) || term.trim() === "") continue;
    const group = groups.get(weight) ?? [];
    group.push(term);
    groups.set(weight, group);
  }
  return groups;
};

/**
 * Queries whose scores add up to the weighted sum of BM25 over the three columns of terms. LanceDB can add them up itself, in
 * a BooleanQuery: but then it reads every row that has one of the terms, and in a MatchQuery only those that may be among
 * the best.
 * @param mayBeInName false for a term that no name of a document has: the names are not searched for it
 */
export const textQueries = (
  lance: Lance,
  terms: readonly WeightedTerm[],
  { titleWeight, headingWeight }: { titleWeight: number; headingWeight: number },
  mayBeInName: (term: string) => boolean = () => true,
): FullTextQuery[] => {
  const columns = { terms: 1, headingTerms: headingWeight, titleTerms: titleWeight };
  return [...groupByWeight(terms)].flatMap(([weight, group]) =>
    Object.entries(columns).flatMap(([column, columnWeight]) => {
      const boost = weight * columnWeight;
      const searched = column === "titleTerms" ? group.filter(mayBeInName) : group;
      return boost > 0 && searched.length > 0 ? [new lance.MatchQuery(searched.join(" "), column, { boost })] : [];
    }),
  );
};

/** What queries found of a row. */
export interface Scored {
  readonly id: bigint;
  readonly score: number;
}

/** A row of a query for `_score` with row ids. */
export const decodeScored = (row: RowReader): Scored => ({ id: row.bigint("_rowid"), score: row.number("_score") });

/** The rows whose scores add up to most, best first; of equal ones the older. A list that lacks a row adds nothing to it. */
export const bestOfSums = (found: readonly Scored[], limit: number): Scored[] => {
  const sums = new Map<bigint, number>();
  for (const { id, score } of found) sums.set(id, (sums.get(id) ?? 0) + score);
  return [...sums]
    .map(([id, score]) => ({ id, score }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
};

/** What queries found of a row of one of several segments. */
export interface Placed extends Scored {
  readonly segment: number;
}

/** So many of each segment are among the best: the scores of a small one know few snippets, in which no term is rare. */
const bestOfEach = 10;

const byScore = (one: Placed, other: Placed): number =>
  other.score - one.score || one.segment - other.segment || (one.id < other.id ? -1 : 1);

/** The best of some, and of each segment its own best. */
const bestWithEach = (found: Placed[], limit: number): Placed[] => {
  const sorted = found.sort(byScore);
  if (sorted.length <= limit) return sorted;
  const taken = new Map<number, number>();
  const isOwnBest = ({ segment }: Placed): boolean => {
    const count = taken.get(segment) ?? 0;
    taken.set(segment, count + 1);
    return count < bestOfEach;
  };
  const { own = [], others = [] } = Object.groupBy(sorted, (one) => (isOwnBest(one) ? "own" : "others"));
  return [...own, ...others.slice(0, Math.max(0, limit - own.length))].sort(byScore).slice(0, limit);
};

/**
 * `bestOfSums` over several segments: of what each query found in all of them the best are added up, as if they were one.
 * LanceDB scores by the statistics of a segment, which are alike where both are large.
 * @param found by segment, then by query
 */
export const bestOfSegments = (found: readonly (readonly Scored[][])[], limit: number): Placed[] => {
  const place = (scored: readonly Scored[], segment: number): Placed[] => scored.map((one) => ({ ...one, segment }));
  const [only] = found;
  if (only !== undefined && found.length === 1) return place(bestOfSums(only.flat(), limit), 0);
  const ofSegments = found.map((): Scored[] => []);
  for (const query of only?.keys() ?? [])
    for (const one of bestWithEach(
      found.flatMap((lists, segment) => place(lists[query] ?? [], segment)),
      limit,
    ))
      ofSegments[one.segment]?.push(one);
  return bestWithEach(
    ofSegments.flatMap((scored, segment) => place(bestOfSums(scored, limit), segment)),
    limit,
  );
};
