import { type InferenceSession, Tensor } from "onnxruntime-common";

/** The part of onnxruntime-node's native addon that is used here; its JavaScript half cannot be compiled in. */
interface Binding {
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void;
  InferenceSession: new () => Session;
}

interface Session {
  loadModel(buffer: ArrayBufferLike, offset: number, length: number, options: InferenceSession.SessionOptions): void;
  /** Blocks until the result is there. */
  run(feeds: Record<string, Tensor>, fetches: Record<string, null>, options: object): Record<string, Tensor>;
}

const logErrorsOnly = 3;

/**
 * Opens the model with one thread of its own, the calling one.
 * @param bindingPath `onnxruntime_binding.node` on disk, the library it links beside it
 * @returns a function that runs the pieces of one text and gives the sum of their last hidden states
 * @throws Error if the addon or the model cannot be loaded
 */
export const openModel = (bindingPath: string, model: Uint8Array): ((pieces: Int32Array) => Float32Array) => {
  const loaded = { exports: {} as Partial<Binding> };
  process.dlopen(loaded, bindingPath);
  const { initOrtOnce, InferenceSession } = loaded.exports;
  if (!initOrtOnce || !InferenceSession) throw new Error(`${bindingPath} is not onnxruntime's addon`);
  initOrtOnce(logErrorsOnly, Tensor, false);
  const session = new InferenceSession();
  session.loadModel(model.buffer, model.byteOffset, model.byteLength, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    graphOptimizationLevel: "all",
  });
  return (pieces) => {
    const ids = new Tensor("int32", pieces, [1, pieces.length]);
    const { sum } = session.run({ ids }, { sum: null }, {});
    if (!(sum?.data instanceof Float32Array)) throw new Error("the model gave no vector");
    return sum.data;
  };
};
