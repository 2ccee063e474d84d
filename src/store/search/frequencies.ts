import type { Tenant } from "../../domain/records.ts";
import type { RevisionRegister } from "../documents/revisions.ts";
import { allOf, isNoneOf, visibleTo } from "../engine/filters.ts";
import type { Lance } from "../engine/lance.ts";
import type { LiveIndex } from "./live-indexes.ts";

/** How many snippets of a document each term occurs in; under `everySnippet`, how many snippets there are. */
export type TermTally = ReadonlyMap<string, number>;

/** No term is empty: a term is what stands between spaces. */
const everySnippet = "";

const tallySnippet = (tally: Map<string, number>, terms: string): void => {
  tally.set(everySnippet, (tally.get(everySnippet) ?? 0) + 1);
  for (const term of new Set(terms.split(" "))) {
    if (term !== everySnippet) tally.set(term, (tally.get(term) ?? 0) + 1);
  }
};

/** Tallies the terms of some snippets, each snippet once. */
export const tallyTerms = (termsOfSnippets: readonly string[]): TermTally => {
  const tally = new Map<string, number>([[everySnippet, 0]]);
  for (const terms of termsOfSnippets) tallySnippet(tally, terms);
  return tally;
};

/**
 * In how many snippets of a tenant terms occur. A term is counted in the table the first time somebody asks, and the
 * first question has all terms of a tenant that is not too large counted beside it; after that the counts are kept up
 * to date with every document that comes, changes and goes.
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
const maxCounts = 300_000;
/** Tenants with more snippets or terms have the terms counted that are asked for: all of them would take too long. */
const maxTalliedSnippets = 25_000;
const maxTalliedTerms = 100_000;
/** Where documents kept changing while all terms were counted, it is tried again after this. */
const restBetweenTalliesMs = 10_000;

interface KeptCounts {
  readonly organizationId: string;
  counts: Map<string, number>;
  /** Whether every term of the tenant is there: any other occurs nowhere. */
  isComplete: boolean;
  /** When all terms were last begun to be counted (`performance.now()`). */
  talliedAt: number;
}

export const createFrequencyCounter = (lance: Lance, revisions: RevisionRegister): FrequencyCounter => {
  /** By index and tenant, the counts of terms. */
  let kept = new Map<string, KeptCounts>();
  let keptCounts = 0;
  let generation = 0;
  const keyOf = (indexId: string, organizationId: string, partitionId: string | null): string =>
    JSON.stringify([indexId, organizationId, partitionId]);

  /** Runs a query over the snippets of a tenant that are visible now. */
  const overVisible = async <R>(tenant: Tenant, query: (where: string) => Promise<R>): Promise<R> => {
    const snapshot = revisions.open();
    try {
      return await query(allOf(visibleTo(tenant), isNoneOf("revision", snapshot.excluded())));
    } finally {
      snapshot.close();
    }
  };

  const countInTable = ({ table }: LiveIndex, tenant: Tenant, term: string, snippets: number): Promise<number> =>
    overVisible(tenant, async (where) => {
      if (term === everySnippet) return await table.count(where);
      const query = table.lance.query().fullTextSearch(new lance.MatchQuery(term, "terms"));
      return await table.countHits(query.where(where).select(["_score"]).limit(snippets));
    });

  const countKept = (): void => {
    keptCounts = [...kept.values()].reduce((sum, { counts }) => sum + counts.size, 0);
  };

  const dropWhereTooMany = (): void => {
    if (keptCounts < maxCounts) return;
    kept = new Map();
    keptCounts = 0;
  };

  const entryOf = (key: string, organizationId: string): KeptCounts => {
    dropWhereTooMany();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const entry = { organizationId, counts: new Map(), isComplete: false, talliedAt: Number.NEGATIVE_INFINITY };
    kept.set(key, entry);
    return entry;
  };

  const keep = (key: string, organizationId: string, term: string, count: number): void => {
    entryOf(key, organizationId).counts.set(term, count);
    keptCounts += 1;
  };

  /** Counts all terms of a tenant at once; to no effect where there are too many or documents change meanwhile. */
  const tallyAll = async (key: string, { table }: LiveIndex, tenant: Tenant): Promise<void> => {
    const entry = entryOf(key, tenant.organizationId);
    if (entry.isComplete || performance.now() - entry.talliedAt < restBetweenTalliesMs) return;
    entry.talliedAt = performance.now();
    const counted = generation;
    const tally = new Map<string, number>([[everySnippet, 0]]);
    await overVisible(tenant, (where) =>
      table.visit(["terms"], where, (row) => {
        tallySnippet(tally, row.string("terms"));
        return counted === generation && tally.size <= maxTalliedTerms;
      }),
    );
    if (tally.size > maxTalliedTerms) entry.talliedAt = Number.POSITIVE_INFINITY;
    else if (counted === generation && kept.get(key) === entry) {
      entry.counts = tally;
      entry.isComplete = true;
      countKept();
    }
  };

  return {
    async count(index, tenant, terms) {
      const { organizationId, partitionId } = tenant;
      const key = keyOf(index.info.id, organizationId, partitionId);
      const one = async (term: string, snippets: number): Promise<number> => {
        const entry = kept.get(key);
        const known = entry?.counts.get(term) ?? (entry?.isComplete ? 0 : undefined);
        if (known !== undefined) return known;
        const counted = generation;
        const count = await countInTable(index, tenant, term, snippets);
        // Where documents changed meanwhile, the next one who asks counts again.
        if (counted === generation) keep(key, organizationId, term, count);
        return count;
      };
      const snippets = await one(everySnippet, 0);
      // A failure of the table is met, and told, by whoever asks next.
      if (snippets <= maxTalliedSnippets) void tallyAll(key, index, tenant).catch(() => undefined);
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
      countKept();
    },
    change(indexIds, { organizationId, partitionId }, tally, sign) {
      generation += 1;
      for (const indexId of indexIds) {
        for (const owner of partitionId === null ? [null] : [null, partitionId]) {
          const entry = kept.get(keyOf(indexId, organizationId, owner));
          if (entry === undefined) continue;
          for (const [term, occurrences] of tally) {
            const count = entry.counts.get(term);
            if (count === undefined && !entry.isComplete) continue;
            if (count === undefined) keptCounts += 1;
            entry.counts.set(term, (count ?? 0) + sign * occurrences);
          }
        }
      }
      // Documents bring new terms without anybody asking.
      dropWhereTooMany();
    },
  };
};
