import { type EmbeddingModel, ProviderError } from "../../contract.ts";
import { languageShare } from "../language-share.ts";
import { loadTokenizer } from "../wordpiece/load.ts";
import modelPath from "./model.onnx" with { type: "file" };
import { type EmbeddedOnnxRuntime, prepareOnnxRuntime } from "./runtime.ts";
import { segmentsOf } from "./segments.ts";
import { createWorkerPool } from "./worker-pool.ts";
import { startWorkerThread } from "./worker-thread.ts";

/** Length of all-MiniLM-L6-v2's vectors. */
const dimensions = 384;
/** How much the cosine of this model counts beside full text if the query's language is known. */
const fusionShare = 0.5;
/** Waiting passes of all callers together; each caller asks for a few at a time. */
const maxWaiting = 1024;
/** Texts that one caller has under way for each thread, so that no thread waits for the next text. */
const textsPerThread = 2;

export interface MiniLmOptions {
  /** Threads that run the model, 1 or more. Each takes about 60 MB. */
  threads: number;
  /** Longest time for one forward pass, its wait included, in milliseconds. */
  timeoutMs: number;
  /** What the compiled binary carries; null if onnxruntime-node is in node_modules. */
  runtime: EmbeddedOnnxRuntime | null;
  /** Where the binary's copy is unpacked. */
  runtimeFolder: string;
  /** Where worker.ts is: elsewhere in the compiled binary than in the source tree. */
  workerUrl: string;
}

export interface MiniLmEmbedding extends EmbeddingModel {
  /** Changes with the model's file: vectors of different revisions do not compare. */
  readonly revision: string;
  /** Ends the threads. */
  close(): void;
}

/**
 * all-MiniLM-L6-v2 inside the program, with 8-bit weights: finds better than the static table, a hundred times slower.
 * Runs in threads of its own; queries go before documents. Texts over 254 wordpieces are cut and pooled over all parts.
 * @throws Error that says why it cannot run here
 */
export const createMiniLmEmbedding = async (options: MiniLmOptions): Promise<MiniLmEmbedding> => {
  const { threads, timeoutMs, workerUrl } = options;
  const bindingPath = await prepareOnnxRuntime(options.runtime, options.runtimeFolder);
  const [tokenizer, revision, pool] = await Promise.all([
    loadTokenizer(),
    modelRevision(),
    createWorkerPool({ threads, timeoutMs, maxWaiting, start: () => startWorkerThread(workerUrl, bindingPath) }).catch(
      (error: unknown) => {
        throw new Error(loadFailure(bindingPath, error), { cause: error });
      },
    ),
  ]);

  const vectorOf = async (text: string, urgent: boolean, signal: AbortSignal): Promise<Float32Array> => {
    const vector = new Float32Array(dimensions);
    for (const segment of segmentsOf(tokenizer, text)) {
      const sum = await pool.run(segment, urgent, signal);
      for (let index = 0; index < dimensions; index += 1) vector[index] = (vector[index] ?? 0) + (sum[index] ?? 0);
    }
    return unitLength(vector);
  };

  const embed = async (texts: readonly string[], kind: "query" | "document", signal: AbortSignal) => {
    if (signal.aborted) throw new ProviderError("embedding", "aborted", "the caller went away");
    const vectors: Float32Array[] = new Array(texts.length);
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const remaining = texts.entries();
    const lane = async (): Promise<void> => {
      for (const [index, text] of remaining) vectors[index] = await vectorOf(text, kind === "query", either);
    };
    try {
      await Promise.all(Array.from({ length: Math.min(threads * textsPerThread, texts.length) }, lane));
    } finally {
      // If one text failed, the others are stopped.
      failed.abort();
    }
    return vectors;
  };

  return {
    provider: "builtin",
    model: "minilm",
    revision,
    dimensions: async () => dimensions,
    embed,
    fusionWeight: (query) => fusionShare * languageShare(tokenizer, query),
    close: pool.close,
  };
};

const modelRevision = async (): Promise<string> => {
  const bytes = await Bun.file(modelPath).bytes();
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16);
};

const unitLength = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
};

const loadFailure = (bindingPath: string, error: unknown): string => {
  const reason = error instanceof Error ? error.message : String(error);
  if (/failed to map segment|Operation not permitted|Permission denied/i.test(reason)) {
    return `The model runtime may not be run from ${bindingPath}: its file system is mounted noexec. Mount it with exec, or set dataDir (CARREL_DATA_DIR) to one that is.`;
  }
  return `The built-in MiniLM cannot be loaded (${bindingPath}): ${reason}`;
};
