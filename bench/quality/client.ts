/** How the figures are measured does not depend on how Carrel is asked: in process or over HTTP. */
export interface QualityClient {
  /** Makes an empty store (or partition) hold these documents. @returns asks questions of them */
  ingest(name: string, documents: readonly { id: string; title: string; text: string }[]): Promise<Collection>;
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
}

/** Which legs answer. */
export type Legs = "fused" | "text" | "vectors";

export interface Collection {
  search(query: string, limit: number, legs: Legs): Promise<Found>;
  /** Sentences quoted as the answer, best first; null where this client cannot tell. */
  quote(query: string): Promise<string[] | null>;
  /** Legs that can be asked for by themselves. */
  readonly legs: readonly Legs[];
}
