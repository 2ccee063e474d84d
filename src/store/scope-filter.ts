import type { MetadataFilter, SearchScope } from "./contract.ts";
import { allOf, equals, isOneOf, quote, visibleTo } from "./filters.ts";
import { matchesMetadata, planMetadata, tooManyPairs } from "./metadata.ts";
import type { DocumentRecord, Tenant } from "./records.ts";
import type { StoreTable } from "./store-table.ts";

const pairsColumn = "metadataPairs";
const hasTooManyPairs = `array_has(${pairsColumn}, ${quote(tooManyPairs)})`;

/** Turns what a caller may see and asks for into conditions on the tables. */
export interface ScopeFilter {
  /** Condition on the documents table. */
  documents(tenant: Tenant, metadata: MetadataFilter | null, ...rest: (string | false)[]): Promise<string>;
  /** Condition on a snippets table. */
  snippets(tenant: Tenant, scope: SearchScope): Promise<string>;
  /** From now on a document may have more metadata entries than its snippets carry. */
  noteManyPairs(): void;
}

/** @param manyPairs whether such documents are there already */
export const createScopeFilter = (documents: StoreTable<DocumentRecord>, manyPairs: boolean): ScopeFilter => {
  let anyManyPairs = manyPairs;

  const matchingIds = async (where: string, metadata: MetadataFilter): Promise<string[]> => {
    const matches = await documents.scan(["id", "metadata"], { where }, (row) => {
      const metadataJson = row.nullableString("metadata");
      return matchesMetadata(metadataJson === null ? null : JSON.parse(metadataJson), metadata)
        ? row.string("id")
        : null;
    });
    return matches.filter((id) => id !== null);
  };

  const metadataOfSnippets = async (tenant: Tenant, metadata: MetadataFilter): Promise<string | null> => {
    const plan = planMetadata(metadata, pairsColumn);
    const visible = visibleTo(tenant);
    if (!plan.exact) return isOneOf("documentId", await matchingIds(allOf(visible, plan.sql), metadata));
    if (plan.sql === null || !anyManyPairs) return plan.sql;
    const others = await matchingIds(allOf(visible, hasTooManyPairs, plan.sql), metadata);
    const byPairs = `NOT ${hasTooManyPairs} AND (${plan.sql})`;
    return others.length === 0 ? byPairs : `(${byPairs}) OR ${isOneOf("documentId", others)}`;
  };

  return {
    async documents(tenant, metadata, ...rest) {
      const where = allOf(visibleTo(tenant), ...rest);
      if (metadata === null) return where;
      const plan = planMetadata(metadata, pairsColumn);
      const narrowed = allOf(where, plan.sql);
      return plan.exact ? narrowed : allOf(where, isOneOf("id", await matchingIds(narrowed, metadata)));
    },
    async snippets(tenant, scope) {
      return allOf(
        visibleTo(tenant),
        scope.documentId !== null && equals("documentId", scope.documentId),
        scope.partitionId !== null && equals("partitionId", scope.partitionId),
        scope.metadata !== null && (await metadataOfSnippets(tenant, scope.metadata)),
      );
    },
    noteManyPairs() {
      anyManyPairs = true;
    },
  };
};

export const countManyPairs = (documents: StoreTable<DocumentRecord>): Promise<number> =>
  documents.count(hasTooManyPairs);
