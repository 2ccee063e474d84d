import { ProviderError } from "../contract.ts";

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
export const checkedVectors = (rows: unknown, count: number, dimensions: number | null): Float32Array[] => {
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
export const unitLength = (vector: ArrayLike<number>): Float32Array => {
  const unit = Float32Array.from(vector);
  let square = 0;
  for (const value of unit) square += value ** 2;
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let i = 0; i < unit.length; i++) unit[i] = (vector[i] as number) * scale;
  return unit;
};
