import type {
  DocumentRecord,
  IndexDescription,
  IndexInfo,
  NewSnippet,
  SnippetRecord,
  Tenant,
  VectorSetInfo,
} from "../../domain/records.ts";
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

/** The snippets were embedded for an index that is no longer active: embed and publish them again. */
export class IndexesChangedError extends Error {
  override readonly name = "IndexesChangedError";

  constructor() {
    super("the search index changed while the document was being processed");
  }
}

/** The active index, and the one being built during a change of embedding model or analysis. */
export interface IndexStore {
  active(): IndexInfo;
  building(): IndexInfo | null;
  /** Starts a new index beside the active one, or resumes it if the description is the same; else the one being built is dropped. */
  begin(description: IndexDescription): Promise<IndexInfo>;
  /** Processed documents whose current revision the building index does not hold yet, oldest first, and the progress. */
  missing(limit: number): Promise<{ documents: DocumentRecord[]; done: number; total: number }>;
  /** Writes the snippets of one document into the building index only; skips a revision that is no longer current. */
  fill(document: DocumentRecord, snippets: readonly NewSnippet[]): Promise<void>;
  /** The current snippets of documents in the active index: by document id, ordered by position. */
  snippetsOf(
    documents: readonly DocumentRecord[],
  ): Promise<Map<string, (SnippetRecord & { vector: Float32Array | null })[]>>;
  /** True if the active index holds snippets without a vector, because the model could not be reached. */
  lacksVectors(): Promise<boolean>;
  /**
   * Makes the building index the active one in one commit and drops the old.
   * @returns false, with nothing changed, if it does not hold every document yet
   */
  promote(): Promise<boolean>;
  /** Drops the building index. */
  abandon(): Promise<void>;
}
