import { inParallel } from "../../async/in-parallel.ts";
import { createYielder } from "../../async/yield.ts";
import type { Tenant } from "../../domain/records.ts";
import { bm25, createTermCounter } from "../../text/bm25.ts";
import { wholeTenant } from "../contract/search.ts";
import type { Lance } from "../engine/lance.ts";
import type { RevisionSnapshot } from "../segments/revisions.ts";
import type { Means } from "./kept-counts.ts";
import { hasNearlyAll, type LiveIndex, type SnippetSegment } from "./live-indexes.ts";
import type { OverVisible } from "./mean-lengths.ts";
import type { FoundSnippet } from "./recent-snippets.ts";
import { unindexedIn } from "./search-unindexed.ts";
import { inTitle } from "./tally-terms.ts";

/** A question may have a hundred terms: those of others would wait behind all of them. */
const countedAtOnce = 4;

interface TermCounts {
  /** By key: the term, or `inTitle` of it. */
  counts: ReadonlyMap<string, number>;
  /** False where upkeep ended meanwhile: snippets that it indexed may have been counted twice. */
  areSure: boolean;
}

/** Snippets that may have been counted twice, as a part of all: so few more change no ranking. */
const maxTwice = 0.01;

/** With fewer snippets, counting the hits takes as long as the best one. */
const estimatedFrom = 25_000;
const { k1, b } = bm25;

interface Counted extends Pick<Means, "ofSegments"> {
  /** Of the tenant: more cannot contain a term. */
  readonly snippets: number;
}

/**
 * Counts the snippets that contain terms: by the indexes, and beside them those that no index holds. LanceDB reads each of
 * these for each term: ten terms took 1.7 s beside 15,000 of them, in which others' questions waited. In a large index
 * that is nearly all of one organization, the score of a term's best hit tells how many it has, but for 1 % in the median
 * (3.8 % in 95 of 100): all hits of a usual word of 100,000 snippets take 40 ms of CPU, and the best one 2 ms.
 * @param keys terms of texts, and `inTitle` of terms of names
 */
export const countTerms = async (
  lance: Lance,
  index: LiveIndex,
  tenant: Tenant,
  keys: readonly string[],
  counted: Counted,
  overVisible: OverVisible,
): Promise<TermCounts> =>
  overVisible(tenant, async (where, snapshot) => {
    const segments = index.segments.all();
    const count = createSegmentCounter(lance, tenant, keys, counted, { where, snapshot });
    const parts = await Promise.all(segments.map((segment) => count(segment, segments.length === 1)));
    const sum = (key: string): number => parts.reduce((total, { counts }) => total + (counts.get(key) ?? 0), 0);
    return { counts: new Map(keys.map((key) => [key, sum(key)])), areSure: parts.every(({ areSure }) => areSure) };
  });

/** Counts those of one segment; `isOnly`: it is the only one. */
const createSegmentCounter =
  (
    lance: Lance,
    tenant: Tenant,
    keys: readonly string[],
    { snippets, ofSegments }: Counted,
    { where, snapshot }: { where: string; snapshot: RevisionSnapshot },
  ) =>
  async (segment: SnippetSegment, isOnly: boolean): Promise<TermCounts> => {
    const { table } = segment;
    const before = segment.unindexed.standing(tenant.organizationId);
    const searched = keys.map((key) => key.trimStart());
    const unindexed = unindexedIn(segment, tenant, wholeTenant, snapshot, searched);
    const means = ofSegments?.get(segment);
    const ofTenant = isOnly ? snippets : (means?.snippets ?? 0);
    const isEstimated =
      means !== undefined &&
      tenant.partitionId === null &&
      ofTenant >= estimatedFrom &&
      (await hasNearlyAll(table, ofTenant));
    const indexed = ofTenant - (segment.unindexed.of(tenant.organizationId)?.length ?? 0);
    const search = (terms: string, column: string) => {
      const all = table.lance.query().fullTextSearch(new lance.MatchQuery(terms, column));
      if (isEstimated) return all.fastSearch();
      return (unindexed === null ? all : all.fastSearch()).where(where);
    };
    /** Whether the name of a document has one of the terms. */
    const occur = async (ofNames: readonly string[]): Promise<boolean> => {
      const any = search(ofNames.map((key) => key.trimStart()).join(" "), "titleTerms");
      return (await table.countHits(any.select(["_score"]).limit(1))) > 0;
    };
    const countHits = async (key: string): Promise<number> => {
      const column = key.startsWith(" ") ? "titleTerms" : "terms";
      const term = key.trimStart();
      const found = search(term, column);
      if (isEstimated) {
        const [best] = await table.run(found.select(["_score", column]).limit(1), (row) => ({
          score: row.number("_score"),
          terms: row.string(column).split(" "),
        }));
        return best === undefined ? 0 : countFromScore(term, best, means.columns[column], indexed);
      }
      return table.countHits(found.select(["_score"]).limit(snippets));
    };
    const late = await countUnindexed(unindexed ?? [], keys);
    // Names have few of the words that are asked for: one search tells that they have none.
    const ofNames = keys.filter((key) => key.startsWith(" "));
    const hasNames = ofNames.length < 2 || (await occur(ofNames));
    const asked = hasNames ? keys : keys.filter((key) => !key.startsWith(" "));
    const hits = await inParallel(asked, countedAtOnce, countHits);
    const ofIndex = new Map(asked.map((key, at) => [key, hits[at] ?? 0]));
    const counts = new Map(keys.map((key) => [key, (ofIndex.get(key) ?? 0) + (late.get(key) ?? 0)]));
    const after = segment.unindexed.standing(tenant.organizationId);
    const isSame = before !== null && before.upkeeps === after?.upkeeps;
    return { counts, areSure: unindexed === null || (isSame && before.indexedToo <= maxTwice * snippets) };
  };

/** Solves BM25 (see text/bm25.ts) of a snippet for the number of snippets that contain the term. */
export const countFromScore = (
  term: string,
  { score, terms }: { score: number; terms: readonly string[] },
  meanTerms: number,
  snippets: number,
): number => {
  const occurrences = terms.filter((one) => one === term).length;
  const norm = 1 - b + (b * terms.length) / Math.max(1, meanTerms);
  const rarity = (score * (occurrences + k1 * norm)) / (occurrences * (k1 + 1));
  const odds = Math.exp(rarity) - 1;
  return Math.min(snippets, Math.max(1, Math.round((snippets + 0.5 - 0.5 * odds) / (odds + 1))));
};

/** How many of the snippets contain each term. Other work has its turn meanwhile: there may be thousands. */
const countUnindexed = async (
  snippets: readonly FoundSnippet[],
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map(keys.map((key) => [key, 0]));
  const countsOf = createTermCounter(keys.map((key) => key.trimStart()));
  const add = (key: string): void => {
    const count = counts.get(key);
    if (count !== undefined) counts.set(key, count + 1);
  };
  const yieldTurn = createYielder();
  for (const { record } of snippets) {
    for (const term of countsOf(record.terms).keys()) add(term);
    for (const term of countsOf(record.titleTerms).keys()) add(inTitle(term));
    await yieldTurn();
  }
  return counts;
};
