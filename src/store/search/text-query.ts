import type { FullTextQuery } from "@lancedb/lancedb";
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
 * The weighted sum of BM25 over the three columns of terms.
 * @returns null if there is no term to search for
 */
export const textQuery = (
  lance: Lance,
  terms: readonly WeightedTerm[],
  { titleWeight, headingWeight }: { titleWeight: number; headingWeight: number },
): FullTextQuery | null => {
  const columns = { terms: 1, headingTerms: headingWeight, titleTerms: titleWeight };
  const clauses: [typeof lance.Occur.Should, FullTextQuery][] = [];
  for (const [weight, group] of groupByWeight(terms)) {
    for (const [column, columnWeight] of Object.entries(columns)) {
      const boost = weight * columnWeight;
      if (boost > 0) clauses.push([lance.Occur.Should, new lance.MatchQuery(group.join(" "), column, { boost })]);
    }
  }
  return clauses.length === 0 ? null : new lance.BooleanQuery(clauses);
};
