import type { DocumentRecord, Tenant } from "../domain/records.ts";
import type { FoundSnippet } from "../retrieval/contract.ts";
import type { Store } from "../store/contract.ts";

/** Snippets with the records of their documents, by id. */
export interface Found {
  snippets: FoundSnippet[];
  documents: Map<string, DocumentRecord>;
}

/** The documents of the snippets. A snippet whose document was deleted meanwhile is not shown any more. */
export const withDocuments = async (
  store: Pick<Store, "documents">,
  tenant: Tenant,
  snippets: readonly FoundSnippet[],
): Promise<Found> => {
  const ids = [...new Set(snippets.map((snippet) => snippet.documentId))];
  const records = ids.length === 0 ? [] : await store.documents.getMany(tenant, ids);
  const documents = new Map(records.map((record) => [record.id, record]));
  return { snippets: snippets.filter((snippet) => documents.has(snippet.documentId)), documents };
};

/** The documents of these snippets, in the order of the best snippet of each. */
export const documentsOf = (
  snippets: readonly FoundSnippet[],
  documents: Map<string, DocumentRecord>,
): DocumentRecord[] =>
  [...new Set(snippets.map((snippet) => snippet.documentId))]
    .map((id) => documents.get(id))
    .filter((document) => document !== undefined);
