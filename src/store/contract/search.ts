import type { IndexInfo, SnippetRecord, Tenant, VectorSetInfo } from "../../domain/records.ts";
import type { MeanLengths } from "../../text/bm25.ts";

/** Metadata filter as in the API: `{key: value}` or `{key: {$in: [...], $gt: …}}`; already validated. */
export type MetadataFilter = Record<string, MetadataCondition>;
export type MetadataScalar = string | number | boolean | null;
export type MetadataCondition =
  | MetadataScalar
  | {
      $in?: MetadataScalar[];
      $ne?: MetadataScalar;
      $gt?: number | string;
      $gte?: number | string;
      $lt?: number | string;
      $lte?: number | string;
    };

/** The part of a tenant's documents that a question is about. */
export interface SearchScope {
  documentId: string | null;
  partitionId: string | null;
  metadata: MetadataFilter | null;
}

/** All documents of a tenant. */
export const wholeTenant: SearchScope = { documentId: null, partitionId: null, metadata: null };

/**
 * A snippet found by text or by vector. The vectors are the stored ones, so that every candidate can get all scores.
 */
export interface SnippetHit extends SnippetRecord {
  /** The weighted sum of BM25 over terms, heading terms and title terms; null if a vector search found it. */
  textScore: number | null;
  /** Of the search index, made by the built-in static model. */
  vector: Float32Array | null;
  /**
   * Of the vector set; null if there is none, if it is not made yet, or if it was not looked up (`addModelVectors`).
   */
  modelVector: Float32Array | null;
}

/** What BM25 needs to know of a tenant's snippets. */
export interface TermFrequencies {
  /** How many there are. */
  snippets: number;
  /** For each term, the number of snippets that contain it. */
  counts: Map<string, number>;
  /** For each term, the number of snippets whose document's name contains it. */
  titles: Map<string, number>;
  /** How long a snippet is in the mean; of a sample of a thousand where there are more than were counted yet. */
  lengths: MeanLengths;
}

/** A consistent view of the snippets: it never sees half of a replacement. Close it after the last search. */
export interface SnippetView {
  /** The index that is searched. */
  readonly index: IndexInfo;
  /** The vector set that is searched: the active one, else the one being built; null if there is none. */
  readonly vectorSet: VectorSetInfo | null;
  /** `terms`: analyzed query terms with their weights. @returns best first, at most `limit` */
  searchText(
    tenant: Tenant,
    scope: SearchScope,
    terms: readonly { term: string; weight: number }[],
    options: { limit: number; titleWeight: number; headingWeight: number },
  ): Promise<SnippetHit[]>;
  /** Exact or indexed nearest neighbors by cosine. @returns best first, at most `limit` */
  searchVectors(tenant: Tenant, scope: SearchScope, vector: Float32Array, limit: number): Promise<SnippetHit[]>;
  /** The nearest snippets by the vectors of the vector set. @returns best first, at most `limit`; none without a set */
  searchModelVectors(tenant: Tenant, scope: SearchScope, vector: Float32Array, limit: number): Promise<SnippetHit[]>;
  /** The hits with their vectors of the vector set, where it has them. */
  addModelVectors(hits: readonly SnippetHit[]): Promise<SnippetHit[]>;
  /** Random snippets of a tenant with their vectors, at most `limit`: what its text is like. */
  sample(tenant: Tenant, limit: number): Promise<SnippetHit[]>;
  /** Snippets of a document by position, from and to included: the neighbors of a hit. */
  neighbors(tenant: Tenant, documentId: string, from: number, to: number): Promise<SnippetRecord[]>;
  /** How often terms occur, and how long snippets are: for BM25. */
  documentFrequencies(tenant: Tenant, terms: readonly string[]): Promise<TermFrequencies>;
  /**
   * Terms of the tenant's snippets and names that a word may be a typing error of, the likeliest first. Of a large tenant,
   * snippets that no index holds yet are not looked at.
   * @param forms the word's own terms
   * @param errors that the word may have: 1 or 2
   */
  similarTerms(tenant: Tenant, forms: readonly string[], errors: number): Promise<string[]>;
  /** The number of snippets and documents in the scope. */
  count(tenant: Tenant, scope: SearchScope): Promise<{ snippets: number; documents: number }>;
  close(): void;
}
