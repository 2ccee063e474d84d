import { Tensor } from "onnxruntime-common";
import { bytesField, floats, numberField, openSession, textField } from "./onnx.ts";
import { width } from "./token-model.ts";

/** AttributeProto `transB` (1: its name, 3: its value, 20: that it is a number, 2): the second matrix is turned. */
const turned = [...textField(1, "transB"), ...numberField(3, 1), 0xa0, 1, 2];
/** NodeProto: two inputs (1), an output (2), an operator (4), an attribute (5). */
const gemm = [
  ...textField(1, "a"),
  ...textField(1, "b"),
  ...textField(2, "c"),
  ...textField(4, "Gemm"),
  ...bytesField(5, turned),
];
/** GraphProto: a node (1), its name (2), inputs (11) and an output (12). */
const graph = [
  ...bytesField(1, gemm),
  ...textField(2, "products"),
  ...bytesField(11, floats("a")),
  ...bytesField(11, floats("b")),
  ...bytesField(12, floats("c")),
];
/** ModelProto: version of the format (1), a graph (7), version of the operators (8, in its field 2). */
const model = [...numberField(1, 8), ...bytesField(7, graph), ...bytesField(8, numberField(2, 17))];

const session = await openSession(Uint8Array.from(model));

/** Dot products of all vectors of one text with all of another, row by row. */
export const products = (first: Int8Array, second: Int8Array): Float32Array => {
  const matrix = (vectors: Int8Array) =>
    new Tensor("float32", Float32Array.from(vectors), [vectors.length / width, width]);
  const result = session.run({ a: matrix(first), b: matrix(second) }, { c: null }, {}).c?.data;
  if (!(result instanceof Float32Array)) throw new Error("no products were given");
  return result;
};
