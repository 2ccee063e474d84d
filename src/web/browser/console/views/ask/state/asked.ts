import type { Feedback, Receipt } from "../../../../shared/api.ts";
import type { Passage } from "../components/passage.ts";
import { type Scope, scopeFields } from "./scope.ts";

/** How a question is asked, beside its scope. */
export interface Manner {
  /** In place of the default prompt; empty: the default one. */
  prompt: string;
  /** How many passages to use, 1 to 50. */
  passages: number;
}

/** A question with what is known of its answer. */
export interface Asked {
  readonly id: number;
  readonly question: string;
  readonly scope: Scope;
  readonly manner: Manner;
  readonly askedAt: number;
  /**
   * `searching`: nothing has arrived. `waiting`: the connection was lost before anything arrived; it is asked again by
   * itself. `lost`: the connection was lost while the answer was written. `back`: the same, and the server answers
   * again.
   */
  readonly phase: "searching" | "writing" | "whole" | "stopped" | "failed" | "waiting" | "lost" | "back";
  readonly text: string;
  readonly passages: readonly Passage[];
  readonly receipt: Receipt | null;
  /** Where the documents hold no answer: the passages that come nearest; null until they were searched. */
  readonly nearest: readonly Passage[] | null;
  /** What was said of the answer. */
  readonly feedback: Feedback | null;
  /** Why it failed; null if it did not. */
  readonly failure: unknown;
}

export const usualManner: Manner = { prompt: "", passages: 6 };

export const isRunning = ({ phase }: Asked): boolean =>
  phase === "searching" || phase === "writing" || phase === "waiting";

/** Whether the documents do not hold it. That no document mentions something is an answer. */
export const isRefusal = (receipt: Receipt | null): boolean =>
  receipt?.certainty === "none" && receipt.asked.kind !== "inventory";

/** A question that is asked now. */
export const newAsked = (id: number, question: string, scope: Scope, manner: Manner): Asked => ({
  id,
  question,
  scope,
  manner,
  askedAt: Date.now(),
  phase: "searching",
  text: "",
  passages: [],
  receipt: null,
  nearest: null,
  feedback: null,
  failure: null,
});

/** The question as the API takes it. */
export const toQuery = ({ question, scope, manner }: Asked): object => ({
  query: question,
  ...scopeFields(scope),
  numberOfDocumentsInContext: manner.passages,
  ...(manner.prompt.trim() === "" ? {} : { prompt: manner.prompt }),
});
