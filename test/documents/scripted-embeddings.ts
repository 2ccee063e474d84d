import { createHash } from "node:crypto";
import { type EmbeddingModel, ProviderError } from "../../providers/contract.ts";

/** An embedding model in this process that counts its work, and fails or waits when told to. */
export interface ScriptedEmbeddings extends EmbeddingModel {
  /** Texts embedded so far, in order. */
  readonly embedded: string[];
  /** Thrown by every call while it is set. */
  failure: ProviderError | null;
  /** Every call waits for this. */
  gate: Promise<void>;
}

const vectorLength = 8;

export const unreachable = (): ProviderError =>
  new ProviderError("embedding", "unreachable", "cannot reach http://localhost:11434: start the server");

/** Vectors made of the text's hash: equal texts are equal, others are not. */
const vectorOf = (text: string): Float32Array => {
  const bytes = createHash("sha256").update(text).digest();
  const numbers = Float32Array.from({ length: vectorLength }, (_, at) => (bytes[at] as number) - 127.5);
  const length = Math.hypot(...numbers);
  return numbers.map((value) => value / length);
};

export const createScriptedEmbeddings = (): ScriptedEmbeddings => ({
  provider: "builtin",
  model: "static",
  embedded: [],
  failure: null,
  gate: Promise.resolve(),
  dimensions: async () => vectorLength,
  fusionWeight: () => 0.3,
  async embed(texts, _kind, signal) {
    await Promise.race([this.gate, aborted(signal)]);
    signal.throwIfAborted();
    if (this.failure !== null) throw this.failure;
    this.embedded.push(...texts);
    return texts.map(vectorOf);
  },
});

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
