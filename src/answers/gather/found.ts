import type { DocumentRecord, Tenant } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import type { Store } from "../../store/contract.ts";

/** Snippets with the records of their documents, by id. */
export interface Found {
  snippets: FoundSnippet[];
  documents: ReadonlyMap<string, DocumentRecord>;
}

/** The records of the documents of snippets, by id, of those that are still there. */
export const recordsOf = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  snippets: readonly FoundSnippet[],
): Promise<ReadonlyMap<string, DocumentRecord>> => {
  const ids = [...new Set(snippets.map((snippet) => snippet.documentId))];
  const records = ids.length === 0 ? [] : await store.documents.getMany(tenant, ids);
  return new Map(records.map((record) => [record.id, record]));
};

/**
 * The documents of the snippets. A snippet whose document was deleted meanwhile is not shown any more.
 * @param known their records, where they have been read for this question; null: they are read
 */
export const withDocuments = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  snippets: readonly FoundSnippet[],
  known: ReadonlyMap<string, DocumentRecord> | null = null,
): Promise<Found> => {
  const documents = known ?? (await recordsOf(store, tenant, snippets));
  return { snippets: snippets.filter((snippet) => documents.has(snippet.documentId)), documents };
};

/** The documents of these snippets, in the order of the best snippet of each. */
export const documentsOf = (
  snippets: readonly FoundSnippet[],
  documents: ReadonlyMap<string, DocumentRecord>,
): DocumentRecord[] =>
  [...new Set(snippets.map((snippet) => snippet.documentId))]
    .map((id) => documents.get(id))
    .filter((document) => document !== undefined);
