import type { Warning } from "../models/warning.ts";
import type { MetadataFilter } from "../store/contract.ts";

/** A question, and the documents it is asked of. */
export interface RetrievalRequest {
  query: string;
  /** Earlier turns of the conversation, oldest first, for follow-ups. */
  history: { role: "user" | "assistant"; text: string }[];
  documentId: string | null;
  partitionId: string | null;
  metadata: MetadataFilter | null;
  /** How many snippets to keep and to return, 1 to 50. */
  limit: number;
}

/** A snippet that was kept, ready to be shown. */
export interface FoundSnippet {
  id: string;
  documentId: string;
  text: string;
  context: string;
  headings: string[];
  page: number | null;
  start: number;
  end: number;
  position: number;
  /** Cosine distance of its vector from the query's, 0 to 2; 1 if there is no vector. */
  distance: number;
  /** Fused score, 0 to 1; larger is better. */
  score: number;
}

/** Whether the documents hold the answer: they do; something is near that may not be it; nothing is near. */
export type Certainty = "sure" | "unsure" | "none";

/** What one search found, best first. */
export interface Leg {
  leg: "text" | "vectors" | "model_vectors";
  hits: { snippetId: string; documentId: string; score: number | null }[];
}

export interface Retrieval {
  /** Best first. Empty if nothing is near. */
  snippets: FoundSnippet[];
  /** The same whatever the gate says: where a table may answer what no sentence does. */
  nearest: FoundSnippet[];
  certainty: Certainty;
  /** How sure the gate is that the documents contain the answer, 0 to 1. */
  confidence: number;
  /** An answer is refused at an `answers.refusalThreshold` above this. */
  refusedAbove: number;
  /** The question as it was searched for: with the documents' words in place of typing errors. */
  query: string;
  /** The same as understood (with what a follow-up adds from earlier turns). */
  understood: string;
  searched: {
    documents: number;
    snippets: number;
    /** Candidates found by full text, and by vectors. */
    text: number;
    vectors: number;
  };
  dropped: { reason: "not_relevant" | "duplicate" | "over_limit" | "no_context_left"; count: number }[];
  warnings: Warning[];
  /** What each search found, made when asked for; left out where nothing was searched for. */
  legs?(): Leg[];
}

/** One sentence, list item or table row of a snippet, quoted word for word. */
export interface Quotation {
  /** Exactly as in the snippet's text, with white space folded. */
  text: string;
  /** Index into the snippets given, 0-based; its mark is `[index + 1]`. */
  snippet: number;
  /** Of a table row the head of its table, empty where it has none; null for all else. */
  head: string | null;
}

/** What `fusionWeight` gives for a question in a language that the model knows: providers/. */
const fullWeights = { static: 0.25, model: 0.5 };

/** How far a model knows the question's language, 0 to 1. @param fusionWeight of the model, for the question */
export const familiarityOf = (kind: "static" | "model", fusionWeight: number): number =>
  Math.min(1, Math.max(0, fusionWeight / fullWeights[kind]));
