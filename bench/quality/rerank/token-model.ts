import { Tensor } from "onnxruntime-common";
import modelPath from "../../../providers/builtin/minilm/model.onnx" with { type: "file" };
import { segmentsOf } from "../../../providers/builtin/minilm/segments.ts";
import { loadTokenizer } from "../../../providers/builtin/wordpiece/load.ts";
import { bytesField, floats, openSession } from "./onnx.ts";

/** Length of a token's vector. */
export const width = 384;
/** The last of MiniLM's layers; its states are what the model sums up. */
export const lastLayer = 5;

/** A text as the model sees it. */
export interface TokenVectors {
  /** Ids of its wordpieces, [CLS] and [SEP] of each part included. */
  pieces: Int32Array;
  /** A vector of length 1 for each piece, times 127 and rounded. */
  vectors: Int8Array;
}

/**
 * The model's file with one more output. Messages of protobuf that follow each other are merged: what is added is a
 * second graph (field 7 of the model) that has nothing but an output (12).
 */
const withOutput = (model: Uint8Array, name: string): Uint8Array =>
  Buffer.concat([model, Uint8Array.from(bytesField(7, bytesField(12, floats(name))))]);

const unitBytes = (states: Float32Array): Int8Array => {
  const vectors = new Int8Array(states.length);
  for (let start = 0; start < states.length; start += width) {
    const state = states.subarray(start, start + width);
    const length = Math.hypot(...state) || 1;
    for (let at = 0; at < width; at++) vectors[start + at] = Math.round((127 * (state[at] ?? 0)) / length);
  }
  return vectors;
};

/** The built-in MiniLM, asked for the vectors of its tokens instead of their sum. @param layer whose states, 0 to 5 */
export const openTokenModel = async (layer = lastLayer): Promise<(text: string) => TokenVectors> => {
  const tokenizer = await loadTokenizer();
  const output = `layer${layer}.state`;
  const session = await openSession(withOutput(await Bun.file(modelPath).bytes(), output));
  return (text) => {
    const parts = [...segmentsOf(tokenizer, text)].map((pieces) => {
      const ids = new Tensor("int32", pieces, [1, pieces.length]);
      const states = session.run({ ids }, { [output]: null }, {})[output]?.data;
      if (!(states instanceof Float32Array)) throw new Error("the model gave no vectors of its tokens");
      return { pieces, vectors: unitBytes(states) };
    });
    return {
      pieces: Int32Array.from(parts.flatMap(({ pieces }) => [...pieces])),
      vectors: joined(parts.map(({ vectors }) => vectors)),
    };
  };
};

const joined = (parts: readonly Int8Array[]): Int8Array => {
  const all = new Int8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
