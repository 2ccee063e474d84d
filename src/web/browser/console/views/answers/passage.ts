import type { Snippet, SourceDocument, SourceSnippet } from "../../../shared/api.ts";

/** A passage that an answer is made from. */
export interface Passage {
  id: string;
  /** Null if the document is gone. */
  documentId: string | null;
  /** Empty if the document is gone. */
  text: string;
  page: number | null;
  headings: readonly string[];
  /** Names of the columns of a table that it begins in the middle of. */
  columns: readonly string[];
  /** Characters of the document's text. */
  start: number;
  end: number;
}

type Metadata = Snippet["metadata"] | SourceSnippet["metadata"] | SourceDocument["metadata"];

export const toPassage = ({ metadata }: { metadata: Metadata }): Passage => ({
  id: metadata.id ?? "", // null to visitors alone, who have no console
  documentId: "deleted" in metadata && metadata.deleted ? null : metadata.documentUploadId,
  text: metadata.content ?? "",
  page: metadata.page,
  headings: metadata.headings,
  columns: metadata.columns ?? [],
  start: metadata.start,
  end: metadata.end,
});
