import type { DocumentRecord, NewSnippet, SnippetRecord } from "../../domain/records.ts";
import { analyzeName, type ChunkTerms, labelTerms, titleTermsOf } from "./analyzed-text.ts";
import type { IndexedText } from "./index-text.ts";

/** Makes the snippets of a document's revision, without vectors, from its chunks in their order. */
export const snippetMaker =
  (
    { id, organizationId, partitionId }: Pick<DocumentRecord, "id" | "organizationId" | "partitionId">,
    revision: string,
    titleTerms: string,
  ) =>
  ({ chunk, terms, headingTerms }: ChunkTerms, position: number): SnippetRecord => ({
    id: Bun.randomUUIDv7(),
    organizationId,
    documentId: id,
    partitionId,
    revision,
    position,
    text: chunk.text,
    context: chunk.context,
    headings: chunk.headings,
    page: chunk.page,
    start: chunk.start,
    end: chunk.end,
    terms,
    headingTerms,
    titleTerms,
  });

/** The snippets of a document's revision: `revision` is the one being published. */
export const toSnippets = (
  document: DocumentRecord,
  revision: string,
  { chunks, title, coverTerms }: Pick<IndexedText, "chunks" | "title" | "coverTerms">,
): NewSnippet[] => {
  const { terms } = title?.name === document.name ? title : analyzeName(document.name);
  const make = snippetMaker(document, revision, titleTermsOf(labelTerms(document, terms), coverTerms));
  return chunks.map((chunk, position) => ({ ...make(chunk, position), vectors: chunk.vectors }));
};
