import type { PageStart } from "../text/chunk/chunk.ts";

/** What is measured: Carrel with a set of documents in it, in process or over HTTP. */

export interface SourceDocument {
  /** Id in the set. */
  id: string;
  title: string;
  text: string;
  /** Where its pages begin, ascending; left out if it has none. */
  pages?: readonly PageStart[];
}

/** Makes collections, each with its own documents only. */
export interface Collections {
  /** Ingests the documents of a set. @param onDone called with the number of ingested documents */
  ingest(name: string, documents: readonly SourceDocument[], onDone?: (count: number) => void): Promise<Collection>;
  /** Removes everything that was put in. */
  close(): Promise<void>;
}

export interface FoundPiece {
  /** Id the document had in the set. */
  document: string;
  /** Range in the document's text. */
  start: number;
  end: number;
  /** The page it is cited on; left out where no page is measured. */
  page?: number | null;
}

export interface Found {
  /** Best first. */
  pieces: FoundPiece[];
  /** An answer is refused at an `answers.refusalThreshold` above this, 0 to 1. */
  refusedAbove: number;
  /** The embedding model failed: full text answered alone. */
  textAlone?: boolean;
}

export interface Answered {
  /** What was quoted, best first; a model's answer is one piece. Empty if the question was refused. */
  quotations: string[];
  /** Texts of the snippets it was made from, best first. */
  snippets: string[];
  /** A model wrote it, so it may differ from the documents' words. */
  byModel: boolean;
}

/** What is searched: both legs and fused, or one of them alone. */
export type Legs = "fused" | "text" | "vectors";

export interface Collection {
  search(query: string, limit: number, legs: Legs): Promise<Found>;
  answer(query: string): Promise<Answered>;
  /** Searches that this collection supports. */
  readonly legs: readonly Legs[];
  /** Questions that may run at the same time. */
  readonly maxAtOnce: number;
}
