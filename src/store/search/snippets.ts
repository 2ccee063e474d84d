import type { FullTextQuery } from "@lancedb/lancedb";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import { type SearchScope, type SnippetHit, type SnippetView, wholeTenant } from "../contract/search.ts";
import type { RowReader } from "../engine/cells.ts";
import { allOf, equals, isNoneOf } from "../engine/filters.ts";
import type { GenerationCache } from "../engine/generation-cache.ts";
import type { Lance } from "../engine/lance.ts";
import type { StoreTable } from "../engine/store-table.ts";
import type { RevisionSnapshot } from "../segments/revisions.ts";
import {
  createSharedRead,
  foundColumns,
  nearestOf,
  nearestSnippets,
  readPlaces,
  type SharedRead,
} from "./found-snippets.ts";
import type { FrequencyCounter } from "./frequencies.ts";
import type { LiveVectorSet } from "./live-indexes.ts";
import { hasNearlyAll, type LiveIndex, type SnippetSegment } from "./live-indexes.ts";
import { byChance, pickByText } from "./mean-lengths.ts";
import { createModelVectors } from "./model-vectors.ts";
import type { FoundSnippet } from "./recent-snippets.ts";
import type { ScopeFilter } from "./scope-filter.ts";
import { mergeByText, unindexedIn, withTerms } from "./search-unindexed.ts";
import { createSimilarTerms } from "./similar-terms.ts";
import { checkVector, decodeSnippet, isZero, snippetColumns } from "./snippet-rows.ts";
import { bestOfSegments, decodeScored, textQueries } from "./text-query.ts";

interface DocumentRow extends FoundSnippet {
  readonly revision: string;
}

/** The vector is copied: it is kept as long as the view. */
const decodeDocumentRow = (row: RowReader): DocumentRow => {
  const record = decodeSnippet(row);
  return { revision: record.revision, record, vector: row.vector("vector")?.slice() ?? null };
};

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

/** How often a search is repeated because a new revision was written while it ran. */
const maxRepeats = 3;

/**
 * A document of so few snippets is read as a whole, once for the full text and the vectors of a question: that takes half of
 * the CPU of searching it. No search returns fewer.
 */
const wholeDocument = 100;

/** Whether it leaves out nothing of what a tenant may see. */
const isUnlimited = ({ documentId, partitionId, metadata }: SearchScope): boolean =>
  documentId === null && partitionId === null && metadata === null;

/** A view of one index. What it sees: segments/revisions.ts. */
export const createSnippetView = (dependencies: SnippetViewDependencies): SnippetView => {
  const { lance, index, vectorSet, documents, snapshot, scopes, frequencies, counts } = dependencies;
  const { segments, info } = index;
  /** Of a question's full text and vectors. */
  const reads = new Map<SnippetSegment, SharedRead>();
  const sharedOf = (segment: SnippetSegment): SharedRead => {
    const shared = reads.get(segment) ?? createSharedRead(segment);
    reads.set(segment, shared);
    return shared;
  };
  let closed = false;

  /** The condition of a scope is made once: text search, vector search and count use the same one. */
  const conditions = new WeakMap<SearchScope, { tenant: Tenant; condition: Promise<string> }>();
  const conditionOf = (tenant: Tenant, scope: SearchScope): Promise<string> => {
    const known = conditions.get(scope);
    if (known?.tenant === tenant) return known.condition;
    const condition = scopes.snippets(tenant, scope);
    conditions.set(scope, { tenant, condition });
    return condition;
  };

  /** All rows of a document are in one segment, or in two while it is replaced. */
  const searchedIn = async ({ documentId }: SearchScope): Promise<readonly SnippetSegment[]> =>
    documentId === null ? segments.all() : segments.holding("documentId", [documentId]);

  /** Those that have a document's rows in one read; null where it has too many of them. */
  const documentRows = new WeakMap<SearchScope, { tenant: Tenant; rows: Promise<DocumentRow[] | null> }>();
  const readDocument = async (tenant: Tenant, scope: SearchScope): Promise<DocumentRow[] | null> => {
    const condition = await conditionOf(tenant, scope);
    if ((await segments.count(visible(condition))) > wholeDocument) return null;
    return search(condition, (where) => segments.scan(foundColumns, where, decodeDocumentRow));
  };
  /** Null where the scope is not one document, or it has too many rows. */
  const rowsOfDocument = (tenant: Tenant, scope: SearchScope, limit: number): Promise<DocumentRow[] | null> => {
    if (scope.documentId === null || limit < wholeDocument) return Promise.resolve(null);
    const known = documentRows.get(scope);
    if (known?.tenant === tenant) return known.rows;
    const rows = readDocument(tenant, scope);
    documentRows.set(scope, { tenant, rows });
    return rows;
  };

  const excluded = () => isNoneOf("revision", snapshot.excluded());
  const visible = (condition: string): string => allOf(condition, excluded());

  /** Repeats a search until all its hits are there (null: see `snippetsAt`) and of revisions that this view sees. */
  const repeat = async <T extends { revision: string }>(run: () => Promise<(T | null)[]>): Promise<T[]> => {
    if (closed) throw new Error("the view is closed");
    for (let repeats = 0; ; repeats += 1) {
      const found = await run();
      const seen = found.filter((hit): hit is T => hit !== null && snapshot.sees(hit.revision));
      if (seen.length === found.length || repeats === maxRepeats) return seen;
    }
  };

  const search = <T extends { revision: string }>(
    condition: string,
    run: (where: string) => Promise<(T | null)[]>,
  ): Promise<T[]> => repeat(() => run(visible(condition)));

  const searchIn = async <T extends { revision: string }>(
    tenant: Tenant,
    scope: SearchScope,
    run: (where: string) => Promise<(T | null)[]>,
  ): Promise<T[]> => search(await conditionOf(tenant, scope), run);
  /**
   * Searches for the best rows of a scope. Where one organization has nearly all rows, others' are left out of what was
   * found: a condition that nearly every row meets makes a search take two to four times as long.
   */
  const searchBest = async (
    tenant: Tenant,
    scope: SearchScope,
    limit: number,
    run: (where: string | null) => Promise<(SnippetHit | null)[]>,
  ): Promise<SnippetHit[]> => {
    const isWhole = tenant.partitionId === null && isUnlimited(scope);
    if (isWhole && (await hasNearlyAll(segments, (await frequencies.totals(index, tenant)).snippets))) {
      const found = await repeat(() => run(excluded() || null));
      const own = found.filter(({ organizationId }) => organizationId === tenant.organizationId);
      if (own.length === found.length || own.length >= limit / 2) return own;
    }
    return search(await conditionOf(tenant, scope), run);
  };
  const model = createModelVectors({ index, set: vectorSet, search: searchIn });

  const hitOf = (snippet: FoundSnippet | null, textScore: number | null): SnippetHit | null =>
    snippet === null ? null : { ...snippet.record, textScore, vector: snippet.vector, modelVector: null };

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
    async searchText(tenant, scope, terms, { limit, ...weights }) {
      const queries = textQueries(lance, terms, weights, frequencies.mayBeInName(index, tenant));
      if (queries.length === 0 || limit < 1) return [];
      const asked = terms.map(({ term }) => term);
      const ofDocument = await rowsOfDocument(tenant, scope, limit);
      if (ofDocument !== null) {
        const counted = await frequencies.count(index, tenant, asked);
        const having = await withTerms(ofDocument, terms, weights);
        const merged = await mergeByText([], having, { terms, counted, weights, limit });
        return merged.flatMap(({ snippet, score }) => hitOf(snippet, score) ?? []);
      }
      return searchBest(tenant, scope, limit, async (where) => {
        const searched = (await searchedIn(scope)).map((segment) => {
          const { table } = segment;
          // Taken before the search begins: what is indexed meanwhile is found twice, and not missed.
          const unindexed = unindexedIn(segment, tenant, scope, snapshot, asked);
          const bestOf = (query: FullTextQuery) => {
            const all = table.lance.query().fullTextSearch(query);
            const best = (unindexed === null ? all : all.fastSearch()).select(["_score"]).withRowId();
            if (where !== null) best.where(where);
            return table.run(best.limit(limit), decodeScored);
          };
          const lists = Promise.all(queries.map(bestOf));
          return { shared: sharedOf(segment), lists, unindexed };
        });
        const counting = withTerms(
          searched.flatMap(({ unindexed }) => unindexed ?? []),
          terms,
          weights,
        );
        const found = Promise.all([Promise.all(searched.map(({ lists }) => lists)), counting]).then(([lists]) =>
          bestOfSegments(lists, limit),
        );
        const snippets = await readPlaces(
          searched.map(({ shared }) => shared),
          found,
        );
        const late = await counting;
        if (late.length === 0) return (await found).map(({ score }, at) => hitOf(snippets[at] ?? null, score));
        const counted = await frequencies.count(index, tenant, asked);
        const merged = await mergeByText(snippets, late, { terms, counted, weights, limit });
        return merged.map(({ snippet, score }) => hitOf(snippet, score));
      });
    },
    async searchVectors(tenant, scope, vector, limit) {
      checkVector(vector, info.dimensions);
      if (limit < 1 || isZero(vector)) return []; // the cosine of a zero vector is undefined
      const ofDocument = await rowsOfDocument(tenant, scope, limit);
      if (ofDocument !== null)
        return nearestOf(ofDocument, vector, limit).flatMap((snippet) => hitOf(snippet, null) ?? []);
      const isExact = scope.documentId !== null;
      return searchBest(tenant, scope, limit, async (where) => {
        const searched = (await searchedIn(scope)).map((segment) => {
          const byCodes = !isExact && segment.hasVectorIndex();
          const unindexed = byCodes ? unindexedIn(segment, tenant, scope, snapshot) : null;
          return { segment, shared: sharedOf(segment), unindexed };
        });
        const found = await nearestSnippets(searched, vector, { where, limit, isExact });
        return found.map((snippet) => hitOf(snippet, null));
      });
    },
    ...model,
    async sample(tenant, limit) {
      if (limit < 1) return [];
      const condition = await scopes.snippets(tenant, wholeTenant);
      const chance = byChance(limit, await segments.count(visible(condition)));
      const found = await search(condition, (where) =>
        segments.scan([...snippetColumns, "vector"], allOf(where, chance), decodeSample),
      );
      const hits = await model.addModelVectors(pickByText(found, limit));
      return hits.map((hit) => ({ ...hit, modelVector: hit.modelVector?.slice() ?? null }));
    },
    async neighbors(tenant, documentId, from, to) {
      const scope: SearchScope = { documentId, partitionId: null, metadata: null };
      const range = `position >= ${Math.trunc(from)} AND position <= ${Math.trunc(to)}`;
      const found = await search(allOf(await scopes.snippets(tenant, scope), range), (where) =>
        segments.scan(snippetColumns, where, decodeSnippet),
      );
      return found.sort((a, b) => a.position - b.position);
    },
    similarTerms: createSimilarTerms({ lance, index, frequencies, search: searchIn }),
    documentFrequencies: (tenant, terms) => frequencies.count(index, tenant, terms),
    async count(tenant, scope) {
      if (isUnlimited(scope)) return frequencies.totals(index, tenant);
      return counts.get(tenant.organizationId, JSON.stringify([info.id, tenant, scope]), async () => {
        const [snippets, documentCount] = await Promise.all([
          conditionOf(tenant, scope).then((condition) => segments.count(visible(condition))),
          scopes
            .documents(
              tenant,
              scope.metadata,
              "revision IS NOT NULL",
              scope.documentId !== null && equals("id", scope.documentId),
              scope.partitionId !== null && equals("partitionId", scope.partitionId),
            )
            .then((condition) => documents.count(condition)),
        ]);
        return { snippets, documents: documentCount };
      });
    },
    close() {
      if (closed) return;
      closed = true;
      snapshot.close();
    },
  };
};
