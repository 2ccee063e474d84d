import type { DocumentRecord } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { Certainty, FoundSnippet, Retrieval, RetrievalRequest } from "../retrieval/contract.ts";
import type { Support } from "./marks/support.ts";
import type { AskKind } from "./reading/ask.ts";
import type { TableAnswer } from "./tables/table-answer.ts";

/** A question with its scope. Everything is validated, except that the scope exists. */
export interface Question extends Required<RetrievalRequest> {
  /** The caller's prompt, which replaces the default one. */
  prompt: string | null;
  /** What the last answer of the conversation was made from: "make it shorter" is about that. */
  lastSnippets: readonly FoundSnippet[];
  /** A visitor of a public chat asks, who may not see what documents are called. */
  isVisitor: boolean;
}

/** How an answer was made. Token counts are estimates if the model's server does not count. */
export interface Receipt {
  /** What the ask was read as, and the question without what only greets or pleads. */
  asked: { kind: AskKind; question: string };
  certainty: Certainty;
  /** How an answer was computed over the rows of a whole table; null for one that was not. */
  computed: Computed | null;
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
  /** How far the snippets support what a model wrote; null where none wrote or the snippets cannot tell. */
  support: Support | null;
  timings: { retrievalMs: number; answerMs: number; totalMs: number };
  warnings: Warning[];
}

/** An answer that a table was counted, compared or filtered for. */
export interface Computed {
  operation: TableAnswer["operation"];
  documentId: string;
  /** The column that was compared or asked for; null where it is whole rows. */
  column: string | null;
  /** What the rows were chosen by: "status: closed". */
  conditions: string[];
  /** How many rows were found, of how many. */
  rows: number;
  total: number;
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
