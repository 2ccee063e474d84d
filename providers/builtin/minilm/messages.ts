/** The messages between the pool and its workers. */
export type ToWorker =
  | { type: "start"; bindingPath: string }
  /** One forward pass over the pieces of one segment, [CLS] and [SEP] included. */
  | { type: "run"; pieces: Int32Array };

export type FromWorker =
  | { type: "ready" }
  | { type: "failed"; reason: string }
  /** Sum of the last hidden states over all pieces. */
  | { type: "done"; sum: Float32Array }
  | { type: "broken"; reason: string };
