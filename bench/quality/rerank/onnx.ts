import { Tensor } from "onnxruntime-common";
import { prepareOnnxRuntime } from "../../../providers/builtin/minilm/runtime.ts";

export interface Session {
  loadModel(buffer: ArrayBufferLike, offset: number, length: number, options: object): void;
  run(feeds: Record<string, Tensor>, fetches: Record<string, null>, options: object): Record<string, Tensor>;
}

interface Binding {
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isMainThread: boolean): void;
  InferenceSession: new () => Session;
}

const logErrorsOnly = 3;
let binding: Binding | null = null;

/** Opens a model in this thread. */
export const openSession = async (model: Uint8Array): Promise<Session> => {
  if (binding === null) {
    const loaded = { exports: {} as Binding };
    process.dlopen(loaded, await prepareOnnxRuntime(null, ""));
    binding = loaded.exports;
    binding.initOrtOnce(logErrorsOnly, Tensor, true);
  }
  const session = new binding.InferenceSession();
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: "all" };
  session.loadModel(model.buffer, model.byteOffset, model.byteLength, options);
  return session;
};

/** A field of a protobuf message that holds bytes, fewer than 128: its key, their number, the bytes. */
export const bytesField = (number: number, bytes: readonly number[]): number[] => [
  (number << 3) | 2,
  bytes.length,
  ...bytes,
];
/** A field below 16 that holds a number below 128. */
export const numberField = (number: number, value: number): number[] => [number << 3, value];
export const textField = (number: number, text: string): number[] =>
  bytesField(number, [...new TextEncoder().encode(text)]);

/** ValueInfoProto: a name (1), and a type (2) that is a tensor (1) of floats (1). */
export const floats = (name: string): number[] => [
  ...textField(1, name),
  ...bytesField(2, bytesField(1, numberField(1, 1))),
];
