/** One thread that runs the model, one text at a time: a forward pass blocks its thread. Started by worker-thread.ts. */

import { setPriority } from "node:os";
import { messageOf } from "../../../src/domain/errors.ts";
import modelPath from "./model.onnx" with { type: "file" };
import { openModel } from "./onnx-binding.ts";
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
