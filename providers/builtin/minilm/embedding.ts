import { unlessAborted } from "../../../src/async/waiting.ts";
import { createWorkerPool as createPool } from "../../../src/async/worker-pool.ts";
import { messageOf } from "../../../src/domain/errors.ts";
import { loadLibc } from "../../../src/system/libc.ts";
import { type EmbeddingModel, ProviderError } from "../../contract.ts";
import { askOnce } from "../../http/repeat-call.ts";
import { languageShare } from "../fusion-weight.ts";
import { emptyRun, loadTokenizer, runLimit, type Tokenizer } from "../wordpiece/tokenizer.ts";
import { type EmbeddedOnnxRuntime, prepareOnnxRuntime } from "./runtime.ts";
import { startWorkerThread, type WorkerThread } from "./worker-thread.ts";

/**
 * The first 16 digits of the SHA-256 of model.onnx, in hexadecimal: vectors of different revisions do not compare. Stated
 * here so that the file is read only when the model is loaded; a test compares the two.
 */
export const modelRevision = "f6b076d868910e19";

/** [CLS] and [SEP] of the vocabulary, around every segment. */
const first = 101;
const last = 102;
/** The length that all-MiniLM-L6-v2 was made for, in wordpieces. */
const maxSegmentPieces = 256;

/**
 * A text's wordpieces cut into parts for the model, each with [CLS] and [SEP]; parts of one stretch are of like length.
 * None for a text without any piece. A text is read as the parts are taken, up to 8,192 pieces ahead.
 */
export function* segmentsOf(tokenizer: Tokenizer, text: string): Generator<Int32Array> {
  const run = emptyRun();
  const room = maxSegmentPieces - 2;
  for (let at = 0; at < text.length; at = run.next) {
    tokenizer.read(text, at, runLimit, run);
    // The tokenizer's own array is overwritten by the next read.
    const pieces = tokenizer.pieces.slice(0, run.count);
    const size = Math.ceil(run.count / Math.ceil(run.count / room));
    for (let start = 0; start < run.count; start += size) {
      const end = Math.min(start + size, run.count);
      const segment = new Int32Array(end - start + 2);
      segment[0] = first;
      segment.set(pieces.subarray(start, end), 1);
      segment[segment.length - 1] = last;
      yield segment;
    }
  }
}

/** Length of all-MiniLM-L6-v2's vectors. */
const dimensions = 384;
/** Terminating a thread takes a moment. */
const afterEndMs = 500;
/** How much the cosine of this model counts beside full text if the query's language is known. */
const fusionShare = 0.5;
/** Waiting passes of all callers together; each caller asks for a few at a time. */
const maxWaiting = 1024;
/** Texts that one caller has under way for each thread, so that no thread waits for the next text. */
const textsPerThread = 2;
/** A model that nothing was asked of for this long is unloaded. */
const defaultRestMs = 60_000;
/**
 * How long a question waits for a model that is not loaded: loading takes 80 to 120 ms where the machine is idle
 * (onnxruntime 30, the file 20, the session 50).
 */
const defaultPatienceMs = 150;

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
  /** After how long without work the model is unloaded; a minute unless given. */
  restMs?: number;
  /** How long a question waits for a model that is being loaded; 150 ms unless given. */
  patienceMs?: number;
}

export interface MiniLmEmbedding extends EmbeddingModel {
  /** Changes with the model's file: vectors of different revisions do not compare. */
  readonly revision: string;
  /** Whether the model is in memory. */
  isLoaded(): boolean;
  /** Ends the threads. */
  close(): Promise<void>;
}

/**
 * all-MiniLM-L6-v2 inside the program, with 8-bit weights: finds better than the static table, a hundred times slower.
 * Runs in threads of its own, of low priority; queries go before documents. The model is loaded when it is first needed
 * and unloaded when it rests; a query that comes meanwhile fails (`unreachable`) rather than wait long for it. Texts over
 * 254 wordpieces are cut and pooled over all parts. Where it cannot run, every call fails with `model_missing`.
 */
export const createMiniLmEmbedding = async (options: MiniLmOptions): Promise<MiniLmEmbedding> => {
  const { threads, timeoutMs, workerUrl, runtime, runtimeFolder } = options;
  const { restMs = defaultRestMs, patienceMs = defaultPatienceMs } = options;
  const tokenizer = await loadTokenizer();
  const prepare = askOnce({ service: "embedding" }, () => prepareOnnxRuntime(runtime, runtimeFolder));
  const libc = loadLibc();
  const start = async () => {
    // Nobody leaves it: what is unpacked is there for all.
    const bindingPath = await prepare(new AbortController().signal).catch((error: unknown) => {
      throw unusable(messageOf(error), error);
    });
    return await startWorkerThread(workerUrl, bindingPath).catch((error: unknown) => {
      throw unusable(loadFailure(bindingPath, error), error);
    });
  };
  // A thread that ended leaves its memory in the heap: 60 MB of 140 go back to the system only when they are asked for.
  const onRest = () => setTimeout(() => libc?.releaseFreeMemory(), afterEndMs).unref();
  const pool = createWorkerPool({ threads, timeoutMs, maxWaiting, restMs, start, onRest });

  /** @throws ProviderError unreachable while the model is being loaded; model_missing */
  const loadedSoon = async (): Promise<void> => {
    if (pool.isLoaded()) return;
    const loading = pool.load();
    const late = Bun.sleep(patienceMs).then(() => {
      throw new ProviderError("embedding", "unreachable", "the built-in model is being loaded: ask again in a moment");
    });
    late.catch(() => undefined);
    await Promise.race([loading, late]).finally(() => loading.catch(() => undefined));
  };

  const vectorOf = async (text: string, isUrgent: boolean, signal: AbortSignal): Promise<Float32Array> => {
    const vector = new Float32Array(dimensions);
    for (const segment of segmentsOf(tokenizer, text)) {
      const sum = await pool.run(segment, isUrgent, signal);
      for (let index = 0; index < dimensions; index += 1) vector[index] = (vector[index] ?? 0) + (sum[index] ?? 0);
    }
    return unitLength(vector);
  };

  const embed = async (texts: readonly string[], kind: "query" | "document", signal: AbortSignal) => {
    if (signal.aborted) throw new ProviderError("embedding", "aborted", "the caller went away");
    if (texts.length === 0) return [];
    if (kind === "query") await loadedSoon();
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
    revision: modelRevision,
    dimensions: async () => dimensions,
    embed,
    isLoaded: pool.isLoaded,
    fusionWeight: (query) => fusionShare * languageShare(tokenizer, query),
    close: pool.close,
  };
};

const unitLength = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : vector;
};

const unusable = (message: string, cause: unknown): ProviderError =>
  new ProviderError("embedding", "model_missing", message, { cause });

const loadFailure = (bindingPath: string, error: unknown): string => {
  const reason = messageOf(error);
  if (/failed to map segment|Operation not permitted|Permission denied/i.test(reason)) {
    return `The model runtime may not be run from ${bindingPath}: its file system is mounted noexec. Mount it with exec, or set dataDir (CARREL_DATA_DIR) to one that is.`;
  }
  return `The built-in MiniLM cannot be loaded (${bindingPath}): ${reason}`;
};

export interface PoolOptions {
  /** Threads that run the model. */
  threads: number;
  /** Longest time from asking for a pass to its end, in milliseconds. */
  timeoutMs: number;
  /** Passes that may wait; more are refused. */
  maxWaiting: number;
  /** A thread that had nothing to do for this long is ended. */
  restMs: number;
  /** Starts a thread that has the model loaded. */
  start(): Promise<WorkerThread>;
  /** Called when the threads were ended because they had nothing to do. */
  onRest?(): void;
}

interface WorkerPool {
  /**
   * One forward pass; the sum of the hidden states. Urgent passes go before the others.
   * @throws ProviderError `aborted`, `timeout`, `rate_limited` (too many wait) or `bad_answer`, or what `start` throws
   */
  run(pieces: Int32Array, isUrgent: boolean, signal: AbortSignal): Promise<Float32Array>;
  /** Whether a thread has the model loaded. */
  isLoaded(): boolean;
  /** Resolves when a thread has the model loaded; starts one if none does. @throws what `start` throws */
  load(): Promise<void>;
  /** Ends the threads; waiting passes fail. Resolves when the threads are gone. */
  close(): Promise<void>;
}

const failure = (kind: ProviderError["kind"], message: string, cause?: unknown) =>
  new ProviderError("embedding", kind, message, { cause });

/** Threads that run the model. A pass that is not wanted any more ends by itself, one that takes too long with its thread. */
export const createWorkerPool = (options: PoolOptions): WorkerPool => {
  const { threads, timeoutMs, maxWaiting, restMs, start, onRest } = options;
  const pool = createPool<WorkerThread>({
    start,
    maxWorkers: threads,
    idleMs: restMs,
    maxWaiting,
    tooManyWait: () => failure("rate_limited", "too many texts are waiting for the built-in model: try again later"),
    closed: () => failure("unreachable", "the built-in model is shut down"),
    onRest: () => onRest?.(),
  });
  const closing = new AbortController();

  return {
    async run(pieces, isUrgent, signal) {
      const tooLong = new AbortController();
      let thread: WorkerThread | null = null;
      const timer = setTimeout(() => {
        tooLong.abort(failure("timeout", `the built-in model took longer than ${timeoutMs} ms`));
        void thread?.end();
      }, timeoutMs);
      const stop = AbortSignal.any([signal, tooLong.signal, closing.signal]);
      const pass = async (given: WorkerThread): Promise<Float32Array> => {
        stop.throwIfAborted();
        thread = given;
        return await given.run(pieces).finally(() => {
          thread = null;
        });
      };
      try {
        return await unlessAborted(pool.use(pass, stop, isUrgent ? "urgent" : "other"), stop);
      } catch (error) {
        if (error instanceof ProviderError) throw error;
        if (signal.aborted) throw failure("aborted", "the caller went away");
        throw failure("bad_answer", `the built-in model failed: ${messageOf(error)}`, error);
      } finally {
        clearTimeout(timer);
      }
    },
    isLoaded: pool.isReady,
    load: () => pool.makeReady(),
    async close() {
      closing.abort(failure("unreachable", "the built-in model is shut down"));
      await pool.close();
    },
  };
};
