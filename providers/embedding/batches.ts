import { bulkhead } from "cockatiel";
import { ProviderError } from "../contract.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";

/** Twice as many as the largest models have. */
const maxDimensions = 16_384;
/** The largest 32-bit number; a larger one would become infinity. */
const maxNumber = 3.4028234663852886e38;

/**
 * The vectors of a server's answer to texts that hold something, checked number by number and brought to unit length.
 * @param count how many there must be
 * @param dimensions how long each must be; null: as long as the first
 * @throws ProviderError bad_answer
 */
const checkedVectors = (rows: unknown, count: number, dimensions: number | null): Float32Array[] => {
  if (!Array.isArray(rows))
    throw bad("the embedding server gave no list of vectors: is models.embedding.model an embedder?");
  if (rows.length !== count)
    throw bad(
      `the embedding server gave ${rows.length} vectors for ${count} texts: is models.embedding.model an embedder?`,
    );
  const [first] = rows as unknown[];
  const expected = dimensions ?? (Array.isArray(first) ? first.length : 0);
  return rows.map((row: unknown) => checkedVector(row, expected));
};

const checkedVector = (row: unknown, expected: number): Float32Array => {
  if (!Array.isArray(row) || row.length === 0)
    throw bad("the embedding server gave an empty vector: is models.embedding.model an embedder?");
  if (row.length > maxDimensions)
    throw bad(`the embedding server gave a vector of ${row.length} numbers, and the maximum is ${maxDimensions}`);
  if (row.length !== expected)
    throw bad(
      `the embedding server gave ${row.length} numbers where ${expected} were expected: correct models.embedding.dimensions or models.embedding.model`,
    );
  for (const value of row as unknown[])
    if (typeof value !== "number" || !(Math.abs(value) <= maxNumber))
      throw bad("the embedding server gave a vector with something other than finite 32-bit numbers");
  const vector = unitLength(row as number[]);
  // Without a direction it says nothing of the text.
  if (!vector.some((value) => value !== 0))
    throw bad("the embedding server gave a vector of zeros: is models.embedding.model an embedder?");
  return vector;
};

const bad = (message: string): ProviderError => new ProviderError("embedding", "bad_answer", message);

/** The vector at length 1. A vector of zeros, or of numbers too small for 32 bits, becomes zeros. */
const unitLength = (vector: ArrayLike<number>): Float32Array => {
  const unit = Float32Array.from(vector);
  let square = 0;
  for (const value of unit) square += value ** 2;
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let i = 0; i < unit.length; i++) unit[i] = (vector[i] as number) * scale;
  return unit;
};

/** What one server takes in one call, and how to call it. */
export interface BatchOptions {
  /** In one request. */
  maxInputs: number;
  /** In one request, estimated. */
  maxTokens: number;
  /** Requests at the same time. */
  concurrency: number;
  /**
   * Longest input in estimated tokens, if the server may cut a longer one instead of refusing it; null if it refuses.
   * Longer texts are split before they are sent.
   */
  inputTokens: number | null;
  /** Length every vector must have; null until the first answer shows it. */
  dimensions: number | null;
  /** One request. No input is empty. @returns the server's list of vectors, unchecked @throws ProviderError */
  request(inputs: readonly string[], signal: AbortSignal): Promise<unknown>;
}

/** Text is not halved further: a server that refuses so little does not refuse it for its length. */
const minHalfCharacters = 32;

/**
 * Embeds any number of texts of any length: in batches by tokens and count, several at once, and where the server
 * says that an input is too long (or dies over it) in halves that are pooled again by their lengths. Vectors are
 * checked (count, dimension, finite numbers) and brought to unit length; an empty text gives a zero vector.
 * @returns one vector a text, in order
 * @throws ProviderError
 */
export const embedInBatches = async (
  texts: readonly string[],
  options: BatchOptions,
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  const vectors = new Array<Float32Array | null>(texts.length).fill(null);
  const places = bulkhead(options.concurrency, Number.POSITIVE_INFINITY);
  const failed = new AbortController();
  const embed = async (batch: readonly number[]): Promise<void> => {
    const inputs = batch.map((index) => texts[index] as string);
    const found = await embedBatch(inputs, options, signal);
    batch.forEach((index, i) => {
      vectors[index] = found[i] as Float32Array;
    });
  };
  try {
    await Promise.all(batchesOf(texts, options).map((batch) => places.execute(() => embed(batch), failed.signal)));
  } finally {
    // After a failure nobody needs the batches that still wait.
    failed.abort();
  }
  const dimensions = options.dimensions ?? vectors.find((vector) => vector !== null)?.length ?? 0;
  return vectors.map((vector) => vector ?? new Float32Array(dimensions));
};

/** Indexes of the texts that hold something, grouped so that no group passes the limits. */
const batchesOf = (texts: readonly string[], { maxInputs, maxTokens, inputTokens }: BatchOptions): number[][] => {
  const batches: number[][] = [];
  let current: number[] = [];
  let tokens = 0;
  texts.forEach((text, index) => {
    if (text.trim() === "") return;
    const size = estimateTokens(text);
    if (inputTokens !== null && size > inputTokens) {
      batches.push([index]);
      return;
    }
    if (current.length > 0 && (current.length >= maxInputs || tokens + size > maxTokens)) {
      batches.push(current);
      current = [];
      tokens = 0;
    }
    current.push(index);
    tokens += size;
  });
  if (current.length > 0) batches.push(current);
  return batches;
};

const embedBatch = async (
  inputs: readonly string[],
  options: BatchOptions,
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  if (options.inputTokens !== null && inputs.length === 1 && estimateTokens(inputs[0] as string) > options.inputTokens)
    return [await embedHalves(inputs[0] as string, options, signal)];
  try {
    const rows = await options.request(inputs, signal);
    return checkedVectors(rows, inputs.length, options.dimensions);
  } catch (error) {
    if (!mayBeTooLong(error)) throw error;
    if (inputs.length > 1) {
      const middle = inputs.length >> 1;
      const left = await embedBatch(inputs.slice(0, middle), options, signal);
      return [...left, ...(await embedBatch(inputs.slice(middle), options, signal))];
    }
    const text = inputs[0] as string;
    if (text.length < minHalfCharacters * 2) throw error;
    return [await embedHalves(text, options, signal)];
  }
};

/** The server says "too long", or its model process died over the input (a 500 with an unexpected EOF). */
const mayBeTooLong = (error: unknown): boolean =>
  error instanceof ProviderError &&
  (error.kind === "too_long" || (error.status === 500 && /EOF|too large|exceed/i.test(error.serverWords ?? "")));

const embedHalves = async (text: string, options: BatchOptions, signal: AbortSignal): Promise<Float32Array> => {
  const cut = cutNearMiddle(text);
  const halves = [text.slice(0, cut), text.slice(cut)].filter((half) => half.trim() !== "");
  let sum = new Float64Array(options.dimensions ?? 0);
  for (const half of halves) {
    const dimensions = sum.length > 0 ? sum.length : options.dimensions;
    const [vector] = await embedBatch([half], { ...options, dimensions }, signal);
    if (!vector) continue;
    if (sum.length === 0) sum = new Float64Array(vector.length);
    for (let i = 0; i < vector.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number) * half.length;
  }
  return unitLength(sum);
};

/** The white space nearest to the middle, else the middle itself, never inside a surrogate pair. */
const cutNearMiddle = (text: string): number => {
  const middle = text.length >> 1;
  for (let distance = 0; distance < middle / 2; distance++) {
    if (/\s/.test(text.charAt(middle - distance))) return middle - distance;
    if (/\s/.test(text.charAt(middle + distance))) return middle + distance;
  }
  const unit = text.charCodeAt(middle);
  return unit >= 0xdc00 && unit <= 0xdfff ? middle + 1 : middle;
};
