import { type EmbeddingModel, ProviderError } from "../../../providers/contract.ts";
import type { IndexInfo } from "../../domain/records.ts";
import type { EmbeddingCache } from "./embedding-cache.ts";
import type { HeldVectors } from "./held-vectors.ts";

/** Texts given to a model at a time; the progress is reported after each batch. */
const batchSize = 64;

/** An index that is searched or being built, with its model: null where the configuration has none for it. */
export interface LiveIndex {
  index: IndexInfo;
  model: EmbeddingModel | null;
}

export interface EmbedOptions {
  cache: EmbeddingCache;
  /** Looked up for texts that the cache does not hold; left out: no lookup. */
  held?: HeldVectors | undefined;
  signal: AbortSignal;
  /** Called with the number of texts that have their vectors. */
  onProgress(embedded: number): void;
  /** Called for an index that gets no vectors because its model failed. */
  onMissing(index: IndexInfo, error: unknown): void;
  /** What to do where no model is available: true fails, false stores the texts without vectors. */
  vectorsRequired: boolean;
}

/**
 * Vectors of the texts for each live index, by index id. Where a model is not available, the active index gets null
 * (full text finds the texts), and an index that is being built gets no entry: the rebuild embeds them later. One index
 * with vectors is enough, since during a change of model either the old or the new model may be unreachable.
 * @throws ProviderError where no index gets vectors and they are required; the signal's reason
 */
export const embedTexts = async (
  texts: readonly string[],
  indexes: readonly LiveIndex[],
  options: EmbedOptions,
): Promise<Map<string, Float32Array[] | null>> => {
  const vectors = new Map<string, Float32Array[] | null>();
  let failure: unknown = null;
  for (const { index, model } of indexes) {
    if (index.state === "active") vectors.set(index.id, null);
    try {
      if (model !== null) vectors.set(index.id, await embedFor(index, model, texts, options));
    } catch (error) {
      options.signal.throwIfAborted();
      failure ??= error;
      options.onMissing(index, error);
    }
  }
  if (options.vectorsRequired && [...vectors.values()].every((one) => one === null)) {
    throw (
      failure ??
      new ProviderError("embedding", "unreachable", "no embedding model can be reached: check models.embedding")
    );
  }
  return vectors;
};

/** The built-in static model makes a vector as fast as a lookup finds a stored one. */
export const isBuiltinStatic = ({ provider, model }: IndexInfo): boolean =>
  provider === "builtin" && model === "static";

const embedFor = async (
  index: IndexInfo,
  model: EmbeddingModel,
  texts: readonly string[],
  { cache, held, signal, onProgress }: EmbedOptions,
): Promise<Float32Array[]> => {
  const isCached = !isBuiltinStatic(index);
  const modelKey = JSON.stringify([index.provider, index.model, index.dimensions, index.modelRevision]);
  const found: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += batchSize) {
    signal.throwIfAborted();
    const batch = texts.slice(start, start + batchSize);
    const cached = batch.map((text) => (isCached ? cache.get(modelKey, text) : null));
    const stored = isCached && held !== undefined && cached.includes(null) ? await held(index) : null;
    const known = batch.map((text, at) => cached[at] ?? stored?.get(text) ?? null);
    const unknown = batch.filter((_, at) => known[at] === null);
    const fresh = unknown.length === 0 ? [] : await model.embed(unknown, "document", signal);
    checkVectors(fresh, unknown.length, index);
    if (isCached) unknown.forEach((text, at) => void cache.set(modelKey, text, fresh[at] as Float32Array));
    let used = 0;
    for (const vector of known) found.push(vector ?? (fresh[used++] as Float32Array));
    onProgress(found.length);
    if (found.length < texts.length) await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
};

const checkVectors = (vectors: readonly Float32Array[], count: number, { dimensions }: IndexInfo): void => {
  if (vectors.length !== count) {
    throw new ProviderError("embedding", "bad_answer", `the model gave ${vectors.length} vectors for ${count} texts`);
  }
  for (const vector of vectors) {
    if (vector.length === dimensions) continue;
    const message = `the model gives vectors of ${vector.length} numbers now; the index was built with ${dimensions}`;
    throw new ProviderError("embedding", "bad_answer", message);
  }
};
