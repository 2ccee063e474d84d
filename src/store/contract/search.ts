import type { IndexInfo, SnippetRecord, Tenant } from "../../domain/records.ts";
import type { MetadataFilter } from "./metadata-filter.ts";

/** The part of a tenant's documents that a question is about. */
export interface SearchScope {
  documentId: string | null;
  partitionId: string | null;
  metadata: MetadataFilter | null;
}

/** A snippet found by text or by vector. `vector` is the stored one, so that every candidate can get both scores. */
export interface SnippetHit extends SnippetRecord {
  /** The weighted sum of BM25 over terms, heading terms and title terms; null if the vector search found it. */
  textScore: number | null;
  vector: Float32Array | null;
}

/** A consistent view of the snippets: it never sees half of a replacement. Close it after the last search. */
export interface SnippetView {
  /** The index that is searched. */
  readonly index: IndexInfo;
  /** `terms`: analyzed query terms with their weights. @returns best first, at most `limit` */
  searchText(
    tenant: Tenant,
    scope: SearchScope,
    terms: readonly { term: string; weight: number }[],
    options: { limit: number; titleWeight: number; headingWeight: number },
  ): Promise<SnippetHit[]>;
  /** Exact or indexed nearest neighbours by cosine. @returns best first, at most `limit` */
  searchVectors(tenant: Tenant, scope: SearchScope, vector: Float32Array, limit: number): Promise<SnippetHit[]>;
  /** Snippets of a document by position, from and to included: the neighbors of a hit. */
  neighbors(tenant: Tenant, documentId: string, from: number, to: number): Promise<SnippetRecord[]>;
  /** The number of snippets of the tenant, and for each term the number that contain it: for idf. */
  documentFrequencies(
    tenant: Tenant,
    terms: readonly string[],
  ): Promise<{ snippets: number; counts: Map<string, number> }>;
  /** The number of snippets and documents in the scope. */
  count(tenant: Tenant, scope: SearchScope): Promise<{ snippets: number; documents: number }>;
  close(): void;
}
