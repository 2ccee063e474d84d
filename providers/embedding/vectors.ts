import { ProviderError } from "../contract.ts";

/** The longest vectors that are taken: twice those of the largest models. */
const MOST_DIMENSIONS = 16_384;
/** The largest number of 32 bits; a larger one would be kept as infinity. */
const LARGEST_NUMBER = 3.4028234663852886e38;

/**
 * What a server gave as vectors, checked number by number and at unit length.
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
  if (row.length > MOST_DIMENSIONS)
    throw bad(`the embedding server gave a vector of ${row.length} numbers, and ${MOST_DIMENSIONS} is the most`);
  if (row.length !== expected)
    throw bad(
      `the embedding server gave ${row.length} numbers where ${expected} were expected: correct models.embedding.dimensions or models.embedding.model`,
    );
  for (const value of row as unknown[])
    if (typeof value !== "number" || !(Math.abs(value) <= LARGEST_NUMBER))
      throw bad("the embedding server gave a vector that holds something else than finite numbers of 32 bits");
  return unitLength(row as number[]);
};

const bad = (message: string): ProviderError => new ProviderError("embedding", "bad_answer", message);

/** The vector at length 1; all zeros, and what is nothing beside the smallest number of 32 bits, become zeros. */
export const unitLength = (vector: ArrayLike<number>): Float32Array => {
  const unit = Float32Array.from(vector);
  let square = 0;
  for (const value of unit) square += value ** 2;
  const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
  for (let i = 0; i < unit.length; i++) unit[i] = (vector[i] as number) * scale;
  return unit;
};
