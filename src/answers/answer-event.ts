import type { DocumentRecord } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { FoundSnippet, Retrieval, RetrievalRequest } from "../retrieval/contract.ts";

/** A question with its scope. Everything is validated, except that the scope exists. */
export interface Question extends Required<RetrievalRequest> {
  /** The caller's prompt, which replaces the default one. */
  prompt: string | null;
}

/** How an answer was made. Token counts are estimates if the model's server does not count. */
export interface Receipt {
  searched: Retrieval["searched"];
  /** The question as understood: typing errors replaced by words of the documents, with what a follow-up adds from earlier turns. */
  understood: string;
  /** How a question with others before it was understood; null for one without. */
  followUp: FollowUp | null;
  /** How sure it is that the documents hold the answer, 0 to 1. */
  confidence: number;
  /** An answer is refused at an `answers.refusalThreshold` above this. */
  refusedAbove: number;
  /** Snippets that the refusal gate was fitted to. */
  calibratedOn: number;
  /** Snippets used and returned. */
  kept: number;
  dropped: Retrieval["dropped"];
  /** `limit` is null if nothing was put into a context. */
  context: { limit: number | null; used: number };
  /** What wrote the answer; null if no answer was asked for. */
  model: { provider: string; name: string } | null;
  timings: { retrievalMs: number; answerMs: number; totalMs: number };
  warnings: Warning[];
}

/** How a follow-up was understood, and what that cost. */
export interface FollowUp {
  /** `model`: rewritten by the answering model; `turns`: words of earlier turns were added to the search. */
  by: "model" | "turns";
  /** Tokens of the rewriting, estimated if the model's server does not count; 0 if it was not tried. */
  promptTokens: number;
  outputTokens: number;
  ms: number;
}

/** The whole answer. */
export interface Answer {
  /** Null if no answer was asked for. */
  answer: string | null;
  /** Best first; `[1]` in the answer is the first of them. */
  snippets: FoundSnippet[];
  /** Documents of the snippets, in the order of their best one. */
  documents: DocumentRecord[];
  receipt: Receipt;
}

/**
 * In this order: `snippets` once, `delta` any number of times (none where no answer is asked for), `done` once. It
 * may have fewer snippets than `snippets`: the last ones are left out if the prompt is too long for the model's server.
 */
export type AnswerEvent =
  | { type: "snippets"; snippets: FoundSnippet[]; documents: DocumentRecord[] }
  | { type: "delta"; text: string }
  | { type: "done"; answer: Answer };
