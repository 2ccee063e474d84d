import type { FullTextQuery } from "@lancedb/lancedb";
import type { SnippetRecord, Tenant } from "../../domain/records.ts";
import { similarTermsIn } from "../../text/spelling.ts";
import { wholeTenant } from "../contract/search.ts";
import type { Lance } from "../engine/lance.ts";
import { createSharedRead, readPlaces } from "./found-snippets.ts";
import type { FrequencyCounter } from "./frequencies.ts";
import type { LiveIndex } from "./live-indexes.ts";
import { countedTerms, tallyTerms } from "./tally-terms.ts";
import { bestOfSegments, decodeScored } from "./text-query.ts";

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

/** Words that are looked up with so many changes to a letter. */
interface FuzzyWords {
  readonly words: readonly string[];
  readonly changes: 0 | 1 | 2;
}

/** As many as a term has bytes at most (text/analysis/term.ts): from some 50 on LanceDB fails, as its automaton grows too large. */
const maxCharacters = 40;

/** LanceDB knows no swap of two letters: they are two changes to it. */
const withSwaps = (form: string): string[] =>
  Array.from(
    { length: Math.max(0, form.length - 2) },
    (_, at) => form.slice(0, at + 1) + form.charAt(at + 2) + form.charAt(at + 1) + form.slice(at + 3),
  );

interface Attempt {
  readonly looked: readonly FuzzyWords[];
  /** That a term may have that is taken from what is found. */
  readonly errors: number;
}

/**
 * What is looked up, until similar terms are found: those with one error first. With two changes LanceDB reads the snippets
 * of many more terms, which takes 16 ms of CPU in 100,000 snippets, where one takes 3; and it stops at the first 50 terms of
 * the alphabet, which may be others than the nearest.
 */
const attemptsFor = (forms: readonly string[], errors: number): Attempt[] => {
  const ofOneError: FuzzyWords[] = [
    { words: forms, changes: 1 },
    { words: forms.flatMap(withSwaps), changes: 0 },
  ];
  const one = { looked: ofOneError, errors: Math.min(1, errors) };
  const two = { looked: [{ words: forms, changes: 2 } as const], errors };
  // Signs that a code lacks are not counted as errors.
  if (forms.some((form) => /\p{N}/u.test(form))) return [two];
  return errors > 1 ? [one, two] : [one];
};

/**
 * Finds the terms of a tenant's snippets and of their documents' names that a word may be a typing error of: among all its
 * terms where they are counted, else by the index alone, without the snippets that it does not hold yet.
 * @returns those with the fewest errors first, then those of most snippets
 */
export const createSimilarTerms = ({ lance, index, frequencies, search }: SimilarTermsDependencies) => {
  /** One query for each column: both in a BooleanQuery took twice the time. */
  const queriesOf = (looked: readonly FuzzyWords[]): FullTextQuery[] =>
    looked
      .filter(({ words }) => words.length > 0)
      .flatMap(({ words, changes }) =>
        ["terms", "titleTerms"].map((column) => new lance.MatchQuery(words.join(" "), column, { fuzziness: changes })),
      );
  const countedByIndex = async (tenant: Tenant, looked: readonly FuzzyWords[]): Promise<ReadonlyMap<string, number>> =>
    tallyTerms(
      await search(tenant, wholeTenant, async (where) => {
        const searched = index.segments.all();
        const lists = Promise.all(
          searched.map(({ table }) =>
            Promise.all(
              queriesOf(looked).map((query) => {
                const all = table.lance.query().fullTextSearch(query).fastSearch().where(where);
                return table.run(all.select(["_score"]).withRowId().limit(maxRead), decodeScored);
              }),
            ),
          ),
        );
        const best = lists.then((found) => bestOfSegments(found, maxRead));
        return (await readPlaces(searched.map(createSharedRead), best)).map((snippet) => snippet?.record ?? null);
      }),
    );

  return async (tenant: Tenant, forms: readonly string[], errors: number): Promise<string[]> => {
    const all = await frequencies.ofAllTerms(index, tenant);
    if (all !== null) return similarTermsIn(countedTerms(all), forms, errors);
    const short = forms.filter(({ length }) => length <= maxCharacters);
    for (const { looked, errors: most } of short.length === 0 ? [] : attemptsFor(short, errors)) {
      const found = await similarTermsIn(countedTerms(await countedByIndex(tenant, looked)), short, most);
      if (found.length > 0) return found;
    }
    return [];
  };
};
