import { type EmbeddingModel, ProviderError } from "../../../providers/contract.ts";
import type { IndexInfo } from "../../domain/records.ts";
import type { EmbeddingCache } from "./embedding-cache.ts";
import type { HeldVectors } from "./held-vectors.ts";

/** Texts given to a model at a time: what lies between two steps of the progress. */
const BATCH = 64;

/** An index that is searched or being built, with its model; null where the configuration no longer reaches it. */
export interface LiveIndex {
  index: IndexInfo;
  model: EmbeddingModel | null;
}

export interface EmbedOptions {
  cache: EmbeddingCache;
  /** Asked for what the cache does not hold; left out: nothing is. */
  held?: HeldVectors | undefined;
  signal: AbortSignal;
  /** Told how many texts have their vectors. */
  onProgress(embedded: number): void;
  /** Told of an index that goes without vectors, because its model failed. */
  onMissing(index: IndexInfo, error: unknown): void;
  /** Where no model at all can be had: true fails, false goes without vectors. */
  vectorsRequired: boolean;
}

/**
 * Vectors of the texts for each live index, by index id. Where a model cannot be had, the active index gets null (full
 * text finds the texts) and one that is being built no entry: it takes them up later. One index with vectors is enough,
 * since during a change of model either the old or the new one may be out of reach.
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

/** The built-in table makes a vector as soon as a kept one would be found. */
export const isCheap = ({ provider, model }: IndexInfo): boolean => provider === "builtin" && model === "static";

const embedFor = async (
  index: IndexInfo,
  model: EmbeddingModel,
  texts: readonly string[],
  { cache, held, signal, onProgress }: EmbedOptions,
): Promise<Float32Array[]> => {
  const isWorthKeeping = !isCheap(index);
  const modelKey = JSON.stringify([index.provider, index.model, index.dimensions, index.modelRevision]);
  const found: Float32Array[] = [];
  for (let start = 0; start < texts.length; start += BATCH) {
    signal.throwIfAborted();
    const batch = texts.slice(start, start + BATCH);
    const cached = batch.map((text) => (isWorthKeeping ? cache.get(modelKey, text) : null));
    const stored = isWorthKeeping && held !== undefined && cached.includes(null) ? await held(index) : null;
    const known = batch.map((text, at) => cached[at] ?? stored?.get(text) ?? null);
    const unknown = batch.filter((_, at) => known[at] === null);
    const fresh = unknown.length === 0 ? [] : await model.embed(unknown, "document", signal);
    checkVectors(fresh, unknown.length, index);
    if (isWorthKeeping) unknown.forEach((text, at) => void cache.set(modelKey, text, fresh[at] as Float32Array));
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
