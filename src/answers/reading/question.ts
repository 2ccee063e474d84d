import type { FoundSnippet, RetrievalRequest } from "../../retrieval/contract.ts";

/** A question with its scope. Everything is validated, except that the scope exists. */
export interface Question extends RetrievalRequest {
  /** False: only the snippets are returned, and only noise is left out. */
  wantsAnswer: boolean;
  /** The caller's prompt, which replaces the default one. */
  prompt: string | null;
  /** What the last answer of the conversation was made from: "make it shorter" is about that. */
  lastSnippets: readonly FoundSnippet[];
  /** A visitor of a public chat asks, who may not see what documents are called. */
  isVisitor: boolean;
  /** Names the receipt, before there is one. */
  receiptId: string;
  /** Of a message to a chat: the message that the answer becomes. */
  message?: { chatId: string; id: string; thread: string };
  /** What a client that speaks to models sends with it; left out by all others. */
  beside?: SentBeside;
}

export interface SentBeside {
  /** Said to the model after the default prompt; may be empty. */
  instructions: string;
  /** A text to answer from beside the documents; may be empty. */
  attached: string;
  /** Longest answer in tokens; null: as `models.answer.maxOutputTokens` says. */
  maxOutputTokens: number | null;
  /** What was sent and not used, for the receipt's warnings. */
  warnings: string[];
}
