/** What a thread is told, several at a time. */
export type ToThread<Request> =
  /** The first of all: where it says which request it works on. */
  | { type: "watch"; memory: SharedArrayBuffer }
  | { type: "ask"; id: number; request: Request }
  /** Nobody wants it any more; no answer follows. */
  | { type: "cancel"; id: number };

/** What it answers, several at a time. Parts of a large answer come before it: taking it over at once would take long. */
export type FromThread<Answer, Part = never> =
  | { id: number; part: Part }
  | { id: number; answer: Answer }
  | { id: number; failed: string };
