import { allOf, isOneOf, visibleTo } from "./filters.ts";
import type { Lance } from "./lance.ts";
import type { LiveIndex } from "./live-indexes.ts";
import type { Tenant } from "./records.ts";
import type { RevisionRegister } from "./revisions.ts";

/** How many snippets of a document each term occurs in; under `everySnippet`, how many snippets there are. */
export type TermTally = ReadonlyMap<string, number>;

/** No term is empty: a term is what stands between spaces. */
const everySnippet = "";

/** Tallies the terms of some snippets, each snippet once. */
export const tallyTerms = (termsOfSnippets: readonly string[]): TermTally => {
  const tally = new Map<string, number>([[everySnippet, termsOfSnippets.length]]);
  for (const terms of termsOfSnippets) {
    for (const term of new Set(terms.split(" "))) {
      if (term !== everySnippet) tally.set(term, (tally.get(term) ?? 0) + 1);
    }
  }
  return tally;
};

/**
 * In how many snippets of a tenant terms occur. A term is counted in the table the first time somebody asks; after that
 * its count is kept up to date with every document that comes, changes and goes.
 */
export interface FrequencyCounter {
  count(
    index: LiveIndex,
    tenant: Tenant,
    terms: readonly string[],
  ): Promise<{ snippets: number; counts: Map<string, number> }>;
  /** Whether counts of an organization are kept, so that changes must be told. */
  keeps(organizationId: string): boolean;
  /** Drops the counts of an organization: something changed that was not tallied. */
  forget(organizationId: string): void;
  /** Snippets became visible (+1) or ceased to be (-1), at this moment. */
  change(
    indexIds: readonly string[],
    owner: { organizationId: string; partitionId: string | null },
    tally: TermTally,
    sign: 1 | -1,
  ): void;
}

/** Past this many all counts are dropped and asked for anew. */
const maxCounts = 100_000;

export const createFrequencyCounter = (lance: Lance, revisions: RevisionRegister): FrequencyCounter => {
  /** By index and tenant, the counts of terms. */
  let kept = new Map<string, { organizationId: string; counts: Map<string, number> }>();
  let keptCounts = 0;
  let generation = 0;
  const keyOf = (indexId: string, organizationId: string, partitionId: string | null): string =>
    JSON.stringify([indexId, organizationId, partitionId]);

  const countInTable = async (
    { table }: LiveIndex,
    tenant: Tenant,
    term: string,
    snippets: number,
  ): Promise<number> => {
    const snapshot = revisions.open();
    try {
      const hidden = snapshot.excluded();
      const where = allOf(visibleTo(tenant), hidden.length > 0 && `NOT (${isOneOf("revision", hidden)})`);
      if (term === everySnippet) return await table.count(where);
      const query = table.lance.query().fullTextSearch(new lance.MatchQuery(term, "terms"));
      return await table.countHits(query.where(where).select(["_score"]).limit(snippets));
    } finally {
      snapshot.close();
    }
  };

  const keep = (key: string, organizationId: string, term: string, count: number): void => {
    if (keptCounts >= maxCounts) {
      kept = new Map();
      keptCounts = 0;
    }
    const entry = kept.get(key) ?? { organizationId, counts: new Map<string, number>() };
    kept.set(key, entry);
    entry.counts.set(term, count);
    keptCounts += 1;
  };

  return {
    async count(index, tenant, terms) {
      const { organizationId, partitionId } = tenant;
      const key = keyOf(index.info.id, organizationId, partitionId);
      const one = async (term: string, snippets: number): Promise<number> => {
        const known = kept.get(key)?.counts.get(term);
        if (known !== undefined) return known;
        const counted = generation;
        const count = await countInTable(index, tenant, term, snippets);
        // Where documents changed meanwhile, the next one who asks counts again.
        if (counted === generation) keep(key, organizationId, term, count);
        return count;
      };
      const snippets = await one(everySnippet, 0);
      const distinct = [...new Set(terms)];
      const found = await Promise.all(
        distinct.map(async (term): Promise<[string, number]> => {
          const isTerm = snippets > 0 && term.trim() === term && term !== everySnippet;
          return [term, isTerm ? await one(term, snippets) : 0];
        }),
      );
      return { snippets, counts: new Map(found) };
    },
    keeps: (organizationId) => [...kept.values()].some((entry) => entry.organizationId === organizationId),
    forget(organizationId) {
      generation += 1;
      for (const [key, entry] of kept) if (entry.organizationId === organizationId) kept.delete(key);
      keptCounts = [...kept.values()].reduce((sum, { counts }) => sum + counts.size, 0);
    },
    change(indexIds, { organizationId, partitionId }, tally, sign) {
      generation += 1;
      for (const indexId of indexIds) {
        for (const owner of partitionId === null ? [null] : [null, partitionId]) {
          const counts = kept.get(keyOf(indexId, organizationId, owner))?.counts;
          if (counts === undefined) continue;
          for (const [term, occurrences] of tally) {
            const count = counts.get(term);
            if (count !== undefined) counts.set(term, count + sign * occurrences);
          }
        }
      }
    },
  };
};
