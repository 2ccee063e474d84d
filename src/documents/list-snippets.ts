import type { SnippetRecord, Tenant } from "../domain/records.ts";
import type { Page, Paging, Store } from "../store/contract.ts";
import { findDocument } from "./find-document.ts";

/** Positions are counted in 32 bits. */
const maxPosition = 2 ** 31 - 1;

/**
 * How a document's text was cut: its snippets in the order of the text. None while it is not processed.
 * @throws ApiError document_not_found
 */
export const listSnippets = async (
  store: Pick<Store, "documents" | "openSnippets">,
  tenant: Tenant,
  id: string,
  { limit, skip }: Pick<Paging, "limit" | "skip">,
): Promise<Page<SnippetRecord>> => {
  const document = await findDocument(store, tenant, id);
  const view = store.openSnippets();
  try {
    const scope = { documentId: document.id, partitionId: null, metadata: null };
    const [items, { snippets }] = await Promise.all([
      view.neighbors(tenant, document.id, skip, Math.min(skip + limit - 1, maxPosition)),
      view.count(tenant, scope),
    ]);
    return { items, total: snippets };
  } finally {
    view.close();
  }
};
