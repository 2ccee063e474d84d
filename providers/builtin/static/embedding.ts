import { setImmediate } from "node:timers/promises";
import { type EmbeddingModel, ProviderError } from "../../contract.ts";
import { languageShare } from "../language-share.ts";
import { loadTokenizer } from "../wordpiece/load.ts";
import { emptyRun, runLimit } from "../wordpiece/tokenizer.ts";
import { loadTable, type Table } from "./table.ts";

/** How much the cosine of this table counts beside full text if the query's language is known. */
const fusionShare = 0.25;
/** Work without a break, before other events are handled. */
const maxStretchMs = 4;

export interface StaticEmbedding extends EmbeddingModel {
  /** Changes with the table: vectors of different revisions do not compare. */
  readonly revision: string;
}

/**
 * The built-in embedding that needs no model server: a text's vector is the sum of its wordpieces' rows, made unit
 * length. Any length of text is taken as it is. Works on the calling thread, at thousands of passages a second, and
 * lets other events run every few milliseconds.
 */
export const createStaticEmbedding = async (): Promise<StaticEmbedding> => {
  const [tokenizer, table] = await Promise.all([loadTokenizer(), loadTable()]);

  const embed = async (texts: readonly string[], _kind: "query" | "document", signal: AbortSignal) => {
    const vectors: Float32Array[] = [];
    const run = emptyRun();
    const sum = new Float64Array(table.dimensions);
    let stretchStart = performance.now();
    for (const text of texts) {
      sum.fill(0);
      for (let at = 0; at < text.length; at = run.next) {
        if (signal.aborted) throw new ProviderError("embedding", "aborted", "the caller went away");
        tokenizer.read(text, at, runLimit, run);
        addRows(table, tokenizer.pieces, run.count, sum);
        if (performance.now() - stretchStart > maxStretchMs) {
          await setImmediate();
          stretchStart = performance.now();
        }
      }
      vectors.push(unitVector(sum));
    }
    return vectors;
  };

  return {
    provider: "builtin",
    model: "static",
    revision: table.digest.slice(0, 16),
    dimensions: async () => table.dimensions,
    embed,
    fusionWeight: (query) => fusionShare * languageShare(tokenizer, query),
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
