import type { IndexInfo, SnippetRecord, Tenant } from "../../domain/records.ts";
import type { MetadataFilter } from "./metadata-filter.ts";

/** What a question is asked over, under the tenant. */
export interface SearchScope {
  documentId: string | null;
  partitionId: string | null;
  metadata: MetadataFilter | null;
}

/** A snippet found by one leg. `score` is BM25 (text) or absent; `vector` the stored one, so that both scores can be had for all candidates. */
export interface SnippetHit extends SnippetRecord {
  /** BM25 of terms, heading terms and title terms, weighted and added; null where the text leg did not find it. */
  textScore: number | null;
  vector: Float32Array | null;
}

/** Read view of the snippets that never sees half a replacement; close it when the last search is done. */
export interface SnippetView {
  /** The index that is looked into. */
  readonly index: IndexInfo;
  /** `terms`: analysed query terms with their weights. @returns best first, at most `limit` */
  searchText(
    tenant: Tenant,
    scope: SearchScope,
    terms: readonly { term: string; weight: number }[],
    options: { limit: number; titleWeight: number; headingWeight: number },
  ): Promise<SnippetHit[]>;
  /** Exact or indexed nearest neighbours by cosine. @returns best first, at most `limit` */
  searchVectors(tenant: Tenant, scope: SearchScope, vector: Float32Array, limit: number): Promise<SnippetHit[]>;
  /** Snippets of a document by position, inclusive range: the neighbours of a hit. */
  neighbours(tenant: Tenant, documentId: string, from: number, to: number): Promise<SnippetRecord[]>;
  /** In how many snippets of the index each term occurs, for idf; and how many snippets there are. */
  documentFrequencies(
    tenant: Tenant,
    terms: readonly string[],
  ): Promise<{ snippets: number; counts: Map<string, number> }>;
  /** How many snippets and documents the scope holds. */
  count(tenant: Tenant, scope: SearchScope): Promise<{ snippets: number; documents: number }>;
  close(): void;
}
