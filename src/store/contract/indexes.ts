import type { DocumentRecord, IndexDescription, IndexInfo, NewSnippet, SnippetRecord } from "../../domain/records.ts";

/** The snippets were embedded for indexes that are no longer the live ones: embed again and publish again. */
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
  /** Starts (or, with the same description, resumes) a new index beside the active one; another half-built one is dropped. */
  begin(description: IndexDescription): Promise<IndexInfo>;
  /** Processed documents whose current revision the building index does not hold yet, oldest first, and how many in all. */
  missing(limit: number): Promise<{ documents: DocumentRecord[]; done: number; total: number }>;
  /** Writes one document's snippets into the building index only; a revision that is no longer current is passed over. */
  fill(document: DocumentRecord, snippets: readonly NewSnippet[]): Promise<void>;
  /** What the active index holds of the documents' revisions: by document id, in the order of their positions. */
  snippetsOf(
    documents: readonly DocumentRecord[],
  ): Promise<Map<string, (SnippetRecord & { vector: Float32Array | null })[]>>;
  /** True where the active index holds snippets without a vector: their model could not be reached. */
  lacksVectors(): Promise<boolean>;
  /**
   * Makes the building index the active one in one commit and drops the old.
   * @returns false, with nothing changed, where it does not hold every document yet
   */
  promote(): Promise<boolean>;
  /** Drops the building index. */
  abandon(): Promise<void>;
}
