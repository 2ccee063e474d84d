/** What must come out: an answer, a refusal or a hedge, or a short text without sources. */
export type Expectation = "answer" | "none-or-hedge" | "no-sources";

/** One thing that a person types, or several in a chat; the expectations are of the last answer. */
export interface Ask {
  id: string;
  kind: string;
  turns: string[];
  /** Name of the document asked about; null: everything. */
  scope: string | null;
  /** Of the last turn. */
  language: string;
  expects: Expectation;
  mustMatch: string[];
  mustNotMatch: string[];
  /** True: a hedge is not good enough. */
  sure?: boolean;
  /** Id of the same question without the courteous words around it. */
  bare?: string;
}

export interface Upload {
  /** The file's name, with its extension. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  metadata?: Record<string, unknown>;
}

/** Three sets of two halves each; both halves of the later set are over the same documents. */
export const halves = [
  "develop",
  "heldout",
  "later-develop",
  "later-heldout",
  "third-develop",
  "third-heldout",
] as const;
export type Half = (typeof halves)[number];
