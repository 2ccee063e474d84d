import type { DocumentRecord, VectorSetDescription, VectorSetInfo } from "../../domain/records.ts";

/** A vector of a snippet: the one at `position` of a document's revision, if its embedding input has this hash. */
export interface SnippetVector {
  position: number;
  /** `embeddingInputHash` of the snippet (src/text/chunk/chunk.ts). */
  inputHash: string;
  /** All zeros if the model refuses the text: no search finds it, and its document lacks nothing for it. */
  vector: Float32Array;
}

/** What the model refused of a document: of its current revision, unless that was replaced a moment ago. */
export interface RefusedTexts {
  organizationId: string;
  documentId: string;
  revision: string;
  inputHashes: string[];
}

/** How much of the store has no vectors yet in the set that is being filled. */
export interface PendingVectors {
  documents: number;
  snippets: number;
  /** Processed documents in all, and their snippets. */
  totalDocuments: number;
  totalSnippets: number;
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
  /**
   * Processed documents whose current revision lacks vectors in the set being filled, newest first.
   * @param isPassedOver leaves documents out, by revision
   */
  lacking(limit: number, isPassedOver?: (revision: string) => boolean): Promise<DocumentRecord[]>;
  /**
   * Whether the revision is current and lacks vectors in the set being filled: false from the moment when its document is
   * replaced or removed. True while that is not known yet.
   */
  isLacking(revision: string): boolean;
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
   * Appends vectors of documents to the set being filled, in one commit. Documents whose revision is no longer current, or
   * that lack nothing, are skipped; so are vectors that the set has already. A document counts as complete with these
   * vectors, unless they are a part of what it lacks. Nothing is done if another set is being filled.
   * @throws Error where a vector does not have the length of the set, or is not finite
   */
  add(
    setId: string,
    additions: readonly { document: DocumentRecord; vectors: readonly SnippetVector[]; isPart?: boolean }[],
  ): Promise<void>;
  /** The texts with a vector of zeros in the set being filled. Reads all of its vectors. */
  refused(): Promise<RefusedTexts[]>;
  /** Makes documents lack the vectors of their refused texts again. Those that were replaced meanwhile are skipped. */
  reopen(setId: string, refused: readonly Pick<RefusedTexts, "documentId" | "revision">[]): Promise<void>;
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
