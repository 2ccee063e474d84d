import type { DocumentRecord, VectorSetDescription, VectorSetInfo } from "../../domain/records.ts";

/** A vector of a snippet: the one at `position` of a document's revision, if its embedding input has this hash. */
export interface SnippetVector {
  position: number;
  /** `embeddingInputHash` of the snippet (src/text/chunk/embedding-input.ts). */
  inputHash: string;
  /** All zeros if the model refuses the text: no search finds it, and it is not tried again. */
  vector: Float32Array;
}

/** How much of the store has no vectors yet in the set that is being filled. */
export interface PendingVectors {
  documents: number;
  snippets: number;
  /** Processed documents in all. */
  totalDocuments: number;
}

/** The vectors of models other than the built-in static one. The set being filled is `building() ?? active()`. */
export interface VectorStore {
  active(): VectorSetInfo | null;
  building(): VectorSetInfo | null;
  /**
   * Starts a set, or returns the active or building one of the same description; another one that is being built is
   * dropped. In a store without snippets the new set is active at once.
   */
  begin(description: VectorSetDescription): Promise<VectorSetInfo>;
  /** Processed documents whose current revision lacks vectors in the set being filled, newest first. */
  lacking(limit: number): Promise<DocumentRecord[]>;
  pending(): Promise<PendingVectors>;
  /**
   * Whether the set being filled has the vectors of these documents' revisions: one answer for each. Without a set none
   * are lacking. A document without a revision has no vectors.
   */
  haveVectors(documents: readonly Pick<DocumentRecord, "revision">[]): Promise<boolean[]>;
  /**
   * Vectors that a set holds for texts of an organization, by input hash, so that none is made twice: zeros for a text
   * that the model refused. Empty if the set is gone.
   */
  known(setId: string, organizationId: string, inputHashes: readonly string[]): Promise<Map<string, Float32Array>>;
  /**
   * Appends vectors of whole documents to the set being filled, in one commit. Documents whose revision is no longer
   * current, or that lack nothing, are skipped; so are vectors that the set has already. A document with these vectors
   * counts as complete. Nothing is done if another set is being filled.
   * @throws Error where a vector does not have the length of the set, or is not finite
   */
  add(
    setId: string,
    additions: readonly { document: DocumentRecord; vectors: readonly SnippetVector[] }[],
  ): Promise<void>;
  /**
   * Makes the building set the active one and drops the old, which open views keep using.
   * @returns false if a current document lacks vectors
   * @throws Error if no set is being built
   */
  promote(): Promise<boolean>;
  /** Drops the building set. */
  abandon(): Promise<void>;
  /** Drops all sets: the configuration names the static model alone. */
  clear(): Promise<void>;
}
