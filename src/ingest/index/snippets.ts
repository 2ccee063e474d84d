import type { DocumentRecord, NewSnippet } from "../../domain/records.ts";
import { analyzeName, titleTermsOf } from "./analyzed-text.ts";
import type { IndexedText } from "./index-text.ts";

/** The snippets of a document's revision: `revision` is the one being published. */
export const toSnippets = (
  document: DocumentRecord,
  revision: string,
  { chunks, title, coverTerms }: Pick<IndexedText, "chunks" | "title" | "coverTerms">,
): NewSnippet[] => {
  const { terms } = title?.name === document.name ? title : analyzeName(document.name);
  const titleTerms = titleTermsOf(terms, coverTerms);
  return chunks.map(({ chunk, terms, headingTerms, vectors }, position) => ({
    id: Bun.randomUUIDv7(),
    organizationId: document.organizationId,
    documentId: document.id,
    partitionId: document.partitionId,
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
    vectors,
  }));
};
