import type { EmbeddingModel } from "../../providers/contract.ts";
import type { Store } from "../../src/store/contract.ts";
import { analysisVersion } from "../../src/text/analysis/analyze.ts";
import { embeddingInput, embeddingInputHash } from "../../src/text/chunk/chunk.ts";

/** The default of `answers.refusalThreshold`: what a fresh installation does is what is measured. */
export const refusalThreshold = 0.5;
/** Documents that get vectors at a time. */
const atOnce = 64;
const forever = new AbortController().signal;

/** The built-in static model, and another one beside it. */
export interface Models {
  fixed: EmbeddingModel;
  model: EmbeddingModel | null;
}

/** The vectors of a model for all documents, as the server adds them behind the ingest. */
export const addVectors = async (store: Store, model: EmbeddingModel): Promise<void> => {
  const { provider, model: name, revision = "" } = model;
  const dimensions = await model.dimensions(forever);
  const set = await store.vectors.begin({
    provider,
    model: name,
    modelRevision: revision,
    dimensions,
    analysisVersion,
  });
  for (;;) {
    const documents = await store.vectors.lacking(atOnce);
    if (documents.length === 0) break;
    const snippets = await store.indexes.snippetsOf(documents);
    const additions = await Promise.all(
      documents.map(async (document) => {
        const own = snippets.get(document.id) ?? [];
        const vectors = await model.embed(own.map(embeddingInput), "document", forever);
        return {
          document,
          vectors: own.map((snippet, at) => ({
            position: snippet.position,
            inputHash: embeddingInputHash(snippet),
            vector: vectors[at] as Float32Array,
          })),
        };
      }),
    );
    await store.vectors.add(set.id, additions);
  }
  if (store.vectors.building() !== null) await store.vectors.promote();
};
