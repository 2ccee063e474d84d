import { createBreather } from "../../async/breathe.ts";
import { inParallel } from "../../async/in-parallel.ts";
import type { Tenant } from "../../domain/records.ts";
import { createTermCounter } from "../../text/count-term.ts";
import { wholeTenant } from "../contract/search.ts";
import type { Lance } from "../engine/lance.ts";
import type { LiveIndex } from "./live-indexes.ts";
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

/**
 * Counts the snippets that contain terms: by the indexes, and beside them those that no index holds. LanceDB reads each of
 * these for each term: ten terms took 1.7 s beside 15,000 of them, in which others' questions waited.
 * @param keys terms of texts, and `inTitle` of terms of names
 * @param snippets of the tenant: more cannot contain a term
 */
export const countTerms = async (
  lance: Lance,
  index: LiveIndex,
  tenant: Tenant,
  keys: readonly string[],
  snippets: number,
  overVisible: OverVisible,
): Promise<TermCounts> =>
  overVisible(tenant, async (where, snapshot) => {
    const before = index.unindexed.standing(tenant.organizationId);
    const unindexed = unindexedIn(index, tenant, wholeTenant, snapshot);
    const countHits = (key: string): Promise<number> => {
      const column = key.startsWith(" ") ? "titleTerms" : "terms";
      const all = index.table.lance.query().fullTextSearch(new lance.MatchQuery(key.trimStart(), column));
      const query = unindexed === null ? all : all.fastSearch();
      return index.table.countHits(query.where(where).select(["_score"]).limit(snippets));
    };
    const late = await countUnindexed(unindexed ?? [], keys);
    const indexed = await inParallel(keys, countedAtOnce, countHits);
    const counts = new Map(keys.map((key, at) => [key, (indexed[at] ?? 0) + (late.get(key) ?? 0)]));
    const after = index.unindexed.standing(tenant.organizationId);
    const isSame = before !== null && before.upkeeps === after?.upkeeps;
    return { counts, areSure: unindexed === null || (isSame && before.indexedToo <= maxTwice * snippets) };
  });

/** How many of the snippets contain each term. Other work has its turn meanwhile: there are up to 24,000. */
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
  const breathe = createBreather();
  for (const { record } of snippets) {
    for (const term of countsOf(record.terms).keys()) add(term);
    for (const term of countsOf(record.titleTerms).keys()) add(inTitle(term));
    await breathe();
  }
  return counts;
};
