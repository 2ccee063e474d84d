import type { DocumentRecord, SnippetRecord, Tenant } from "../../domain/records.ts";
import type { FoundSnippet } from "../../retrieval/contract.ts";
import type { DocumentFilter, SearchScope, SnippetView, Store } from "../../store/contract.ts";

/** Snippets of one document that are looked at to choose from: those of a long one stand for its parts. */
const maxLookedAt = 64;

/**
 * Passages that tell what a document is about: its beginning, and others spread over its parts.
 * @returns in the document's order, at most `limit`; none where it has no text
 */
export const passagesOver = async (
  view: SnippetView,
  tenant: Tenant,
  document: DocumentRecord,
  limit: number,
): Promise<FoundSnippet[]> => {
  const count = Math.max(1, document.progress.chunks);
  const read: SnippetRecord[] = [];
  if (count <= maxLookedAt) read.push(...(await view.neighbors(tenant, document.id, 0, maxLookedAt)));
  else
    for (let at = 0; at < maxLookedAt; at++) {
      const position = Math.floor((at * count) / maxLookedAt);
      read.push(...(await view.neighbors(tenant, document.id, position, position)));
    }
  return spread(read, limit).map(toFound);
};

/** The first one, and from each further part of equal size the one that begins under another heading, if any does. */
const spread = (snippets: readonly SnippetRecord[], limit: number): SnippetRecord[] => {
  if (snippets.length <= limit) return [...snippets];
  const chosen: SnippetRecord[] = [];
  const seen = new Set<string>();
  for (let part = 0; part < limit; part++) {
    const from = Math.floor((part * snippets.length) / limit);
    const to = Math.floor(((part + 1) * snippets.length) / limit);
    const within = snippets.slice(from, Math.max(to, from + 1));
    const fresh = part === 0 ? within[0] : within.find(({ headings }) => !seen.has(headings.slice(0, 2).join("\n")));
    const taken = fresh ?? within[0];
    if (taken === undefined) continue;
    seen.add(taken.headings.slice(0, 2).join("\n"));
    chosen.push(taken);
  }
  return chosen;
};

/** Documents that an overview of all names, at most. */
const maxNamed = 20;

/** The beginnings of the newest documents of a scope, at most `limit`, further ones by name, and how many there are. */
export const beginningsOf = async (
  store: Pick<Store, "documents">,
  view: SnippetView,
  tenant: Tenant,
  scope: SearchScope,
  limit: number,
): Promise<{ snippets: FoundSnippet[]; rest: DocumentRecord[]; total: number }> => {
  const filter: DocumentFilter = {
    status: "processed",
    ...(scope.partitionId === null ? {} : { partitionId: scope.partitionId }),
    ...(scope.metadata === null ? {} : { metadata: scope.metadata }),
  };
  const { items, total } = await store.documents.list(tenant, filter, {
    limit: Math.max(limit, maxNamed),
    skip: 0,
    sortOrder: "desc",
  });
  const snippets: FoundSnippet[] = [];
  for (const { id } of items.slice(0, limit)) {
    const [first] = await view.neighbors(tenant, id, 0, 0);
    if (first !== undefined) snippets.push(toFound(first));
  }
  return { snippets, rest: items.slice(limit), total };
};

/** A stored snippet as one that no question was asked of. */
export const toFound = (snippet: SnippetRecord): FoundSnippet => ({
  id: snippet.id,
  documentId: snippet.documentId,
  text: snippet.text,
  context: snippet.context,
  headings: snippet.headings,
  page: snippet.page,
  start: snippet.start,
  end: snippet.end,
  position: snippet.position,
  // No question was asked of it.
  distance: 1,
  score: 1,
});
