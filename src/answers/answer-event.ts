import type { DocumentRecord } from "../domain/records.ts";
import type { Warning } from "../models/warning.ts";
import type { FoundSnippet, Retrieval } from "../retrieval/contract.ts";
import type { MetadataFilter } from "../store/contract.ts";

/** What is asked, and over what. All of it checked but for whether the scope exists. */
export interface Question {
  query: string;
  /** Earlier turns of the conversation, oldest first. */
  history: { role: "user" | "assistant"; text: string }[];
  documentId: string | null;
  partitionId: string | null;
  metadata: MetadataFilter | null;
  /** How many snippets to use and to return, 1 to 50. */
  limit: number;
  /** The caller's prompt in place of the default one. */
  prompt: string | null;
  /** False: only the snippets are wanted. */
  answer: boolean;
}

/** How an answer came about. Tokens are estimates where the model's server does not count. */
export interface Receipt {
  searched: Retrieval["searched"];
  /** The question as understood, with what a follow-up takes from earlier turns. */
  understood: string;
  /** How a question with others before it was understood; null for one without. */
  followUp: FollowUp | null;
  /** How sure it is that the documents hold the answer, 0 to 1. */
  confidence: number;
  /** Snippets used and returned. */
  kept: number;
  dropped: Retrieval["dropped"];
  /** `limit` is null where nothing was read into a context. */
  context: { limit: number | null; used: number };
  /** Who wrote the answer; null where none was asked for. */
  model: { provider: string; name: string } | null;
  timings: { retrievalMs: number; answerMs: number; totalMs: number };
  warnings: Warning[];
}

/** How a follow-up was understood, and what that cost. */
export interface FollowUp {
  /** `model`: rewritten by the answering model; `turns`: what was said before had a say in what was searched for. */
  by: "model" | "turns";
  /** Tokens of the rewriting, estimates where the model's server does not count; 0 where none was tried. */
  promptTokens: number;
  outputTokens: number;
  ms: number;
}

/** The whole answer. */
export interface Answer {
  /** Null where none was asked for. */
  answer: string | null;
  /** Best first; `[1]` in the answer is the first of them. */
  snippets: FoundSnippet[];
  /** Documents of the snippets, in the order of their best one. */
  documents: DocumentRecord[];
  receipt: Receipt;
}

/**
 * In this order: `snippets` once, `delta` any number of times (none where no answer is asked for), `done` once, which
 * may hold fewer snippets: the last ones go where the model's server finds the prompt too long.
 */
export type AnswerEvent =
  | { type: "snippets"; snippets: FoundSnippet[]; documents: DocumentRecord[] }
  | { type: "delta"; text: string }
  | { type: "done"; answer: Answer };
