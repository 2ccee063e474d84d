import type { DocumentRecord } from "../../domain/records.ts";
import type { Publication } from "../../store/contract.ts";
import type { IndexedText } from "./index-text.ts";
import { toSnippets } from "./snippets.ts";

/**
 * The document as it is once searches find its text under this revision.
 * @param updatedAt now, unless the text is not new: an imported document keeps its time
 */
export const toPublication = (
  document: DocumentRecord,
  indexed: IndexedText,
  revision: string,
  updatedAt: number = Date.now(),
): Publication => {
  const chunks = indexed.chunks.length;
  const published: DocumentRecord = {
    ...document,
    revision,
    status: "processed",
    error: null,
    errorReason: null,
    tokens: indexed.tokens,
    textHash: indexed.textHash,
    updatedAt,
    attempts: 0,
    nextAttemptAt: null,
    begun: 0,
    progress: { pages: indexed.pages.length, chunks, embedded: chunks },
  };
  return { document: published, text: indexed.text, snippets: toSnippets(published, revision, indexed) };
};
