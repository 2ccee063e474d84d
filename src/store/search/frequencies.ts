import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import { memoryLimit } from "../../system/memory-limit.ts";
import type { TermFrequencies } from "../contract/search.ts";
import { allOf, isNoneOf, visibleTo } from "../engine/filters.ts";
import type { Lance } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { RevisionRegister } from "../segments/revisions.ts";
import { countTerms } from "./count-terms.ts";
import { createKeptCounts, type KeptCounts, type Means, type TenantCounts } from "./kept-counts.ts";
import type { LiveIndex } from "./live-indexes.ts";
import { meanLengths, type OverVisible } from "./mean-lengths.ts";
import {
  countedColumns,
  createTally,
  everyDocument,
  everySnippet,
  inTitle,
  readCountedFields,
  type TermTally,
} from "./tally-terms.ts";

/**
 * Counts the snippets of a tenant that contain a term, and how long its snippets are. A term is counted in the table at
 * its first query; the first query of a tenant also counts all its terms in the background, unless they are too many: of a
 * million snippets that takes some 10 s of CPU once, and saves each question that has new words 10 ms for each table of
 * the index. Every change of a document then updates the counts.
 */
export interface FrequencyCounter {
  count(index: LiveIndex, tenant: Tenant, terms: readonly string[]): Promise<TermFrequencies>;
  /**
   * The number of snippets that contain each term of the tenant; null where there are too many terms to count all. The first
   * time it waits until they are counted, if the snippets are not many.
   * @returns by term, and under `inTitle` of a term of a name; under other keys what is no term (tally-terms.ts)
   */
  ofAllTerms(index: LiveIndex, tenant: Tenant): Promise<ReadonlyMap<string, number> | null>;
  /** Whether the name of a document of the tenant may have a term: false where it is known that none has. */
  mayBeInName(index: LiveIndex, tenant: Tenant): (term: string) => boolean;
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

/** This part of the memory is for counts, some 150 bytes each, and no less than for so many. */
const partOfMemory = 1 / 64;
const bytesOfCount = 150;
const leastCounts = 750_000;

/** Counts that are kept, and of these the terms of one tenant: of one with more, only the terms of queries are counted. */
export interface CountLimits {
  counts: number;
  ofTenant: number;
}

/** @param memoryBytes that the process may use */
export const countLimits = (memoryBytes: number): CountLimits => {
  const counts = Math.max(leastCounts, Math.round((memoryBytes * partOfMemory) / bytesOfCount));
  return { counts, ofTenant: Math.round(counts / 2) };
};

/** Questions wait until all terms of so many are counted, where they need them; of more, they do without. */
const maxAwaited = 25_000;
/** If it failed, or there is no room for it, the next attempt waits this long. */
const tallyPauseMs = 10_000;
/** If documents changed while those of the tenant were counted, they are counted again. */
const maxCountings = 5;

const keyOf = (indexId: string, organizationId: string, partitionId: string | null): string =>
  JSON.stringify([indexId, organizationId, partitionId]);

/** Under what a document is counted: a document in a partition counts for keys of that partition, and for those of the whole organization. */
export const frequencyKeys = (
  indexIds: readonly string[],
  { organizationId, partitionId }: { organizationId: string; partitionId: string | null },
): string[] => {
  const partitions = partitionId === null ? [null] : [null, partitionId];
  return indexIds.flatMap((indexId) => partitions.map((id) => keyOf(indexId, organizationId, id)));
};

/** @param kept the counts so far; none unless given */
export const createFrequencyCounter = (
  lance: Lance,
  revisions: RevisionRegister,
  documents: Pick<StoreTable<DocumentRecord>, "count">,
  limits: CountLimits = countLimits(memoryLimit()),
  kept: KeptCounts = createKeptCounts(limits.counts),
): FrequencyCounter => {
  const overVisible: OverVisible = async (tenant, query) => {
    const snapshot = revisions.open();
    try {
      return await query(allOf(visibleTo(tenant), isNoneOf("revision", snapshot.excluded())), snapshot);
    } finally {
      snapshot.close();
    }
  };

  const countDocuments = (tenant: Tenant): Promise<number> =>
    documents.count(allOf(visibleTo(tenant), "revision IS NOT NULL"));

  /** Counts the documents of a tenant. @returns null if some were changing meanwhile, again and again */
  const countStillDocuments = async (key: string, entry: TenantCounts, tenant: Tenant): Promise<number | null> => {
    for (let countings = 0; countings < maxCountings; countings += 1) {
      const { changes } = entry;
      const count = await countDocuments(tenant);
      if (!kept.hasChanged(key, entry, changes)) return count;
    }
    return null;
  };

  /**
   * Counts all terms of a tenant at once, as they are at one moment, and adds what changes from then on. No effect if there
   * are too many.
   */
  const tallyTerms = async (key: string, { segments }: LiveIndex, tenant: Tenant): Promise<void> => {
    const entry = kept.entry(key, tenant.organizationId);
    if (entry.isComplete || performance.now() - entry.talliedAt < tallyPauseMs) return;
    entry.talliedAt = performance.now();
    if (!kept.hasRoom(limits.ofTenant)) return;
    const documentCount = await countStillDocuments(key, entry, tenant);
    if (documentCount === null) return;
    const tally = createTally();
    const isWanted = (): boolean => kept.isCurrent(key, entry) && tally.size <= limits.ofTenant;
    entry.sinceTally = new Map();
    try {
      await overVisible(tenant, (where, snapshot) =>
        segments.visit([...countedColumns, "revision"], where, (row) => {
          if (snapshot.sees(row.string("revision"))) tally.add(readCountedFields(row));
          return isWanted();
        }),
      );
      const counts = isWanted() ? await tally.countsInTurns(documentCount) : null;
      if (counts !== null && isWanted()) kept.complete(entry, counts);
      else if (tally.size > limits.ofTenant) entry.talliedAt = Number.POSITIVE_INFINITY;
    } finally {
      entry.sinceTally = null;
    }
  };

  const tallies = new Map<string, Promise<void>>();
  const tallyAll = (key: string, index: LiveIndex, tenant: Tenant): Promise<void> => {
    const tally = tallies.get(key) ?? tallyTerms(key, index, tenant).finally(() => tallies.delete(key));
    tallies.set(key, tally);
    return tally;
  };

  /** The number of snippets or documents. */
  const countAll = async (
    index: LiveIndex,
    tenant: Tenant,
    what: typeof everySnippet | typeof everyDocument,
  ): Promise<number> => {
    const key = keyOf(index.info.id, tenant.organizationId, tenant.partitionId);
    const known = kept.find(key, what);
    if (known !== undefined) return known;
    const entry = kept.entry(key, tenant.organizationId);
    const { changes } = entry;
    const count =
      what === everyDocument
        ? await countDocuments(tenant)
        : await overVisible(tenant, (where) => index.segments.count(where));
    // If documents of the tenant changed meanwhile, the next query counts again.
    if (!kept.hasChanged(key, entry, changes)) kept.keep(entry, what, count);
    return count;
  };

  /** @param keys those of the terms that are not kept */
  const countMissing = async (
    index: LiveIndex,
    tenant: Tenant,
    keys: readonly string[],
    snippets: number,
    { ofSegments }: Means,
  ): Promise<ReadonlyMap<string, number>> => {
    const key = keyOf(index.info.id, tenant.organizationId, tenant.partitionId);
    const entry = kept.entry(key, tenant.organizationId);
    const { changes } = entry;
    const { counts, areSure } = await countTerms(lance, index, tenant, keys, { snippets, ofSegments }, overVisible);
    // Meanwhile all may have been counted, and these may be estimates.
    if (areSure && !entry.isComplete && !kept.hasChanged(key, entry, changes))
      for (const [term, count] of counts) kept.keep(entry, term, count);
    return counts;
  };

  /** The terms of a question are asked for twice at the same time, by its search and by its evidence. */
  const underWay = new Map<string, Promise<ReadonlyMap<string, number>>>();
  const countMissingOnce: typeof countMissing = (index, tenant, keys, snippets, means) => {
    const name = JSON.stringify([index.info.id, tenant, keys]);
    const known = underWay.get(name);
    if (known !== undefined) return known;
    const counting = countMissing(index, tenant, keys, snippets, means).finally(() => underWay.delete(name));
    underWay.set(name, counting);
    return counting;
  };

  return {
    async count(index, tenant, terms) {
      const key = keyOf(index.info.id, tenant.organizationId, tenant.partitionId);
      const snippets = await countAll(index, tenant, everySnippet);
      // The next query of the table reports the error.
      void tallyAll(key, index, tenant).catch(() => undefined);
      const distinct = [...new Set(terms)];
      const isTerm = (term: string): boolean => snippets > 0 && term.trim() === term && term !== everySnippet;
      const keys = distinct.filter(isTerm).flatMap((term) => [term, inTitle(term)]);
      const known = new Map(keys.map((each) => [each, kept.find(key, each)]));
      const missing = keys.filter((each) => known.get(each) === undefined);
      const entry = kept.entry(key, tenant.organizationId);
      const means = await meanLengths(index, tenant, snippets, entry, overVisible);
      const counted =
        missing.length === 0
          ? new Map<string, number>()
          : await countMissingOnce(index, tenant, missing, snippets, means);
      const countOf = (each: string): number => known.get(each) ?? counted.get(each) ?? 0;
      return {
        snippets,
        counts: new Map(distinct.map((term) => [term, countOf(term)])),
        titles: new Map(distinct.map((term) => [term, countOf(inTitle(term))])),
        lengths: means.lengths,
      };
    },
    async ofAllTerms(index, tenant) {
      const key = keyOf(index.info.id, tenant.organizationId, tenant.partitionId);
      const isSmall = (await countAll(index, tenant, everySnippet)) <= maxAwaited;
      // The next query of the table reports the error.
      if (isSmall) await tallyAll(key, index, tenant).catch(() => undefined);
      return kept.all(key);
    },
    mayBeInName(index, tenant) {
      const key = keyOf(index.info.id, tenant.organizationId, tenant.partitionId);
      return (term) => kept.find(key, inTitle(term)) !== 0;
    },
    async totals(index, tenant) {
      const [snippets, documentCount] = await Promise.all([
        countAll(index, tenant, everySnippet),
        countAll(index, tenant, everyDocument),
      ]);
      return { snippets, documents: documentCount };
    },
    keeps(organizationId) {
      const isAnother = (key: string): boolean => key !== everySnippet && key !== everyDocument;
      // Two keys at most are passed over before another one is found.
      const hasTerms = ({ isComplete, sinceTally, counts }: TenantCounts): boolean =>
        isComplete || sinceTally !== null || counts.keys().some(isAnother);
      if (kept.some(organizationId, hasTerms)) return "terms";
      return kept.some(organizationId, () => true) ? "totals" : "nothing";
    },
    forget: kept.forget,
    change(indexIds, owner, tally, sign) {
      kept.change(frequencyKeys(indexIds, owner), tally, sign);
    },
  };
};
