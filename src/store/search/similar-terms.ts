import type { FullTextQuery } from "@lancedb/lancedb";
import type { SnippetRecord, Tenant } from "../../domain/records.ts";
import { similarTermsIn } from "../../text/spelling/similar-terms.ts";
import { wholeTenant } from "../contract/search.ts";
import type { Lance } from "../engine/lance.ts";
import { snippetsAt } from "./found-snippets.ts";
import type { FrequencyCounter } from "./frequencies.ts";
import type { LiveIndex } from "./live-indexes.ts";
import { countedTerms, tallyTerms } from "./tally-terms.ts";

interface SimilarTermsDependencies {
  lance: Lance;
  index: LiveIndex;
  frequencies: Pick<FrequencyCounter, "ofAllTerms">;
  /** Runs a search under the condition of a scope; its hits are of revisions that the view sees. */
  search(
    tenant: Tenant,
    scope: typeof wholeTenant,
    run: (where: string) => Promise<(SnippetRecord | null)[]>,
  ): Promise<SnippetRecord[]>;
}

/** Snippets that are read for similar terms where not all terms of the tenant are counted. */
const maxRead = 50;
/** LanceDB knows no swap of two letters: they are two changes to it. */
const fuzzy = { fuzziness: 2 };

/**
 * Finds the terms of a tenant's snippets and of their documents' names that a word may be a typing error of: among all its
 * terms where they are counted, else by the index alone, without the snippets that it does not hold yet.
 * @returns those with the fewest errors first, then those of most snippets
 */
export const createSimilarTerms = ({ lance, index, frequencies, search }: SimilarTermsDependencies) => {
  const { table } = index;
  const fuzzyQuery = (forms: readonly string[]): FullTextQuery =>
    new lance.BooleanQuery(
      ["terms", "titleTerms"].map((column) => [
        lance.Occur.Should,
        new lance.MatchQuery(forms.join(" "), column, fuzzy),
      ]),
    );
  const countedByIndex = async (tenant: Tenant, forms: readonly string[]): Promise<ReadonlyMap<string, number>> =>
    tallyTerms(
      await search(tenant, wholeTenant, async (where) => {
        const query = table.lance.query().fullTextSearch(fuzzyQuery(forms)).fastSearch().where(where);
        const best = query.select(["_score"]).withRowId().limit(maxRead);
        const found = await snippetsAt(index, await table.run(best, (row) => row.bigint("_rowid")));
        return found.map((snippet) => snippet?.record ?? null);
      }),
    );

  return async (tenant: Tenant, forms: readonly string[], errors: number): Promise<string[]> => {
    const counts = (await frequencies.ofAllTerms(index, tenant)) ?? (await countedByIndex(tenant, forms));
    return similarTermsIn(countedTerms(counts), forms, errors);
  };
};
