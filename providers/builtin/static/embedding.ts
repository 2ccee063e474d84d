import { setImmediate } from "node:timers/promises";
import { type EmbeddingModel, ProviderError } from "../../contract.ts";
import { knownShare } from "../fusion-weight.ts";
import { createVectorSum, loadTable, loadTableTokenizer } from "./text-vectors.ts";

/** How much the cosine of this table counts beside full text if the query's language is known. */
const fusionShare = 0.25;
/** Work without a break, before other events are handled. */
const maxSliceMs = 4;

interface StaticEmbedding extends EmbeddingModel {
  /** Changes with the table: vectors of different revisions do not compare. */
  readonly revision: string;
  readonly table: SharedArrayBuffer;
}

/**
 * The built-in embedding that needs no model server: a text's vector is the sum of its wordpieces' rows, made unit
 * length. Any length of text is taken as it is. Works on the calling thread, at thousands of passages a second, and
 * lets other events run every few milliseconds.
 */
export const createStaticEmbedding = async (): Promise<StaticEmbedding> => {
  const [tokenizer, { table, content }] = await Promise.all([loadTableTokenizer(), loadTable()]);

  const embed = async (texts: readonly string[], _kind: "query" | "document", signal: AbortSignal) => {
    const vectors: Float32Array[] = [];
    const sum = createVectorSum(tokenizer, table);
    let sliceStart = performance.now();
    for (const text of texts) {
      for (let at = 0; at < text.length; ) {
        if (signal.aborted) throw new ProviderError("embedding", "aborted", "the caller went away");
        at = sum.add(text, at);
        if (performance.now() - sliceStart > maxSliceMs) {
          await setImmediate();
          sliceStart = performance.now();
        }
      }
      vectors.push(sum.take());
    }
    return vectors;
  };

  return {
    provider: "builtin",
    model: "static",
    revision: table.digest.slice(0, 16),
    table: content,
    dimensions: async () => table.dimensions,
    embed,
    fusionWeight: (query) => fusionShare * knownShare(tokenizer, query),
  };
};
