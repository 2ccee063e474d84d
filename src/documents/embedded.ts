import type { Dependencies } from "../dependencies.ts";
import type { DocumentRecord } from "../domain/records.ts";

/** What tells whether documents have their vectors. */
export interface WithEmbedder {
  embedder: Pick<Dependencies["embedder"], "haveVectors">;
}

/** `haveVectors` for one document. */
export const hasVectors = async (embedder: WithEmbedder["embedder"], document: DocumentRecord): Promise<boolean> =>
  (await embedder.haveVectors([document]))[0] === true;
