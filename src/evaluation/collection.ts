/** How the figures are measured does not depend on how Carrel is asked: in process or over HTTP. */

export interface SourceDocument {
  /** Id in the set. */
  id: string;
  title: string;
  text: string;
}

/** Makes collections that nothing else is in. */
export interface Collections {
  /** Puts the documents of a set where they can be asked. @param onDone called with how many are in */
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
}

export interface Found {
  /** Best first. */
  pieces: FoundPiece[];
  /** How sure the gate is that the documents hold the answer. */
  confidence: number;
  /** The embedding model failed: full text answered alone. */
  textAlone?: boolean;
}

export interface Answered {
  /** What was quoted, best first; a model's answer is one piece. Empty where the question was refused. */
  quotations: string[];
  /** Texts of the snippets it was made from, best first. */
  snippets: string[];
  /** A model wrote it: it need not be word for word. */
  byModel: boolean;
}

/** Which legs answer. */
export type Legs = "fused" | "text" | "vectors";

export interface Collection {
  search(query: string, limit: number, legs: Legs): Promise<Found>;
  answer(query: string): Promise<Answered>;
  /** Legs that can be asked for by themselves. */
  readonly legs: readonly Legs[];
  /** Questions that may be under way at a time. */
  readonly atOnce: number;
}
