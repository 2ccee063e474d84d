/** One thread that runs the model, one text at a time: a forward pass blocks its thread. Started by worker-thread.ts. */

import { setPriority } from "node:os";
import { type InferenceSession, Tensor } from "onnxruntime-common";
import { messageOf } from "../../../src/domain/errors.ts";
import modelPath from "./model.onnx" with { type: "file" };
import type { FromWorker, ToWorker } from "./worker-thread.ts";

/** Vectors are made beside requests, which come first. */
const niceness = 10;

declare const self: { onmessage: ((event: { data: ToWorker }) => void) | null };

let run: ((pieces: Int32Array) => Float32Array) | null = null;

const answer = (message: FromWorker) => postMessage(message);

const start = async (bindingPath: string): Promise<void> => {
  try {
    // On Linux a thread has a priority of its own; elsewhere the call would slow the whole process.
    if (process.platform === "linux") setPriority(0, niceness);
    run = openModel(bindingPath, await Bun.file(modelPath).bytes());
    answer({ type: "ready" });
  } catch (error) {
    answer({ type: "failed", reason: messageOf(error) });
  }
};

self.onmessage = ({ data }) => {
  if (data.type === "start") {
    void start(data.bindingPath);
    return;
  }
  try {
    if (!run) throw new Error("the model is not loaded");
    answer({ type: "done", sum: run(data.pieces) });
  } catch (error) {
    answer({ type: "broken", reason: messageOf(error) });
  }
};

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
const openModel = (bindingPath: string, model: Uint8Array): ((pieces: Int32Array) => Float32Array) => {
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
