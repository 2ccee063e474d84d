import type { ParsedFile } from "../../../providers/contract.ts";
import type { DocumentRecord, JsonObject, NewSnippet, SnippetRecord, Tenant } from "../../domain/records.ts";
import type { NewName, Publication, Store } from "../../store/contract.ts";
import { analyzeName, type ChunkTerms, labelTerms, titleTermsOf } from "./analyzed-text.ts";
import type { IndexedText } from "./index-text.ts";

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

/**
 * Where each page begins, as far as the snippets show: at its first snippet. The store keeps no other trace of pages.
 * @param snippets of one document, in their order
 */
export const pagesOf = (snippets: readonly Pick<SnippetRecord, "page" | "start">[]): ParsedFile["pages"] => {
  const pages: ParsedFile["pages"] = [];
  for (const { page, start } of snippets) if (page !== null && page !== pages.at(-1)?.page) pages.push({ page, start });
  return pages;
};

/** What of a document can change without its text. */
export interface Labels {
  name?: string | undefined;
  metadata?: JsonObject | null | undefined;
  partitionId?: string | null | undefined;
}

/** Other changes of a document that are made in the same step. */
interface FurtherChange {
  fields: Partial<DocumentRecord>;
  pendingText?: string;
}

/**
 * Changes name, metadata and partition where they are given and differ; snippets and text stay as they are.
 * @param more changed with them, in one step
 * @returns the record afterwards; null where the document is gone
 */
export const relabelDocument = async (
  { store }: { store: Pick<Store, "documents"> },
  tenant: Tenant,
  document: DocumentRecord,
  { name, metadata, partitionId }: Labels,
  more?: FurtherChange,
): Promise<DocumentRecord | null> => {
  const called = { name: name ?? document.name, metadata: metadata === undefined ? document.metadata : metadata };
  const isGiven = name !== undefined || metadata !== undefined;
  const formerTitleTerms = isGiven ? labelTerms(document) : "";
  const titleTerms = isGiven ? labelTerms(called) : "";
  const isCalledAlike = called.name === document.name && titleTerms === formerTitleTerms;
  const change = {
    ...(isCalledAlike ? {} : { name: { name: called.name, titleTerms, formerTitleTerms } satisfies NewName }),
    ...(metadata === undefined || Bun.deepEquals(metadata, document.metadata) ? {} : { metadata }),
    ...(partitionId === undefined || partitionId === document.partitionId ? {} : { partitionId }),
  };
  if (Object.keys(change).length > 0) return await store.documents.relabel(tenant, document.id, change, more);
  return more === undefined
    ? document
    : await store.documents.patch(tenant, document.id, more.fields, more.pendingText);
};
