import type { DocumentRecord, IndexDescription, IndexInfo, NewSnippet, SnippetRecord } from "../../domain/records.ts";

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
