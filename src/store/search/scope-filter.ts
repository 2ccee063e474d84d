import { createKeyedMutex } from "../../async/keyed-mutex.ts";
import { ApiError } from "../../domain/errors.ts";
import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { MetadataFilter, SearchScope } from "../contract/search.ts";
import { allOf, equals, isOneOf, quote, visibleTo } from "../engine/filters.ts";
import type { StoreTable } from "../engine/store-table.ts";
import { matchesMetadata, mayMatch, planMetadata, tooManyPairs } from "./metadata.ts";

const pairsColumn = "metadataPairs";
const hasTooManyPairs = `array_has(${pairsColumn}, ${quote(tooManyPairs)})`;

/** Documents whose ids a condition may list: with this many, a search takes seconds. */
const maxListedDocuments = 200_000;

/** Turns the rights and the filters of a caller into conditions on the tables. */
export interface ScopeFilter {
  /** Condition on the documents table. */
  documents(tenant: Tenant, metadata: MetadataFilter | null, ...rest: (string | false)[]): Promise<string>;
  /** Condition on a snippets table. */
  snippets(tenant: Tenant, scope: SearchScope): Promise<string>;
  /** A document is stored whose snippets do not carry its metadata. */
  noteManyPairs(): void;
}

/** @param hasManyPairs whether there are such documents already */
export const createScopeFilter = (documents: StoreTable<DocumentRecord>, hasManyPairs: boolean): ScopeFilter => {
  let anyManyPairs = hasManyPairs;

  const oneAtATime = createKeyedMutex();

  /** Reads metadata row by row, beside other work, for one caller of an organization at a time. */
  const matchingIds = (tenant: Tenant, where: string, metadata: MetadataFilter): Promise<string[]> =>
    oneAtATime(tenant.organizationId, async () => {
      const matches: string[] = [];
      await documents.visit(["id", "metadata"], where, (row) => {
        const json = row.nullableString("metadata");
        if (!mayMatch(json, metadata)) return true;
        if (matchesMetadata(json === null ? null : JSON.parse(json), metadata)) matches.push(row.string("id"));
        return matches.length <= maxListedDocuments;
      });
      if (matches.length > maxListedDocuments) throw tooManyMatches();
      return matches;
    });

  const metadataOfSnippets = async (tenant: Tenant, metadata: MetadataFilter): Promise<string | null> => {
    const plan = planMetadata(metadata, pairsColumn);
    const visible = visibleTo(tenant);
    if (!plan.isExact) return isOneOf("documentId", await matchingIds(tenant, allOf(visible, plan.sql), metadata));
    if (plan.sql === null || !anyManyPairs) return plan.sql;
    const others = await matchingIds(tenant, allOf(visible, hasTooManyPairs, plan.sql), metadata);
    const byPairs = `NOT ${hasTooManyPairs} AND (${plan.sql})`;
    return others.length === 0 ? byPairs : `(${byPairs}) OR ${isOneOf("documentId", others)}`;
  };

  return {
    async documents(tenant, metadata, ...rest) {
      const where = allOf(visibleTo(tenant), ...rest);
      if (metadata === null) return where;
      const plan = planMetadata(metadata, pairsColumn);
      const narrowed = allOf(where, plan.sql);
      return plan.isExact ? narrowed : allOf(where, isOneOf("id", await matchingIds(tenant, narrowed, metadata)));
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

const tooManyMatches = (): ApiError => {
  const message = `matches more than ${maxListedDocuments.toLocaleString("en")} documents: narrow it, for example with an equality`;
  return new ApiError("invalid_request", `metadata: ${message}.`, { errors: [{ path: "metadata", message }] });
};

export const countManyPairs = (documents: StoreTable<DocumentRecord>): Promise<number> =>
  documents.count(hasTooManyPairs);
