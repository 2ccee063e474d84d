import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import { ownText } from "../../text/own-text.ts";
import type { TermFrequencies } from "../contract/search.ts";
import type { RevisionRegister } from "../documents/revisions.ts";
import { allOf, isNoneOf, visibleTo } from "../engine/filters.ts";
import type { Lance } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { createKeptCounts, type TenantCounts } from "./kept-counts.ts";
import type { LiveIndex } from "./live-indexes.ts";
import { meanLengths, type OverVisible } from "./mean-lengths.ts";
import {
  countedColumns,
  everyDocument,
  everySnippet,
  inTitle,
  readCountedFields,
  type TermTally,
  tallySnippet,
} from "./tally-terms.ts";

/**
 * Counts the snippets of a tenant that contain a term, and how long its snippets are. A term is counted in the table at
 * its first query; the first query of a tenant that is not too large also counts all its terms in the background. Every
 * change of a document then updates the counts.
 */
export interface FrequencyCounter {
  count(index: LiveIndex, tenant: Tenant, terms: readonly string[]): Promise<TermFrequencies>;
  /** The number of the tenant's documents and of their snippets. */
  totals(index: LiveIndex, tenant: Tenant): Promise<{ snippets: number; documents: number }>;
  /** What is counted of an organization, so that `change` must be called with it. */
  keeps(organizationId: string): "nothing" | "totals" | "terms";
  /** Drops the counts of an organization: a change was not counted. */
  forget(organizationId: string): void;
  /** Snippets became visible (+1) or invisible (-1), at this moment. */
  change(
    indexIds: readonly string[],
    owner: { organizationId: string; partitionId: string | null },
    tally: TermTally,
    sign: 1 | -1,
  ): void;
}

/** For tenants with more snippets or terms, only the terms of queries are counted: all would take too long. */
const maxTalliedSnippets = 25_000;
const maxTalliedTerms = 100_000;
/** If documents changed while all terms were counted, the next attempt waits this long. */
const tallyPauseMs = 10_000;

const keyOf = (indexId: string, organizationId: string, partitionId: string | null): string =>
  JSON.stringify([indexId, organizationId, partitionId]);

export const createFrequencyCounter = (
  lance: Lance,
  revisions: RevisionRegister,
  documents: Pick<StoreTable<DocumentRecord>, "count">,
): FrequencyCounter => {
  const kept = createKeptCounts();

  const overVisible: OverVisible = async (tenant, query) => {
    const snapshot = revisions.open();
    try {
      return await query(allOf(visibleTo(tenant), isNoneOf("revision", snapshot.excluded())));
    } finally {
      snapshot.close();
    }
  };

  const countDocuments = (tenant: Tenant): Promise<number> =>
    documents.count(allOf(visibleTo(tenant), "revision IS NOT NULL"));

  const countInTable = ({ table }: LiveIndex, tenant: Tenant, term: string, snippets: number): Promise<number> =>
    overVisible(tenant, async (where) => {
      if (term === everySnippet) return await table.count(where);
      if (term === everyDocument) return await countDocuments(tenant);
      const column = term.startsWith(" ") ? "titleTerms" : "terms";
      const query = table.lance.query().fullTextSearch(new lance.MatchQuery(term.trimStart(), column));
      return await table.countHits(query.where(where).select(["_score"]).limit(snippets));
    });

  /** Counts all terms of a tenant at once. No effect if there are too many, or documents change meanwhile. */
  const tallyAll = async (key: string, { table }: LiveIndex, tenant: Tenant): Promise<void> => {
    const entry = kept.entry(key, tenant.organizationId);
    if (entry.isComplete || performance.now() - entry.talliedAt < tallyPauseMs) return;
    entry.talliedAt = performance.now();
    const { changes } = entry;
    const tally = new Map<string, number>([
      [everyDocument, await countDocuments(tenant)],
      [everySnippet, 0],
    ]);
    await overVisible(tenant, (where) =>
      table.visit(countedColumns, where, (row) => {
        tallySnippet(tally, readCountedFields(row), ownText);
        return !kept.hasChanged(key, entry, changes) && tally.size <= maxTalliedTerms;
      }),
    );
    if (tally.size > maxTalliedTerms) entry.talliedAt = Number.POSITIVE_INFINITY;
    else if (!kept.hasChanged(key, entry, changes)) kept.complete(entry, tally);
  };

  /** @param snippets of the tenant: more cannot contain the term */
  const countKept = async (index: LiveIndex, tenant: Tenant, term: string, snippets: number): Promise<number> => {
    const key = keyOf(index.info.id, tenant.organizationId, tenant.partitionId);
    const known = kept.find(key, term);
    if (known !== undefined) return known;
    const entry = kept.entry(key, tenant.organizationId);
    const { changes } = entry;
    const count = await countInTable(index, tenant, term, snippets);
    // If documents of the tenant changed meanwhile, the next query counts again.
    if (!kept.hasChanged(key, entry, changes)) kept.keep(entry, term, count);
    return count;
  };

  return {
    async count(index, tenant, terms) {
      const key = keyOf(index.info.id, tenant.organizationId, tenant.partitionId);
      const one = (term: string, snippets: number): Promise<number> => countKept(index, tenant, term, snippets);
      const snippets = await one(everySnippet, 0);
      // The next query of the table reports the error.
      if (snippets <= maxTalliedSnippets) void tallyAll(key, index, tenant).catch(() => undefined);
      const distinct = [...new Set(terms)];
      const countAll = async (keyOfTerm: (term: string) => string): Promise<Map<string, number>> => {
        const found = distinct.map(async (term): Promise<[string, number]> => {
          const isTerm = snippets > 0 && term.trim() === term && term !== everySnippet;
          return [term, isTerm ? await one(keyOfTerm(term), snippets) : 0];
        });
        return new Map(await Promise.all(found));
      };
      const [counts, titles, lengths] = await Promise.all([
        countAll((term) => term),
        countAll(inTitle),
        meanLengths(index, tenant, snippets, kept.entry(key, tenant.organizationId), overVisible),
      ]);
      return { snippets, counts, titles, lengths };
    },
    async totals(index, tenant) {
      const [snippets, documentCount] = await Promise.all([
        countKept(index, tenant, everySnippet, 0),
        countKept(index, tenant, everyDocument, 0),
      ]);
      return { snippets, documents: documentCount };
    },
    keeps(organizationId) {
      const isAnother = (key: string): boolean => key !== everySnippet && key !== everyDocument;
      // Two keys at most are passed over before another one is found.
      const hasTerms = ({ isComplete, counts }: TenantCounts): boolean => isComplete || counts.keys().some(isAnother);
      if (kept.some(organizationId, hasTerms)) return "terms";
      return kept.some(organizationId, () => true) ? "totals" : "nothing";
    },
    forget: kept.forget,
    change(indexIds, { organizationId, partitionId }, tally, sign) {
      // A document in a partition counts for keys of that partition, and for those of the whole organization.
      const partitions = partitionId === null ? [null] : [null, partitionId];
      const keys = indexIds.flatMap((indexId) => partitions.map((id) => keyOf(indexId, organizationId, id)));
      kept.change(keys, tally, sign);
    },
  };
};
