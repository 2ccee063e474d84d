import type { DocumentRecord, SnippetRecord, Tenant } from "../../domain/records.ts";
import type { SearchScope, SnippetHit, SnippetView } from "../contract/search.ts";
import type { RevisionSnapshot } from "../documents/revisions.ts";
import type { ScopeFilter } from "../documents/scope-filter.ts";
import type { RowReader } from "../engine/cells.ts";
import { allOf, equals } from "../engine/filters.ts";
import type { GenerationCache } from "../engine/generation-cache.ts";
import type { Lance } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { LiveVectorSet } from "../vectors/live-vector-sets.ts";
import { isZero } from "../vectors/vector-rows.ts";
import type { FrequencyCounter } from "./frequencies.ts";
import type { LiveIndex } from "./live-indexes.ts";
import { createModelVectors } from "./model-vectors.ts";
import { byChance, pickRandom } from "./random-sample.ts";
import { checkVector, decodeSnippet, snippetColumns } from "./snippet-rows.ts";
import { textQuery } from "./text-query.ts";
import { nearest } from "./vector-index.ts";
import { createScopeConditions, createVisibleSearch } from "./visible-search.ts";

export interface SnippetViewDependencies {
  lance: Lance;
  index: LiveIndex;
  /** The vector set that is searched. */
  vectorSet: LiveVectorSet | null;
  documents: StoreTable<DocumentRecord>;
  snapshot: RevisionSnapshot;
  scopes: ScopeFilter;
  frequencies: FrequencyCounter;
  counts: GenerationCache;
}

/** A view of one index. What it sees: documents/revisions.ts. */
export const createSnippetView = (dependencies: SnippetViewDependencies): SnippetView => {
  const { lance, index, vectorSet, documents, snapshot, scopes, frequencies, counts } = dependencies;
  const { table, info, recent } = index;
  const decoded = (row: RowReader): SnippetRecord => recent.get(row.bigint("_rowid"), () => decodeSnippet(row));

  const conditionOf = createScopeConditions(scopes);
  const { search, visible, close } = createVisibleSearch(snapshot);

  const model = createModelVectors({
    index,
    set: vectorSet,
    search: async (tenant, scope, run) => search(await conditionOf(tenant, scope), run),
    decode: decoded,
  });

  const unlimitedScope: SearchScope = { documentId: null, partitionId: null, metadata: null };

  /** Copies: a sample is kept for long, and the memory of a query with it. */
  const decodeSample = (row: RowReader): SnippetHit => ({
    ...decodeSnippet(row),
    textScore: null,
    vector: row.vector("vector")?.slice() ?? null,
    modelVector: null,
  });

  return {
    index: info,
    vectorSet: vectorSet?.info ?? null,
    async searchText(tenant, scope, terms, { limit, titleWeight, headingWeight }) {
      const query = textQuery(lance, terms, { titleWeight, headingWeight });
      if (query === null || limit < 1) return [];
      return search(await conditionOf(tenant, scope), (where) =>
        table.run(
          table.lance
            .query()
            .fullTextSearch(query)
            .where(where)
            .select([...snippetColumns, "vector", "_score"])
            .withRowId()
            .limit(limit),
          (row): SnippetHit => ({
            ...decoded(row),
            textScore: row.number("_score"),
            vector: row.vector("vector"),
            modelVector: null,
          }),
        ),
      );
    },
    async searchVectors(tenant, scope, vector, limit) {
      checkVector(vector, info.dimensions);
      if (limit < 1 || isZero(vector)) return []; // the cosine of a zero vector is undefined
      return search(await conditionOf(tenant, scope), (where) =>
        table.run(
          nearest(table.lance, vector, scope.documentId !== null)
            .where(where)
            .select([...snippetColumns, "vector", "_distance"])
            .withRowId()
            .limit(limit),
          (row): SnippetHit => ({ ...decoded(row), textScore: null, vector: row.vector("vector"), modelVector: null }),
        ),
      );
    },
    ...model,
    async sample(tenant, limit) {
      if (limit < 1) return [];
      const condition = await scopes.snippets(tenant, unlimitedScope);
      const chance = byChance(limit, await table.count(visible(condition)));
      const found = await search(condition, (where) =>
        table.scan([...snippetColumns, "vector"], { where: allOf(where, chance) }, decodeSample),
      );
      const hits = await model.addModelVectors(pickRandom(found, limit));
      return hits.map((hit) => ({ ...hit, modelVector: hit.modelVector?.slice() ?? null }));
    },
    async neighbors(tenant, documentId, from, to) {
      const scope: SearchScope = { documentId, partitionId: null, metadata: null };
      const range = `position >= ${Math.trunc(from)} AND position <= ${Math.trunc(to)}`;
      const found = await search(allOf(await scopes.snippets(tenant, scope), range), (where) =>
        table.scan(snippetColumns, { where }, decodeSnippet),
      );
      return found.sort((a, b) => a.position - b.position);
    },
    documentFrequencies: (tenant, terms) => frequencies.count(index, tenant, terms),
    count: (tenant, scope) =>
      counts.get(JSON.stringify([info.id, tenant, scope]), async () => {
        const [snippets, documentCount] = await Promise.all([
          conditionOf(tenant, scope).then((condition) => table.count(visible(condition))),
          countDocuments(documents, scopes, tenant, scope),
        ]);
        return { snippets, documents: documentCount };
      }),
    close,
  };
};

const countDocuments = async (
  documents: StoreTable<DocumentRecord>,
  scopes: ScopeFilter,
  tenant: Tenant,
  { metadata, documentId, partitionId }: SearchScope,
): Promise<number> =>
  documents.count(
    await scopes.documents(
      tenant,
      metadata,
      "revision IS NOT NULL",
      documentId !== null && equals("id", documentId),
      partitionId !== null && equals("partitionId", partitionId),
    ),
  );
