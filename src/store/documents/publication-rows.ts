import type { DocumentRecord, NewSnippet } from "../../domain/records.ts";
import type { Publication } from "../contract/documents.ts";
import { IndexesChangedError } from "../contract/indexes.ts";
import { allOfIndexes, type LiveIndex, type LiveIndexes } from "../search/live-indexes.ts";
import { toSnippetPairs } from "../search/metadata.ts";
import { checkVector, type StoredSnippet } from "../search/snippet-rows.ts";

/** New snippets of a document, by the index that they are for. */
export type IndexRows = ReadonlyMap<LiveIndex, readonly StoredSnippet[]>;

/** The rows of one index for the snippets of a document. @throws Error where a vector does not fit */
export const toStoredSnippets = (
  index: LiveIndex,
  document: DocumentRecord,
  snippets: readonly NewSnippet[],
): StoredSnippet[] => {
  const metadataPairs = toSnippetPairs(document.metadata);
  return snippets.map(({ vectors, ...snippet }) => {
    const vector = vectors.get(index.info.id) ?? null;
    if (vector !== null) checkVector(vector, index.info.dimensions);
    return {
      ...snippet,
      organizationId: document.organizationId,
      documentId: document.id,
      partitionId: document.partitionId,
      metadataPairs,
      vector,
    };
  });
};

/**
 * The rows of a publication, for each index that its snippets were made for.
 * @throws IndexesChangedError if the active index is not among them; Error if the parts do not fit together
 */
export const toPublicationRows = (live: LiveIndexes, { document, snippets }: Publication): IndexRows => {
  if (snippets.some(({ revision }) => revision !== document.revision)) throw new Error("a snippet of another revision");
  if (snippets.some(({ vectors }) => !vectors.has(live.active.info.id))) throw new IndexesChangedError();
  const indexes = allOfIndexes(live).filter(({ info }) => snippets.every(({ vectors }) => vectors.has(info.id)));
  return new Map(indexes.map((index) => [index, toStoredSnippets(index, document, snippets)]));
};
