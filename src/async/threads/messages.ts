/** A message to a thread, sent in batches. */
export type ToThread<Request> =
  /** The first message: memory where the thread says which request it works on. */
  | { type: "watch"; memory: SharedArrayBuffer }
  | { type: "ask"; id: number; request: Request }
  /** The caller has given up; no answer follows. */
  | { type: "cancel"; id: number };

/** A message from a thread, sent in batches. A large answer is sent in parts, since receiving it at once would take long. */
export type FromThread<Answer, Part = never> =
  | { id: number; part: Part }
  | { id: number; answer: Answer }
  | { id: number; failed: string };
