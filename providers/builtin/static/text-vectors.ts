import { emptyRun, loadTokenizer, runLimit, type Tokenizer } from "../wordpiece/tokenizer.ts";
import { readTable, type Table } from "./table.ts";

/** Adds up the rows of the wordpieces of one text after another. */
interface VectorSum {
  /** Adds the next pieces of a text. @returns where to continue; the text's length at its end */
  add(text: string, from: number): number;
  /** What was added, made unit length; zero where nothing was. The next text begins. */
  take(): Float32Array;
}

export const createVectorSum = (tokenizer: Tokenizer, table: Table): VectorSum => {
  const run = emptyRun();
  const sum = new Float64Array(table.dimensions);
  return {
    add(text, from) {
      tokenizer.read(text, from, runLimit, run);
      addRows(table, tokenizer.pieces, run.count, sum);
      return run.next;
    },
    take() {
      const vector = unitVector(sum);
      sum.fill(0);
      return vector;
    },
  };
};

/**
 * For a thread: makes the vectors of the built-in table that another thread has loaded.
 * @param content as `StaticEmbedding.table`
 */
export const openTextVectors = async (content: SharedArrayBuffer): Promise<(text: string) => Float32Array> => {
  const sum = createVectorSum(await loadTokenizer(), readTable(Buffer.from(content)));
  return (text) => {
    for (let at = 0; at < text.length; ) at = sum.add(text, at);
    return sum.take();
  };
};

const addRows = (table: Table, pieces: Int32Array, count: number, sum: Float64Array): void => {
  const { numbers, scales, dimensions } = table;
  for (let index = 0; index < count; index += 1) {
    const id = pieces[index] as number;
    const scale = scales[id] as number;
    const from = id * dimensions;
    for (let offset = 0; offset < dimensions; offset += 1) {
      sum[offset] = (sum[offset] as number) + scale * (numbers[from + offset] as number);
    }
  }
};

const unitVector = (sum: Float64Array): Float32Array => {
  let squares = 0;
  for (let index = 0; index < sum.length; index += 1) squares += (sum[index] as number) ** 2;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  const vector = new Float32Array(sum.length);
  for (let index = 0; index < sum.length; index += 1) vector[index] = (sum[index] as number) * scale;
  return vector;
};
