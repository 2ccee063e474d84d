import type { DocumentRecord } from "../domain/records.ts";

/** What tells whether documents have the vectors of the configured model: see `Embedder`. */
export interface WithEmbedder {
  embedder: {
    haveVectors(documents: readonly Pick<DocumentRecord, "revision" | "status">[]): Promise<boolean[]>;
  };
}

/** `haveVectors` for one document. */
export const hasVectors = async (embedder: WithEmbedder["embedder"], document: DocumentRecord): Promise<boolean> =>
  (await embedder.haveVectors([document]))[0] === true;
