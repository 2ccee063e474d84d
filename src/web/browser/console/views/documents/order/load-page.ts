import type { Document as DocumentRecord } from "../../../../shared/api.ts";
import { type ListQuery, listRequest, pageRows } from "../list-query.ts";
import { isByTime, sortDocuments } from "./list-order.ts";
import { type Lists, loadFirst, loadMatching, maxMatching } from "./load-matching.ts";

interface ListPage {
  items: readonly DocumentRecord[];
  total: number | null;
}

/**
 * A page of the list in its order. The API orders by time alone: for the other orders all that match are loaded and
 * ordered here. More than `maxMatching` come by time, whatever the order that is asked for.
 */
export const loadPage = async (client: Lists, query: ListQuery, signal: AbortSignal): Promise<ListPage> => {
  if (!isByTime(query.order)) {
    const first = await loadFirst(client, query, signal);
    if ((first.total ?? 0) <= maxMatching) {
      const { items, total } = await loadMatching(client, query, signal, first);
      const start = (query.page - 1) * pageRows;
      return { items: sortDocuments(items, query.order).slice(start, start + pageRows), total };
    }
  }
  return await client.list<DocumentRecord>("/api/document", listRequest(query), signal);
};
